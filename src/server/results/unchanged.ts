import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether the caller has the file already, as `If-None-Match` says (RFC 9110, 13.1.2). Object stores ask nothing else: a
 * `Cache-Control: no-cache` beside it, which Node's fetch adds by itself, is for the caches on the way.
 */
export const isUnchanged = (headers: IncomingHttpHeaders, etag: string): boolean => {
  const known = headers['if-none-match']
  // Where both are asked, the other one comes first.
  if (known === undefined || headers['if-match'] !== undefined) return false
  return known.trim() === '*' || known.split(',').some((one) => opaque(one) === opaque(etag))
}

/** Without what says that it is weak: two are compared as if both were. */
const opaque = (etag: string): string => etag.trim().replace(/^W\//, '')
