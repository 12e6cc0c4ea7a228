import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { lateImportInFolder } from '../concurrency.js'
import { EmulatorError, explainSystemError } from '../core/errors.js'
import type { Events, HealthReporter } from '../core/events.js'
import { PAGE_PATH } from '../core/http.js'
import { redactedText } from '../core/journal/redact.js'
import { posterSubjects } from '../core/result.js'
import type { Settings } from '../core/settings.js'
import { allowHostHint } from '../net/host-check.js'
import { type OnRefused, type ProtocolError, sendProtocolError } from './listener.js'
import { randomRequestId } from './request-id.js'

interface AppParts {
  readonly service: RequestListener
  /** Loads the control API, and Express with it. */
  readonly loadControl: () => Promise<RequestListener>
  readonly sendPage: RequestListener
  readonly sendPoster: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly isAllowedHost: (host: string | undefined) => boolean
  readonly handleCors: HandleCors
  readonly onRefused: OnRefused
  readonly health: HealthReporter
  readonly onInternalError: (error: unknown) => void
}

/** The request handler of an emulator. */
export interface App {
  (request: IncomingMessage, response: ServerResponse): void
  /** Loads the control API, so that its first call need not wait. */
  load(): Promise<void>
}

const PAGE = /^\/_backlot\/ui(?:[/?]|$)/
const CONTROL_PATH = /^\/_backlot(?:[/?]|$)/

/**
 * Dispatches requests: the control API is an Express app, which is loaded late, and everything else is the page and the
 * service, which Express never meets (docs/decisions/0008). The control API checks the Host itself: its fixtures are served
 * under any name.
 */
export const createApp = (parts: AppParts): App => {
  const { service, sendPage, sendPoster, isAllowedHost, handleCors, onRefused, health, onInternalError } =
    parts
  const load = lateImportInFolder(parts.loadControl)
  const control = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const serve = await load()
      health.resolve('control')
      serve(request, response)
    } catch (cause) {
      const error = explainSystemError('The control API could not be loaded', cause)
      if (error instanceof EmulatorError) health.report('control', error)
      else onInternalError(error)
      sendProtocolError(response, notLoaded(error))
    }
  }
  const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    const { host } = request.headers
    request.url = originForm(request.url ?? '')
    if (PAGE.test(request.url) && isGetOrHead(request)) sendPage(request, response)
    else if (CONTROL_PATH.test(request.url)) void control(request, response)
    else if (!isAllowedHost(host)) sendProtocolError(response, foreignHost(host ?? ''), onRefused)
    else if (isOpenedInBrowser(request)) redirectToPage(response)
    else if (handleCors(request, response)) return
    else if (isGetOrHead(request) && isPoster(request.url))
      sendPoster(request, response).catch((error) => {
        onInternalError(error)
        response.destroy()
      })
    else service(request, response)
  }
  return Object.assign(dispatch, { load: async () => void (await load()) })
}

const notLoaded = (error: unknown): ProtocolError => ({
  status: 500,
  code: 'internal',
  message: `${error instanceof EmulatorError ? error.sentence : 'The control API could not be loaded; the error is in the log.'} The next call tries again.`,
})

/** Whether a browser opens the address of the emulator itself: the service has no such path. */
const isOpenedInBrowser = (request: IncomingMessage): boolean =>
  /^\/(?:\?|$)/.test(request.url ?? '') &&
  isGetOrHead(request) &&
  request.headers.accept?.includes('text/html') === true

const isPoster = (url: string): boolean => posterSubjects(url.split('?', 1)[0] ?? '') !== undefined

const isGetOrHead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

const redirectToPage = (response: ServerResponse): void => {
  response.writeHead(302, { Location: PAGE_PATH, Vary: 'Accept', 'X-Content-Type-Options': 'nosniff' })
  response.end()
}

const foreignHost = (received: string): ProtocolError => {
  const host = redactedText(received.slice(0, MAX_SHOWN))
  const message = `Requests for the host ${host} are refused, since a web page could have its name resolve to this address. ${allowHostHint(host)}`
  return { status: 403, code: 'foreign_host', message }
}

// Of a host or an origin, in messages.
const MAX_SHOWN = 300

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

/** CORS handler: sets the headers of an answer, and answers preflights itself. True: it has answered. */
type HandleCors = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * CORS of the service and of results: pages of `corsOrigins` may call the service, and pages of any origin may read
 * results, as of object stores (gap X9). The control API has none.
 * @param onRefused called for the preflight of any other page
 */
export const createCors = (
  { corsOrigins }: Pick<Settings, 'corsOrigins'>,
  onRefused: (refused: Events['preflight'][0]) => void,
): HandleCors => {
  const isAllowed = (origin: string) => corsOrigins.includes('*') || corsOrigins.includes(origin)

  return (request, response) => {
    const { method, url = '', headers } = request
    const isPreflight = method === 'OPTIONS'
    if (url.startsWith('/results/')) {
      if (isPreflight) sendPreflight(response, { 'Access-Control-Allow-Origin': '*' }, 'GET, HEAD')
      return isPreflight
    }
    // Also of an answer to another origin, so that no cache gives it to an allowed one.
    if (corsOrigins.length > 0) response.setHeader('Vary', 'Origin')
    const origin = headers.origin?.slice(0, MAX_SHOWN)
    if (origin === undefined) return false
    if (isAllowed(origin)) {
      response.setHeader('Access-Control-Allow-Origin', origin)
      response.setHeader('Access-Control-Expose-Headers', '*')
      if (isPreflight) sendPreflight(response, {}, 'GET, POST, DELETE')
    } else if (isPreflight) {
      const says = `Pages of ${origin} may not call the service. The setting corsOrigins lets them (--set corsOrigins=${origin}), or have the server of the page pass its calls on: docs/browser.md.`
      onRefused({ origin, says })
      sendProtocolError(response, { status: 403, code: 'foreign_origin', message: says })
    }
    return isPreflight
  }
}

const sendPreflight = (response: ServerResponse, origin: Record<string, string>, methods: string): void => {
  response.writeHead(204, {
    ...origin,
    'Access-Control-Allow-Methods': methods,
    // The star does not include Authorization.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '600',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomRequestId(),
  })
  response.end()
}
