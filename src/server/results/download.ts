import type { Request, Response } from 'express'
import { type Decision, noNotes } from '../../core/operation.js'
import type { Settings } from '../../core/settings.js'
import { requestIdOf } from '../http/request-id.js'
import type { Recorder } from '../journal/recorder.js'
import type { Store } from '../store/store.js'
import { refusalXml } from './refusal-xml.js'
import type { Resolved, ResolveResult } from './results.js'
import type { SendResult } from './send-result.js'

export interface DownloadParts {
  readonly settings: Settings
  readonly store: Store
  readonly resolve: ResolveResult
  readonly sendResult: SendResult
  readonly recorder: Recorder
}

/** GET and HEAD of a result: its bytes, with Range, ETag and CORS as object stores have them (defaults X9). */
export const createDownload = (parts: DownloadParts) => {
  const serve = async (request: Request, response: Response): Promise<boolean> => {
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const resolved = await parts.resolve(request.path, query)
    if (resolved === undefined) return false
    const requestId = await nextRequestId(parts, resolved)
    response.set({ 'X-Request-Id': requestId, ...openToAll })
    if (resolved.state === 'there') await parts.sendResult(resolved.spec, request, response)
    else sendRefusal(response, resolved.state, requestId)
    record(parts, resolved, request, response, requestId)
    return true
  }
  return serve
}

const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Content-Length, Content-Range, Content-Type, ETag, X-Request-Id',
}

const nextRequestId = async ({ store, settings }: DownloadParts, { account }: Resolved): Promise<string> => {
  if (account === undefined) return requestIdOf(settings.seed, 'nobody', 0)
  return store.run(account, (owner) => {
    owner.requests += 1
    return requestIdOf(settings.seed, owner.tag, owner.requests)
  })
}

const sendRefusal = (response: Response, state: 'denied' | 'gone', requestId: string): void => {
  const { status, body } = refusalXml(state, requestId)
  response.status(status).type('application/xml').send(body)
}

const record = (
  { recorder }: DownloadParts,
  resolved: Resolved,
  request: Request,
  response: Response,
  id: string,
): void => {
  if (resolved.account === undefined) return
  const decision: Decision = {
    reply: { status: response.statusCode, body: undefined },
    changes: [],
    notes: { ...noNotes, task: resolved.taskId },
  }
  recorder.record({
    accountKey: resolved.account,
    at: resolved.now,
    id,
    operation: 'results.download',
    incoming: {
      call: {
        method: request.method,
        path: request.path,
        params: {},
        query: new URLSearchParams(),
        body: { kind: 'none' },
      },
      headers: request.headers,
      rawQuery: '',
      bytes: 0,
    },
    decision,
  })
}
