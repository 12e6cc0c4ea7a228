import type { Body } from './model/call.js'

/** Token of RFC 9110 (5.6.2): a method, or the name of a header. */
export const HTTP_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Whether requests of a method have a body that is read. */
export const takesBody = (method: string): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH'

/** Whether a status is one whose `Location` a client would follow (RFC 9110, 15.4). */
export const isRedirect = (status: number | undefined): boolean =>
  status !== undefined && [301, 302, 303, 307, 308].includes(status)

const COMPRESSIONS = /^(x-)?(gzip|deflate|br|zstd|compress)$/i

/** Refusal of a compressed body, which is never decompressed, so that a kilobyte stays a kilobyte, or undefined where it is plain. */
export const compressedBody = (encoding: string | undefined): Body | undefined => {
  // A list, in the order in which they were applied.
  const encodings = (encoding ?? '').split(',').map((name) => name.trim())
  if (encodings.every((name) => /^(identity)?$/i.test(name))) return undefined
  const found = encoding?.slice(0, 100)
  const detail = encodings.some((name) => COMPRESSIONS.test(name))
    ? `Compressed request bodies are not supported (Content-Encoding: ${found})`
    : `The Content-Encoding ${found} is unknown; a body that is not compressed is sent without this header`
  return { kind: 'unreadable', detail }
}

/** Path of the page, beside the control API that it uses. */
export const PAGE_PATH = '/_backlot/ui/'
