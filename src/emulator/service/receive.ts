import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { DEFAULT_KEY } from '../core/account/account.js'
import { keyOf } from '../core/account/account-id.js'
import { takesBody } from '../core/http.js'
import type { Body, Call } from '../core/model/call.js'
import { addressMatcher } from '../net/address-guard.js'
import { requestScenario, SCENARIO_HEADER } from '../scenarios/library.js'
import { createBodyBudget, type ReadBody, readBody, readBytes } from './body.js'
import type { MatchedRoute, ReceivedExchange, ServiceOperation, ServiceParts } from './exchange.js'

/**
 * First step: reads a request to its end, and finds its route and its account.
 * @throws ClientDisconnected
 */
export const createReceive = (parts: ServiceParts) => {
  const { settings, findRoute, store, largeBodies, uploads, accountQuotas, quotas } = parts
  const budget = createBodyBudget(settings.bodyBytesAtOnce)
  const accountKeyOf = createAccountKeyOf(store)
  const originOf = createOriginOf(settings)
  const { trustedProxies } = settings
  // Most emulators stand behind no proxy, and compare no address then.
  const isTrustedProxy = trustedProxies.length === 0 ? () => false : addressMatcher(trustedProxies)
  quotas.measure({ bodies: () => budget.bytes })

  const readPosted = async (request: IncomingMessage, operation: ServiceOperation): Promise<ReadBody> => {
    const { form } = operation
    const limit = operation.maxBodyBytes(settings)
    const read: ReadBody =
      form !== undefined
        ? await uploads.receive(request, form)
        : operation.takesBytes === true
          ? await readBytes(request, limit, budget)
          : await readBody(request, limit, budget, largeBodies.read)
    if (budget.bytes > 0) quotas.observe('bodies', budget.bytes)
    const { kind } = read.body
    if (kind === 'too-large') quotas.refuse(form === undefined ? 'request-bodies' : 'asset-files')
    // Uploads count their own refusals.
    if (kind === 'busy' && form === undefined) quotas.refuse('bodies')
    return read
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<ReceivedExchange> => {
    const begun = parts.systemNow()
    const { method = '', url = '', headers } = request
    const { localPort: port } = request.socket
    const { path, rawQuery } = splitUrl(url)
    const query = rawQuery === '' ? noQuery : new URLSearchParams(rawQuery)
    const route = findRoute(method, path, query)
    const key = keyOf(headers.authorization)
    const operation = route?.operations[0]
    const isSigned = operation?.accountId !== undefined
    // The body of any other call is drained once it is answered.
    const reader = readerOf(operation)
    const { body, bytes, release } =
      reader === undefined ? unreadBody(request) : await readPosted(request, reader)
    if (release !== undefined) {
      // A client can leave while the body is parsed.
      if (response.closed) release()
      else response.once('close', release)
    }
    const name = headers[SCENARIO_HEADER]
    const scenario = name === undefined ? undefined : await requestScenario(name, parts.scenarioNamed)
    const shortage =
      key === undefined || isSigned ? undefined : accountQuotas.shortageFor(key, parts.systemNow)
    if (shortage !== undefined) {
      quotas.refuse('accounts')
      await uploads.complete(body, [])
    }
    const received: Body = shortage === undefined ? body : { kind: 'busy', detail: shortage.says }
    const call: Call = { method, path, headers, params: route?.params ?? {}, query, rawQuery, body: received }
    return {
      call,
      begun,
      route,
      key,
      // A call whose account does not fit is answered all the same, and recorded in the one account that always exists.
      accountKey: shortage === undefined ? await accountKeyOf(call, key, route) : DEFAULT_KEY,
      origin: originOf(...reachedAt(request, isTrustedProxy(request.socket.remoteAddress))),
      port,
      headers,
      rawQuery: isSigned ? '' : rawQuery,
      signedQuery: isSigned ? rawQuery : undefined,
      bytes,
      requestScenario: scenario,
    }
  }
}

/**
 * Account key of a call: that of its API key, unless the call names an asset job or a result of another account. A call that names
 * the result of an account that does not exist is refused and recorded in the account `default`.
 */
export const createAccountKeyOf =
  (store: ServiceParts['store']) =>
  (call: Call, key: string | undefined, route: MatchedRoute | undefined): Promise<string> | string => {
    const operation = route?.operations[0]
    if (operation?.accountId !== undefined)
      return store.keyOfAccountId(operation.accountId).then((known) => known ?? DEFAULT_KEY)
    const jobId = operation?.accountOf?.(call)
    const own = key ?? DEFAULT_KEY
    return jobId === undefined ? own : store.ownerOf(jobId, key).then((owner) => owner ?? own)
  }

/** The operation, where it reads the body of its calls. */
const readerOf = (operation: ServiceOperation | undefined): ServiceOperation | undefined =>
  operation !== undefined && takesBody(operation.route.method) ? operation : undefined

const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i

/** The host that a client has named and whether by https: as a trusted proxy says, or else of the connection itself. */
const reachedAt = (
  { headers, socket }: IncomingMessage,
  isForwarded: boolean,
): [host: string, isSecure: boolean] => {
  // A client of HTTP/1.0 need not name the host that it has reached.
  const own = headers.host ?? `localhost:${socket.localPort}`
  const isSecure = (socket as TLSSocket).encrypted === true
  if (!isForwarded) return [own, isSecure]
  // Several proxies make a list, whose first is what the client has named.
  const first = (name: string) =>
    String(headers[name] ?? '')
      .split(',')[0]
      ?.trim() ?? ''
  const [host, scheme] = [first('x-forwarded-host'), first('x-forwarded-proto').toLowerCase()]
  return [HOST_AND_PORT.test(host) ? host : own, scheme === '' ? isSecure : scheme === 'https']
}

const unreadBody = ({ headers }: IncomingMessage): ReadBody => ({
  body: { kind: 'none' },
  bytes: Number(headers['content-length'] ?? 0),
})
const noQuery = new URLSearchParams()

/** Path of a request, without its query. */
export const pathOf = ({ url = '' }: IncomingMessage): string => splitUrl(url).path

const splitUrl = (url: string): { path: string; rawQuery: string } => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, rawQuery: '' } : { path: url.slice(0, mark), rawQuery: url.slice(mark + 1) }
}

/**
 * Origin of absolute URLs in answers: the configured public URL, in the form in which clients send such a URL back
 * (small letters in the host, no port that the scheme implies, no slash at the end), or else the scheme and the Host of
 * the call.
 */
export const createOriginOf = ({ publicUrl }: Pick<ServiceParts['settings'], 'publicUrl'>) => {
  const configured = publicUrl === undefined ? undefined : originOfUrl(new URL(publicUrl))
  return (host = 'localhost', isSecure = false): string =>
    configured ?? `${isSecure ? 'https' : 'http'}://${host}`
}

const originOfUrl = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/+$/, '')
