import { z } from 'zod'
import { changeFields, FIELD_PATH, type FieldChanges } from '../../fields.js'
import { HTTP_TOKEN } from '../../http.js'
import type { Reply } from '../../model/call.js'
import { type AnswerContext, defineEffects, type OutgoingReply, type Values } from './effect.js'

export const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Outgoing reply of a decided one, with the request id that every answer carries (gap X3). */
export const outgoingOf = (
  { status, headers, cookies, without, body, text, bytes }: Reply,
  requestId: string,
): OutgoingReply => ({
  status,
  headers: headersWithout({ 'Content-Type': JSON_TYPE, 'X-Request-Id': requestId, ...headers }, without),
  without,
  cookies,
  body: text ?? body,
  bytes:
    bytes === undefined
      ? Buffer.from(text ?? (body === undefined ? '' : JSON.stringify(body)), 'utf8')
      : Buffer.from(bytes),
})

const headersWithout = (
  headers: OutgoingReply['headers'],
  without: Reply['without'],
): OutgoingReply['headers'] =>
  without === undefined
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => !without.includes(name.toLowerCase())))

/** Replaces headers, whatever the case in which both are written. */
export const withHeaders = (reply: OutgoingReply, others: OutgoingReply['headers']): OutgoingReply => {
  const replaced = Object.keys(others).map((name) => name.toLowerCase())
  const kept = Object.entries(reply.headers).filter(([name]) => !replaced.includes(name.toLowerCase()))
  return { ...reply, headers: { ...Object.fromEntries(kept), ...others } }
}

/** Zod schema of the path of a field in a body. */
export const fieldSchema = z
  .string()
  .regex(FIELD_PATH, { error: 'a path such as usage, data[1].url or items[].url' })

/** Reply with other fields, where its body is JSON. */
export const withFields = (reply: OutgoingReply, changes: FieldChanges): OutgoingReply => {
  if (reply.body === null || typeof reply.body !== 'object') return reply
  const body = changeFields(reply.body, changes)
  return { ...reply, body, bytes: Buffer.from(JSON.stringify(body), 'utf8') }
}

const replacingKeys = ['error', 'status', 'body', 'text']

/** Whether an answer takes the place of the true one; one that does not changes its headers or its length. */
export const replacesDecision = (answer: Values): boolean =>
  replacingKeys.some((key) => answer[key] !== undefined)

/** Whether a call is answered without being decided, so that it does none of its work. */
export const skipsDecision = (answer: Values | undefined): boolean =>
  answer !== undefined && replacesDecision(answer) && answer.stillHappens === undefined

const rawReply = (
  { requestId, values }: AnswerContext,
  bytes: string,
  body?: unknown,
  type?: string,
): OutgoingReply => ({
  status: values.status ?? 200,
  headers: { ...(type === undefined ? {} : { 'Content-Type': type }), 'X-Request-Id': requestId },
  body,
  bytes: Buffer.from(bytes, 'utf8'),
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a header cannot have
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/

/** Problem of the value of a header; false: none. */
export const unsendable = (name: string, value: string): string | false =>
  UNSENDABLE.test(value) && `the value of ${name} has characters that no header can have`

/** Effects on an answer, in the order in which they apply. */
export const answerEffects = defineEffects('answer', {
  error: {
    schema: z.string().min(1),
    description: 'the name of an error of the family',
    errorName: [],
    conflicts: {
      status: 'the status of an error is in the table of its family',
      body: 'there is one body',
      text: 'there is one body',
    },
    apply: (_, error, { requestId, raise, values }) =>
      outgoingOf(raise(error, { retryAfterSeconds: values.retryAfter }), requestId),
  },
  status: {
    schema: z.int().min(200).max(599),
    description: 'HTTP status of the answer',
    breaks: 'answer',
    problems: (status, { values: { body, text = '' } }) => [
      [204, 304].includes(status) &&
        (body !== undefined || text !== '') &&
        `an answer with status ${status} has no body, so that ${body === undefined ? 'text' : 'body'} is never sent`,
    ],
    apply: (_, __, context) => rawReply(context, ''),
  },
  body: {
    schema: z.unknown(),
    description: 'written as JSON',
    breaks: 'answer',
    conflicts: { text: 'there is one body' },
    apply: (_, body, context) => rawReply(context, JSON.stringify(body), body, JSON_TYPE),
  },
  text: {
    schema: z.string(),
    description: 'written as it stands',
    breaks: 'answer',
    apply: (_, text, context) => rawReply(context, text, text, text === '' ? undefined : TEXT_TYPE),
  },
  retryAfter: {
    schema: z.int().min(0),
    description: 'seconds, as the header Retry-After',
    problems: (_, { values }) => [
      !replacesDecision(values) && 'retryAfter is for an answer with error or status',
    ],
    apply: (reply, seconds) => withHeaders(reply, { 'Retry-After': String(seconds) }),
  },
  contentType: {
    schema: z.string().min(1),
    description: 'the header Content-Type',
    problems: (type) => [unsendable('contentType', type)],
    apply: (reply, type) => withHeaders(reply, { 'Content-Type': type }),
  },
  headers: {
    schema: z.record(z.string(), z.string()),
    description: 'headers of the answer, in place of those that it has',
    problems: (headers) =>
      Object.entries(headers).map(([name, value]) => {
        if (!HTTP_TOKEN.test(name)) return `${JSON.stringify(name)} cannot be the name of a header`
        if (name.toLowerCase() === 'trailer') return 'Trailer cannot be sent: no answer has trailers'
        return unsendable(name, value)
      }),
    apply: (reply, headers) => withHeaders(reply, headers),
  },
  cutAt: {
    schema: z.int().min(0),
    description: 'only so many bytes of the body are sent, as if they were all',
    breaks: 'answer',
    sendsFileWhole: true,
    apply: (reply, length) => {
      if (length >= reply.bytes.length) return reply
      const bytes = reply.bytes.subarray(0, length)
      return { ...reply, bytes, body: bytes.toString('utf8') }
    },
  },
  stillHappens: {
    schema: z.literal(true),
    description: 'the call does its work all the same; only the answer is another',
    problems: (_, { values }) => [
      !replacesDecision(values) && 'stillHappens is for an answer that takes the place of the true one',
    ],
  },
  without: {
    schema: z.array(fieldSchema).min(1),
    description: 'paths of fields and items that the body does not have: usage, data[1].url, items[].url',
    changesFields: true,
    conflicts: { cutAt: 'a body that is cut cannot be read' },
    problems: (_, { values }) => [
      replacesDecision(values) && 'without is for the true answer, and this one takes its place',
    ],
    apply: (reply, remove) => withFields(reply, { remove }),
  },
})
