import { attachedIn } from '../../../core/media/attached.js'

const HEAD = /^data:[^,]{0,200};base64,/i

/**
 * The bytes of a Base64 data URL, or a sentence that says why it is none. Those of a large body were taken out of it
 * when it was read, and a number stands in their place; a body without attachments has no such numbers.
 */
export const decodeDataUrl = (
  url: string,
  attachments: readonly (Uint8Array | string)[] = [],
): Uint8Array | string => {
  const head = HEAD.exec(url)?.[0]
  if (head === undefined) return 'it is not of the form data:{MIME_type};base64,{data}'
  const attached = attachments.length === 0 ? undefined : attachments[attachedIn(url)?.number ?? -1]
  if (attached !== undefined) return attached
  const text = url.slice(head.length)
  // The runtime's decoder skips what it does not know; a client that sends such text has a bug worth hearing of.
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text))
    return 'its Base64 holds characters that Base64 does not have'
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 0 ? 'its Base64 is empty' : bytes
}
