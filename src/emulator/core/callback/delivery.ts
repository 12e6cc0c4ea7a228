import { type Instant, SECOND } from '../schedule/time.js'

export const attemptOutcomes = ['answered', 'timeout', 'refused-address', 'failed'] as const

/** Delivery attempt. */
export interface Attempt {
  /** When it began, on the account's clock. */
  readonly at: Instant
  /** Milliseconds of real time. */
  readonly durationMs: number
  /** `refused-address`: the emulator does not send there, and nothing was sent (gap Z2). */
  readonly outcome: (typeof attemptOutcomes)[number]
  /** Undefined where none came. */
  readonly status?: number
  /** The beginning of the answer's text; undefined where none came. */
  readonly answer?: string
  /** Error text, a sentence, or undefined where an answer came in time. */
  readonly error?: string
}

export const signatureVerdicts = ['valid', 'wrong', 'missing'] as const
/** What a receiver finds when it checks the signature of a message. */
export type SignatureVerdict = (typeof signatureVerdicts)[number]

/** Signature of callbacks: HMAC SHA-256 over what is sent. */
export interface CallbackSignature {
  readonly header: string
  readonly secret: string
  /** Header of the Unix seconds. Undefined where none is sent. */
  readonly timestamp?: string | undefined
  /** The signed text, of `{body}`, which ends it, and before it `{timestamp}` and `{id}`. Default: both as they come, with a point between. */
  readonly signs?: string | undefined
  readonly encoding?: 'hex' | 'base64' | undefined
  readonly prefix?: string | undefined
}

/** How a family sends its callbacks. */
export interface DeliveryPolicy {
  /** Backoff: the pauses before the second, third … attempt, on the account's clock. */
  readonly retryDelaysMs: readonly number[]
  /** How long a receiver has to answer, in real time. */
  readonly timeoutMs: Readonly<Record<'challenge' | 'delivery', number>>
  readonly signature?: CallbackSignature | undefined
}

/** Delivery as gaps F8, F10 and B17 have it. */
export const defaultDelivery: DeliveryPolicy = {
  retryDelaysMs: [1 * SECOND, 2 * SECOND, 4 * SECOND],
  timeoutMs: { challenge: 3 * SECOND, delivery: 5 * SECOND },
}
