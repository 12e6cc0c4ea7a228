import { type AttemptResult, challengeProblem } from '../core/callback/attempts.js'
import type { Handshake, OwedChallenge } from '../core/contract.js'
import type { Instant } from '../core/schedule/time.js'
import type { CallbackHttpClient } from './http-client.js'

/**
 * Sends the challenge of a task that is not made yet, and says what became of it.
 * @param scaled time limits as the settings scale them
 */
export const createSendChallenge =
  (httpClient: CallbackHttpClient, scaled: (ms: number) => number) =>
  async ({ url, timeoutMs }: OwedChallenge, challenge: string, now: Instant): Promise<Handshake> => {
    const sent = { challenge }
    const headers = { 'Content-Type': 'application/json' }
    const call = httpClient.send(new URL(url), headers, JSON.stringify(sent), scaled(timeoutMs))
    const result: AttemptResult = { ...(await call.result), sent }
    const { sent: _, ...attempt } = result
    return { challenge, attempt: { at: now, ...attempt }, problem: challengeProblem(challenge, result) }
  }
