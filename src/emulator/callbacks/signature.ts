import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import type { CallbackSignature, SignatureVerdict } from '../core/callback/delivery.js'

/** What of a message is signed. */
interface SignedMessage {
  /** The delivery id. */
  readonly id: string
  /** Unix seconds. */
  readonly seconds: number
  readonly body: string
}

/** Headers that sign a message (HMAC SHA-256): the signature, and the time where the receiver checks it. */
export const signatureHeaders = (
  signature: CallbackSignature,
  { id, seconds, body }: SignedMessage,
): Record<string, string> => {
  const digest = signer(signature, { id, timestamp: String(seconds) })
  digest.update(body)
  return {
    ...(signature.timestamp === undefined ? {} : { [signature.timestamp]: String(seconds) }),
    [signature.header]: finish(digest, signature),
  }
}

/** Verifies the signature of a message that was received. */
export const verifySignature = (
  signature: CallbackSignature,
  headers: Readonly<Record<string, unknown>>,
  { id, body }: { readonly id: string; readonly body: readonly Uint8Array[] },
): SignatureVerdict => {
  const given = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : headers[name.toLowerCase()]
    return typeof value === 'string' ? value : undefined
  }
  const received = given(signature.header)
  if (received === undefined) return 'missing'
  const digest = signer(signature, { id, timestamp: given(signature.timestamp) ?? '' })
  for (const chunk of body) digest.update(chunk)
  const expected = Buffer.from(finish(digest, signature))
  const found = Buffer.from(received)
  return expected.length === found.length && timingSafeEqual(expected, found) ? 'valid' : 'wrong'
}

/** An HMAC that has taken all that is signed up to the body. What follows the body is taken when it ends. */
const signer = (
  { secret, ...signature }: CallbackSignature,
  values: { id: string; timestamp: string },
): Hmac => {
  const [before = ''] = signedParts(signature)
  return createHmac('sha256', secret).update(filled(before, values))
}

const signedParts = ({ signs, timestamp }: Pick<CallbackSignature, 'signs' | 'timestamp'>): string[] =>
  (signs ?? (timestamp === undefined ? '{body}' : '{timestamp}.{body}')).split('{body}')

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(id|timestamp)\}/g, (_, name: string) => values[name] ?? '')

const finish = (digest: Hmac, { encoding = 'hex', prefix = '' }: CallbackSignature): string =>
  prefix + digest.digest(encoding)
