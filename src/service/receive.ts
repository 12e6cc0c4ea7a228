import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type AccountUsage, noQuotas, type Quotas } from '../accounts/quotas.js'
import type { Store } from '../accounts/store.js'
import { DEFAULT_KEY } from '../core/account/account.js'
import { keyOf } from '../core/account/credentials.js'
import type { Call } from '../core/model/call.js'

import type { QuotaExceeded } from '../core/quotas.js'
import type { Settings } from '../core/settings.js'
import type { Uploads } from '../media/uploads/uploads.js'
import { createBodyBudget, type ReadBody, readBody } from './body.js'
import type { LargeBodyReader } from './large-body/reader.js'
import type { FindRoute, MatchedRoute } from './routes.js'

/** A call as it came in, with everything that was on the wire. */
export interface ReceivedRequest {
  readonly call: Call
  /** The operations of its route; undefined where the service has no such route. */
  readonly matched: MatchedRoute | undefined
  /** Left out where the call carries no key. */
  readonly key: string | undefined
  /** Whose world it is decided in. */
  readonly accountKey: string
  /** What absolute URLs of the answer begin with: scheme and host, and the path of the public URL where it has one. */
  readonly origin: string
  /** The port at which it came in; undefined where it did not come over a network. */
  readonly port: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawQuery: string
  /** Of the body. */
  readonly bytes: number
  /** Gives the memory of the body back to its budget. */
  readonly release: () => void
}

export interface ReceiveParts {
  readonly settings: Settings
  readonly findRoute: FindRoute
  readonly store: Store
  readonly largeBodies: LargeBodyReader
  readonly uploads: Uploads
  /** Left out, there is room for every account. */
  readonly usage?: Pick<AccountUsage, 'shortageOf' | 'shortageFor'>
  readonly bounds?: Quotas
}

/** Reads a request to its end. Rejects with ClientGone where there is nobody left to answer. */
export const createReceive = (parts: ReceiveParts) => {
  const { settings, findRoute, store, largeBodies, uploads, usage, bounds = noQuotas } = parts
  const budget = createBodyBudget(settings.bodyBytesAtOnce)
  const readBodyParts = { large: largeBodies, budget }
  const publicBase = publicBaseOf(settings)
  bounds.measure({ bodies: () => budget.bytes })

  const bodyOf = async (request: IncomingMessage, matched: MatchedRoute | undefined): Promise<ReadBody> => {
    const operation = matched?.operations[0]
    // What comes all the same is read off the connection once the call is answered, and is nobody's concern.
    if (operation === undefined || operation.route.method !== 'POST') return noBody
    if (operation.form !== undefined)
      return { ...(await uploads.receive(request, operation.form)), release: nothing }
    return readBody(request, operation.maxBodyBytes(settings), readBodyParts)
  }

  /** The account of the key; where an id says whose the call is, that of the id. */
  const accountKeyOf = async (call: Call, key: string | undefined, matched: MatchedRoute | undefined) => {
    const id = matched?.operations[0]?.accountOf?.(call)
    const owner = id === undefined ? undefined : await store.ownerOf(id, key)
    return owner ?? key ?? DEFAULT_KEY
  }

  /** Where there is no room for the account of a call, its body is not even read. */
  const readOrRefused = async (
    request: IncomingMessage,
    matched: MatchedRoute | undefined,
    shortage: QuotaExceeded | undefined,
  ): Promise<ReadBody> => {
    if (shortage !== undefined) {
      bounds.refuse(shortage.bound)
      return { body: { kind: 'busy', detail: shortage.says }, bytes: 0, release: nothing }
    }
    const read = await bodyOf(request, matched)
    const isForm = matched?.operations[0]?.form !== undefined
    if (read.body.kind === 'too-large') bounds.refuse(isForm ? 'asset-files' : 'request-bodies')
    // Uploads say themselves that they are busy.
    if (read.body.kind === 'busy' && !isForm) bounds.refuse('bodies')
    return read
  }

  return async (request: IncomingMessage): Promise<ReceivedRequest> => {
    const { method = '', url = '' } = request
    const { path, rawQuery } = splitUrl(url)
    const matched = findRoute(method, path)
    const key = keyOf(request.headers.authorization)
    const shortage = key === undefined ? undefined : usage?.shortageFor(key)
    const { body, bytes, release } = await readOrRefused(request, matched, shortage)
    const params = matched?.params ?? {}
    const query = rawQuery === '' ? noQuery : new URLSearchParams(rawQuery)
    const call: Call = { method, path, params, query, body }
    return {
      call,
      matched,
      key,
      // A call that finds no room is answered all the same, and stands in the journal of the one account there always is.
      accountKey: shortage === undefined ? await accountKeyOf(call, key, matched) : DEFAULT_KEY,
      origin: publicBase ?? `http://${request.headers.host ?? 'localhost'}`,
      port: request.socket.localPort,
      headers: request.headers,
      rawQuery,
      bytes,
      release,
    }
  }
}

const nothing = () => {}
const noBody: ReadBody = { body: { kind: 'none' }, bytes: 0, release: nothing }
const noQuery = new URLSearchParams()

export const pathOf = ({ url = '' }: IncomingMessage): string => splitUrl(url).path

const splitUrl = (url: string): { path: string; rawQuery: string } => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, rawQuery: '' } : { path: url.slice(0, mark), rawQuery: url.slice(mark + 1) }
}

/**
 * What absolute URLs begin with under the configured public URL, written as clients write it when they send such a URL
 * back: small letters in the host, no port that the scheme implies, no slash at the end. Undefined where none is set.
 */
const publicBaseOf = ({ publicUrl }: Pick<Settings, 'publicUrl'>): string | undefined => {
  if (publicUrl === undefined) return undefined
  const { origin, pathname } = new URL(publicUrl)
  return origin + pathname.replace(/\/+$/, '')
}
