import type { CallbackRecord } from '../../core/callback/callback.js'

/** What a line or an event says of a callback. */
export interface CallbackFacts {
  readonly task: string
  /** `challenge`, or the status that is reported. */
  readonly about: string
  /** Without user, password and query: receivers are told who calls by them. */
  readonly url: string
  /** How often it was sent. */
  readonly attempts: number
  /** The receiver's HTTP status at the last attempt; null when it gave none. */
  readonly answer: number | null
  /** Why it did not arrive; null when it did, or has yet to. */
  readonly reason: string | null
}

export const callbackFacts = (callback: CallbackRecord): CallbackFacts => {
  const last = callback.attempts.at(-1)
  return {
    task: callback.taskId,
    about: callback.status ?? 'challenge',
    url: withoutSecrets(callback.url),
    attempts: callback.attempts.length,
    answer: last?.status ?? null,
    reason: callback.reason ?? last?.error ?? null,
  }
}

const withoutSecrets = (url: string): string => {
  if (!URL.canParse(url)) return '(no URL)'
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
