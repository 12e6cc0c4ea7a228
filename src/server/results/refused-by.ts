import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { RefusedBy } from '../../core/problem.js'
import { notExpired, precondition, range, signature, taskExists } from '../../core/result/rules.js'
import { ruleRef } from '../../core/rule.js'
import { isoOf } from '../control/iso.js'
import type { ResolvedResult } from './results.js'

const RESULTS = 'results'

/** Why a result is not to be had, as the journal says it; nothing where it is. The answer does not tell one from another (gap X9). */
export const refusedAs = (resolved: ResolvedResult, query: URLSearchParams): readonly RefusedBy[] => {
  switch (resolved.state) {
    case 'expired':
      return [hasNotExpired(resolved)]
    case 'forged':
      return [isSigned(query)]
    case 'gone':
      return [isThere(resolved)]
    default:
      return []
  }
}

const hasNotExpired = ({ expiredAt, now }: Extract<ResolvedResult, { state: 'expired' }>): RefusedBy => ({
  error: 'AccessDenied',
  ...ruleRef(RESULTS, notExpired),
  field: 'Expires',
  found: isoOf(expiredAt),
  allowed: `a time after ${isoOf(now)}`,
  message: `The URL expired at ${isoOf(expiredAt)}, and the clock of its account says ${isoOf(now)}`,
})

// What was sent is not shown: nobody is to learn of signatures from a journal.
const isSigned = (query: URLSearchParams): RefusedBy => {
  const missing = ['Expires', 'Signature'].find((name) => (query.get(name) ?? '') === '')
  return {
    error: 'AccessDenied',
    ...ruleRef(RESULTS, signature),
    field: missing ?? 'Signature',
    found: missing === undefined ? 'another signature' : 'none',
    allowed: 'the one that the URL was given out with',
    message:
      missing === undefined
        ? 'The Signature is not the one of this path and Expires, so the URL was changed or signed with another secret'
        : `The URL has no ${missing}, and has to be used with the whole query that it was given out with`,
  }
}

const isThere = ({ taskId }: ResolvedResult): RefusedBy => ({
  error: 'NoSuchKey',
  ...ruleRef(RESULTS, taskExists),
  found: taskId,
  allowed: 'a task that has this result',
  message: `The task ${taskId} was deleted, or has no such result any more`,
})

/** Why a file was not sent though it is there; nothing where it was. `family` begins the rule's id. */
export const unsentAs = (
  family: string,
  status: number,
  asked: IncomingHttpHeaders,
  answered: OutgoingHttpHeaders,
): readonly RefusedBy[] => {
  if (status === 416) return [rangeIsThere(family, asked, answered)]
  return status === 412 ? [isTheOneMeant(family, asked, answered)] : []
}

const rangeIsThere = (
  family: string,
  { range: found }: IncomingHttpHeaders,
  answered: OutgoingHttpHeaders,
): RefusedBy => {
  const bytes = /\d+$/.exec(String(answered['content-range']))?.[0] ?? 'unknown'
  return {
    error: 'InvalidRange',
    ...ruleRef(family, range),
    field: 'Range',
    found,
    allowed: `a part of the ${bytes} bytes that there are`,
    message: `The Range ${found} is no part of the ${bytes} bytes that there are`,
  }
}

const isTheOneMeant = (
  family: string,
  asked: IncomingHttpHeaders,
  { etag }: OutgoingHttpHeaders,
): RefusedBy => ({
  error: 'PreconditionFailed',
  ...ruleRef(family, precondition),
  field: asked['if-match'] === undefined ? 'If-Unmodified-Since' : 'If-Match',
  found: asked['if-match'] ?? asked['if-unmodified-since'],
  allowed: `the ETag ${etag}`,
  message: `The file is not the one that was asked for: its ETag is ${etag}`,
})
