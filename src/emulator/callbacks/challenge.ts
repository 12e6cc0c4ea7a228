import { type AttemptResult, challengeProblem } from '../core/callback/attempts.js'
import type { EarlyChallenge, Handshake, OwedChallenge } from '../core/contract.js'
import { type Instant, SECOND } from '../core/schedule/time.js'
import { type CallbackHttpClient, DELIVERY_ID_HEADER } from './http-client.js'
import { signatureHeaders } from './signature.js'

interface ChallengeParts {
  readonly httpClient: CallbackHttpClient
  /** Time limits as the settings scale them. */
  readonly scaled: (ms: number) => number
  readonly systemNow: () => number
}

/** Sends the challenge of a task that is not made yet, signed as other messages are, and says what became of it. */
export const createSendChallenge =
  ({ httpClient, scaled, systemNow }: ChallengeParts) =>
  async (
    { url, timeoutMs, signature }: OwedChallenge,
    { text: challenge, id }: EarlyChallenge,
    now: Instant,
  ): Promise<Handshake> => {
    const sent = { challenge }
    const body = JSON.stringify(sent)
    const seconds = Math.floor(systemNow() / SECOND)
    const headers = {
      'Content-Type': 'application/json',
      [DELIVERY_ID_HEADER]: id,
      ...(signature === undefined ? {} : signatureHeaders(signature, { id, seconds, body })),
    }
    const call = httpClient.send(new URL(url), headers, body, scaled(timeoutMs))
    const result: AttemptResult = { ...(await call.result), sent }
    const { sent: _, ...attempt } = result
    return { challenge, attempt: { at: now, ...attempt }, problem: challengeProblem(challenge, result) }
  }
