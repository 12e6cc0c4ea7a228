import type { ServerResponse } from 'node:http'
import type { Answered } from '../../core/journal/entry.js'

const KEPT = ['content-type', 'content-range', 'etag']

/** What is kept of an answer that was a file: what it says of itself, and how long it is. */
export const answeredFile = (response: ServerResponse): Answered => {
  const length = response.getHeader('content-length')
  const headers = KEPT.flatMap((name) => {
    const value = response.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { headers: Object.fromEntries(headers), bytes: length === undefined ? 0 : Number(length) }
}
