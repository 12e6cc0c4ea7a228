import type { Reply } from '../../core/operation.js'

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
export const withHeaders = (outgoing: Outgoing, others: Readonly<Record<string, string>>): Outgoing => {
  const replaced = Object.keys(others).map((name) => name.toLowerCase())
  const kept = Object.entries(outgoing.headers).filter(([name]) => !replaced.includes(name.toLowerCase()))
  return { ...outgoing, headers: { ...Object.fromEntries(kept), ...others } }
}
