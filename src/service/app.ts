import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ControlAppParts } from '../control/express-app.js'
import { dnsRebindingError } from '../net/host-check.js'
import { sendProtocolError } from './listener.js'

interface AppParts extends ControlAppParts {
  /** Whether a call comes from a page that had its own name lead here. */
  readonly isDnsRebinding: (request: IncomingMessage) => boolean
}

export interface App {
  (request: IncomingMessage, response: ServerResponse): void
  /** Loads what the first call of the control API or of a result would wait for. */
  load(): Promise<void>
}

const CONTROL_ROOT = '/_backlot'

/**
 * The three things that the emulator serves: result files, the control API, and the service for all the rest. The
 * service answers before Express has a request, and Express is loaded after the start (docs/decisions/0008).
 */
export const createApp = ({ isDnsRebinding, ...parts }: AppParts): App => {
  let loading: Promise<RequestListener> | undefined
  const others = (): Promise<RequestListener> => {
    loading ??= import('../control/express-app.js').then(({ createExpressApp }) => createExpressApp(parts))
    return loading
  }
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    request.url = originForm(request.url ?? '')
    if (isDnsRebinding(request)) sendProtocolError(response, dnsRebindingError(request.headers.host))
    else if (isControlOrResult(request)) void others().then((serve) => serve(request, response))
    else void parts.service(request, response)
  }
  return Object.assign(listen, { load: async () => void (await others()) })
}

const isControlOrResult = ({ url = '' }: IncomingMessage): boolean =>
  url.startsWith('/results/') || url.startsWith(CONTROL_ROOT)

/**
 * A request target as the path and query that it asks for. A client that takes the emulator for its proxy names the whole
 * URL, which every server has to accept (RFC 9112, 3.2.2); whose name stands in it is nobody's business here.
 */
export const originForm = (target: string): string => {
  if (target.startsWith('/')) return target
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
