import type { IncomingMessage } from 'node:http'
import { ownHosts } from '../control/guard.js'
import type { Settings } from '../core/settings.js'
import type { ProtocolError } from '../service/listener.js'

/**
 * Whether a call of the service comes from a page that had its own name lead to this machine, which browsers then take
 * for one site with the emulator. Pages of other sites under its true name need no guard: without CORS a browser does
 * not let them send a key, and without a key nothing is made or told. Programs are served under whatever name, since
 * clients with a host of their own are pointed here by name.
 */
export const createDnsRebindingCheck = (settings: Settings): ((request: IncomingMessage) => boolean) => {
  const isOwnHost = ownHosts(settings)
  return ({ headers }) => {
    const isPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
    return isPage && !isOwnHost(hostnameOf(headers.host ?? ''))
  }
}

const hostnameOf = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host

export const dnsRebindingError = (host: string | undefined): ProtocolError => ({
  status: 403,
  code: 'foreign_host',
  message: `Pages under the name ${host ?? '(none)'} are not answered. If the name is yours, start the emulator with --public-url and the name.`,
})
