import type { IncomingHttpHeaders } from 'node:http'
import type { Request } from 'express'
import { DEFAULT_KEY } from '../../core/account/account.js'
import { keyOf } from '../../core/account/credentials.js'
import type { Body, Call } from '../../core/operation.js'
import type { Settings } from '../../core/settings.js'
import type { Store } from '../store/store.js'
import type { Uploads } from '../uploads/uploads.js'
import type { LargeBodyReader } from './large-body/reader.js'
import { readBody } from './read-body.js'
import type { FindRoute, Matched } from './routes.js'

/** A call as it came in, with everything that was on the wire. */
export interface Incoming {
  readonly call: Call
  /** The operations of its route; undefined where the service has no such route. */
  readonly matched: Matched | undefined
  /** Left out where the call carries no key. */
  readonly key: string | undefined
  /** Whose world it is decided in. */
  readonly accountKey: string
  /** What absolute URLs of the answer begin with. */
  readonly origin: string
  readonly headers: IncomingHttpHeaders
  readonly rawQuery: string
  /** Of the body. */
  readonly bytes: number
}

export interface IncomingParts {
  readonly settings: Settings
  readonly findRoute: FindRoute
  readonly store: Store
  readonly largeBodies: LargeBodyReader
  readonly uploads: Uploads
}

/** Reads a request to its end. Rejects with ClientGone where there is nobody left to answer. */
export const createReadIncoming = ({ settings, findRoute, store, largeBodies, uploads }: IncomingParts) => {
  const bodyOf = async (
    request: Request,
    matched: Matched | undefined,
  ): Promise<{ body: Body; bytes: number }> => {
    const operation = matched?.operations[0]
    if (operation === undefined || request.method === 'GET') return { body: { kind: 'none' }, bytes: 0 }
    if (operation.form !== undefined) return uploads.receive(request, operation.form)
    return readBody(request, operation.maxBodyBytes(settings), largeBodies)
  }

  /** The account of the key; where an id says whose the call is, that of the id. */
  const accountKeyOf = async (call: Call, key: string | undefined, matched: Matched | undefined) => {
    const id = matched?.operations[0]?.accountOf?.(call)
    const owner = id === undefined ? undefined : await store.ownerOf(id, key)
    return owner ?? key ?? DEFAULT_KEY
  }

  return async (request: Request): Promise<Incoming> => {
    const { path, rawQuery } = splitUrl(request.url)
    const matched = findRoute(request.method, path)
    const { body, bytes } = await bodyOf(request, matched)
    const params = matched?.params ?? {}
    const call: Call = { method: request.method, path, params, query: new URLSearchParams(rawQuery), body }
    const key = keyOf(request.headers.authorization)
    return {
      call,
      matched,
      key,
      accountKey: await accountKeyOf(call, key, matched),
      origin: settings.publicUrl?.replace(/\/$/, '') ?? `http://${request.headers.host ?? 'localhost'}`,
      headers: request.headers,
      rawQuery,
      bytes,
    }
  }
}

const splitUrl = (url: string): { path: string; rawQuery: string } => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, rawQuery: '' } : { path: url.slice(0, mark), rawQuery: url.slice(mark + 1) }
}
