import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { URL } from 'node:url'
import { ControlError } from '../core/errors.js'
import type { Settings } from '../core/settings.js'
import { allowHostHint, createHostCheck, isLoopbackHost } from '../net/host-check.js'

/**
 * Guard of the control API: lets programs on this machine pass, never the pages of other sites. A foreign Host would be
 * a page that rebound its name to this address; a foreign Origin a page that calls across sites, and so would be what
 * browsers call another site (Sec-Fetch-Site) where they send no Origin. With a control token, only requests with the token pass.
 * It throws a ControlError for a request that may not use the control API.
 */
export const createGuard = (settings: Settings) => {
  const isAllowedHost = createHostCheck(settings)
  // A proxy may replace the Host header by the address of the emulator.
  const publicHost = settings.publicUrl === undefined ? undefined : new URL(settings.publicUrl).host
  return (request: IncomingMessage): void => {
    const { host = '' } = request.headers
    if (!isAllowedHost(request.headers.host))
      throw new ControlError(403, 'foreign-host', {
        message: `The control API does not answer to the host ${host}, since a web page could have its name resolve to this address.`,
        hint: `Use the address that the emulator printed. ${allowHostHint(host)}`,
      })
    const { origin } = request.headers
    // `file://` has an empty host, and `null` none.
    const originHost = hostOf(origin ?? '')
    const isOwn = originHost !== undefined && [hostOf(`http://${host}`), publicHost].includes(originHost)
    if (origin !== undefined && !isOwn) throw foreignPage(`pages of ${origin}`)
    if (!SAME_SITE.includes(request.headers['sec-fetch-site'] ?? 'none'))
      throw foreignPage('pages of other sites')
    const token = tokenOf(request)
    if (settings.controlToken !== undefined && !tokensEqual(token, settings.controlToken))
      throw new ControlError(401, 'token-needed', {
        message:
          token === ''
            ? 'The control API of this emulator wants its token.'
            : 'The token that was sent is not the one of this emulator.',
        hint: 'Send it as the header X-Backlot-Token, or as ?token= where no header can be set; the page takes it as #token=.',
      })
  }
}

/** Values of Sec-Fetch-Site for calls of the emulator's own page and for addresses that were typed. Programs send none. */
const SAME_SITE = ['same-origin', 'none']

const foreignPage = (caller: string) =>
  new ControlError(403, 'foreign-origin', {
    message: `The control API does not answer to ${caller}.`,
    hint: 'Open the address itself, or ask from a program. Behind a proxy, let it pass the Host header on, or set publicUrl.',
  })

const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).host || undefined : undefined

const tokenOf = ({ headers, url = '' }: IncomingMessage): string => {
  const inHeader = headers['x-backlot-token']
  if (inHeader !== undefined) return String(inHeader)
  const [token = '', ...others] = new URLSearchParams(url.split('?').slice(1).join('?')).getAll('token')
  return others.length === 0 ? token : ''
}

/** Generated control token: for an address beyond loopback without a token in the settings; undefined everywhere else. */
export const generateControlToken = ({ host, controlToken }: Settings): string | undefined =>
  // Beyond this machine anybody could advance clocks and read the journal.
  controlToken !== undefined || isLoopbackHost(host) ? undefined : randomBytes(18).toString('base64url')

/** Constant-time comparison: its duration tells nothing about the expected token, not even its length. */
const tokensEqual = (received: string, expected: string): boolean =>
  timingSafeEqual(digestOf(received), digestOf(expected))

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
