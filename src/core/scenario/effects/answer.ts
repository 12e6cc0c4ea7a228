import type { Reply } from '../../contract.js'
import type { Answer, Then } from '../schema.js'
import { onlyOne } from './effect.js'

/** Whether an answer takes the place of the true one; one that does not touches up its headers or its length. */
export const replacesDecision = ({ error, status, body, text }: Answer): boolean =>
  error !== undefined || status !== undefined || body !== undefined || text !== undefined

/** Whether a call is to be answered without being decided, so that it does none of its work. */
export const isInstead = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && replacesDecision(answer) && answer.stillHappens === undefined

/** What cannot be together in an answer, or beside one. */
export const answerComplaints = ({ answer, task, asset, result }: Then): string[] => {
  if (answer === undefined) return []
  const says = Object.keys(answer).some((key) => key !== 'stillHappens' && key !== 'retryAfter')
  const replaces = replacesDecision(answer)
  const isInstead = replaces && answer.stillHappens === undefined
  const others = [
    ...(task === undefined ? [] : ['task']),
    ...(asset === undefined ? [] : ['asset']),
    ...(result === undefined ? [] : ['result']),
  ]
  return [
    ...(says
      ? []
      : ['answer names an error of the family, or a status, headers, contentType, body, text or cutAt']),
    ...onlyOne(answer, ['error', 'status'], 'the status of an error is in the table of its family'),
    ...onlyOne(answer, ['error', 'body', 'text'], 'there is one body'),
    ...(answer.retryAfter !== undefined && !replaces
      ? ['retryAfter is for an answer with error or status']
      : []),
    ...(answer.stillHappens && !replaces
      ? ['stillHappens is for an answer that takes the place of the true one']
      : []),
    ...(isInstead
      ? others.map(
          (part) =>
            `${part} finds nothing to act on where an answer takes the place of the call: add stillHappens`,
        )
      : []),
  ]
}

/** An answer as bytes, the last form in which it can still be changed. */
export interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  /** What Content-Length says; left out: the truth. */
  readonly declaredBytes?: number
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A reply as it goes out when nothing interferes, with the request id that every answer carries (gap X3). */
export const outgoingOf = ({ status, headers, body }: Reply, requestId: string): Outgoing => ({
  status,
  headers: {
    'Content-Type': JSON_TYPE,
    'X-Request-Id': requestId,
    ...headers,
  },
  bytes: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body), 'utf8'),
})

/** Headers with others in their place, whatever the case in which both are written. */
const withHeaders = (outgoing: Outgoing, others: Readonly<Record<string, string>>): Outgoing => {
  const replaced = Object.keys(others).map((name) => name.toLowerCase())
  const kept = Object.entries(outgoing.headers).filter(([name]) => !replaced.includes(name.toLowerCase()))
  return { ...outgoing, headers: { ...Object.fromEntries(kept), ...others } }
}

/**
 * What goes out where a step answers. `named` is the family's own answer with the error that the step names, or, where
 * it names none, the true answer.
 */
export const overrideReply = (named: Outgoing, answer: Answer, requestId: string): Outgoing =>
  cut(withHeaders(isRaw(answer) ? raw(answer, requestId) : named, headersOf(answer)), answer)

const isRaw = ({ status, body, text }: Answer): boolean =>
  status !== undefined || body !== undefined || text !== undefined

const raw = ({ status = 200, body, text }: Answer, requestId: string): Outgoing => {
  const type = body !== undefined ? JSON_TYPE : text === undefined || text === '' ? undefined : TEXT_TYPE
  return {
    status,
    headers: { ...(type === undefined ? {} : { 'Content-Type': type }), 'X-Request-Id': requestId },
    bytes: Buffer.from(body === undefined ? (text ?? '') : JSON.stringify(body), 'utf8'),
  }
}

const TEXT_TYPE = 'text/plain; charset=utf-8'

const headersOf = ({ headers, contentType, retryAfter }: Answer): Record<string, string> => ({
  ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
  ...headers,
})

const cut = (outgoing: Outgoing, { cutAt }: Answer): Outgoing =>
  cutAt === undefined ? outgoing : { ...outgoing, bytes: outgoing.bytes.subarray(0, cutAt) }
