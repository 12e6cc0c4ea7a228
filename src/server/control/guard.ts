import { timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Settings } from '../../core/settings.js'
import { ControlError } from './control-error.js'

/**
 * Who may use the control API: programs on this machine, never the pages of other sites. A foreign Host would be a
 * page that rebound its name to this address; a foreign Origin a page that calls across sites. With a control token,
 * only those who have it.
 */
export const guardOf = (settings: Settings): RequestHandler => {
  const isOwnHost = ownHosts(settings)
  return (request, _response, next) => {
    const host = hostOf(`http://${request.headers.host ?? ''}`)
    if (host === undefined || !isOwnHost(host.hostname))
      throw new ControlError(
        403,
        'foreign-host',
        `The control API does not answer to the host ${request.headers.host ?? '(none)'}.`,
        'Use the address that the emulator printed, or name your own with --public-url.',
      )
    const origin = request.headers.origin
    if (origin !== undefined && hostOf(origin)?.host !== host.host)
      throw new ControlError(403, 'foreign-origin', `The control API does not answer to pages of ${origin}.`)
    if (settings.controlToken !== undefined && !isSame(tokenOf(request), settings.controlToken))
      throw new ControlError(
        401,
        'token-needed',
        'The control API of this emulator wants its token.',
        'Send it as the header X-Backlot-Token, or as ?token= for a page.',
      )
    next()
  }
}

const hostOf = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const ownHosts = ({ host, publicUrl }: Settings) => {
  const named = [host, publicUrl === undefined ? undefined : new URL(publicUrl).hostname]
  // Bound to every address it cannot know its names; then it is the token that protects it.
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return (hostname: string): boolean => isEverywhere || LOOPBACK.test(hostname) || named.includes(hostname)
}

const tokenOf = (request: Parameters<RequestHandler>[0]): string => {
  const inQuery = request.query.token
  return request.get('x-backlot-token') ?? (typeof inQuery === 'string' ? inQuery : '')
}

const isSame = (given: string, right: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
