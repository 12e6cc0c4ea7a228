import type { CallbackHttpClient, Sent } from '../callbacks/http-client.js'
import { DELIVERY_ID_HEADER } from '../callbacks/message.js'
import type { CallbackLine, NumberedLine } from './format.js'

/**
 * Recorded callback receivers: an HTTP client that answers callbacks as their receivers did, without a network. Callbacks
 * that were not recorded are accepted.
 */
export const createRecordedReceivers = (lines: readonly NumberedLine[]): CallbackHttpClient => {
  const callbacks = new Map<string, CallbackLine>()
  for (const { line } of lines) if (line.kind === 'callback') callbacks.set(line.id, line)
  const tries = new Map<string, number>()
  return {
    send: (_url, headers, text) => {
      const id = headers[DELIVERY_ID_HEADER] ?? ''
      const nth = tries.get(id) ?? 0
      tries.set(id, nth + 1)
      return { result: Promise.resolve(answerOf(callbacks.get(id), nth, text)), abort: () => {} }
    },
    stop: () => {},
  }
}

const answerOf = (callback: CallbackLine | undefined, nth: number, text: string): Sent => {
  const attempt = callback?.attempts[nth]
  if (attempt === undefined) return { outcome: 'answered', status: 200, answer: text, durationMs: 0 }
  const { outcome, status } = attempt
  // A challenge passes when its body comes back.
  const answer = callback?.state === 'delivered' ? text : ''
  return {
    outcome,
    durationMs: 0,
    ...(status === undefined ? {} : { status }),
    ...(outcome === 'answered'
      ? { answer }
      : { error: callback?.reason ?? 'It did not arrive when it was recorded.' }),
  }
}
