import type { Answer } from '../../core/scenario/then.js'
import { JSON_TYPE, type Outgoing, withHeaders } from './outgoing.js'

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
