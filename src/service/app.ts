import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { allowHostHint, type HostCheck } from '../net/host-check.js'
import type { HandleCors } from './cors.js'
import { type ProtocolError, sendProtocolError } from './listener.js'
import type { Service } from './pipeline.js'

interface AppParts {
  readonly service: Service
  /** Loads the control API, and Express with it. */
  readonly loadControl: () => Promise<RequestListener>
  readonly isAllowedHost: HostCheck
  readonly handleCors: HandleCors
}

/** The request handler of an emulator. */
export interface App {
  (request: IncomingMessage, response: ServerResponse): void
  /** Loads the control API, so that its first call need not wait. */
  load(): Promise<void>
}

/** Where the page is, beside the control API that it uses. */
export const PAGE_PATH = '/_backlot/ui/'
const CONTROL_PATH = /^\/_backlot(?:[/?]|$)/

/**
 * Dispatches requests: the control API is an Express app, which is loaded late, and everything else is the service, which
 * Express never meets (docs/decisions/0008). The control API checks the Host itself: its fixtures are served under any name.
 */
export const createApp = ({ service, loadControl, isAllowedHost, handleCors }: AppParts): App => {
  let control: Promise<RequestListener> | undefined
  const load = (): Promise<RequestListener> => {
    control ??= loadControl()
    return control
  }
  const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    const { host } = request.headers
    request.url = originForm(request.url ?? '')
    if (CONTROL_PATH.test(request.url)) void load().then((serve) => serve(request, response))
    else if (!isAllowedHost(host)) sendProtocolError(response, foreignHost(host ?? ''))
    else if (isPageOpened(request)) sendToPage(response)
    else if (!handleCors(request, response)) void service(request, response)
  }
  return Object.assign(dispatch, { load: async () => void (await load()) })
}

/** Whether a browser opens the address of the emulator itself: the service has no such path. */
const isPageOpened = ({ method, url = '', headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /^\/(?:\?|$)/.test(url) &&
  headers.accept?.includes('text/html') === true

const sendToPage = (response: ServerResponse): void => {
  response.writeHead(302, { Location: PAGE_PATH, Vary: 'Accept', 'X-Content-Type-Options': 'nosniff' })
  response.end()
}

const foreignHost = (host: string): ProtocolError => ({
  status: 403,
  code: 'foreign_host',
  message: `Requests for the host ${host} are refused, since a web page could have its name resolve to this address. ${allowHostHint(host)}`,
})

/**
 * Origin form of a request target. A client that uses the emulator as its proxy sends the absolute URL, which every server
 * has to accept (RFC 9112, 3.2.2); its host is ignored.
 */
export const originForm = (target: string): string => {
  if (target.startsWith('/')) return target
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
