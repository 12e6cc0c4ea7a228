import type { Request } from 'express'
import { keyOf } from '../../core/account/credentials.js'
import type { Answered } from '../../core/journal/entry.js'
import { type Decision, noMeta, type Reply } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import type { ScenarioMatch } from '../../core/scenario/play.js'
import type { Instant } from '../../core/time/timeline.js'
import type { JournalStore } from '../journal/recorder.js'
import type { ResolvedResult } from './results.js'

/** How a download went out. */
export interface Sent {
  readonly id: string
  readonly begunAt: Instant
  readonly reply: Pick<Reply, 'status' | 'body'>
  readonly answered: Answered | undefined
  readonly refusedBy: readonly RefusedBy[]
  readonly played: ScenarioMatch
}

/** Writes a download into the journal of its account; one of nobody's is not kept. */
export const recordDownload = (
  journals: JournalStore,
  resolved: ResolvedResult,
  request: Request,
  { id, begunAt, reply, answered, refusedBy, played }: Sent,
): void => {
  if (resolved.account === undefined) return
  const decision: Decision = {
    reply: { status: reply.status, body: reply.body },
    changes: [],
    notes: { ...noMeta, refusedBy, task: resolved.taskId },
  }
  journals.record({
    accountKey: resolved.account,
    at: resolved.now,
    begunAt,
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
      signedQuery: request.url.split('?')[1] ?? '',
      bytes: 0,
      key: keyOf(request.headers.authorization),
      origin: `http://${request.headers.host ?? 'localhost'}`,
    },
    decision,
    answered,
    played,
  })
}
