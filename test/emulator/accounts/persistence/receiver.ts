import type { CallbackHttpClient, OutboundCall } from '../../../../src/emulator/callbacks/http-client.js'

export interface Sent {
  readonly id: string
  readonly body: { readonly status?: string; readonly challenge?: string }
}

/** A receiver in memory: passes the handshake, and answers 200 unless it is told to keep silent. */
export const createReceiver = ({ isSilent = (_: Sent): boolean => false } = {}) => {
  const sent: Sent[] = []
  const post: CallbackHttpClient = {
    send: (_url, headers, text): OutboundCall => {
      const body = JSON.parse(text)
      const one = { id: headers['X-Backlot-Delivery-Id'] ?? '', body }
      sent.push(one)
      const answer = JSON.stringify(body.challenge === undefined ? {} : { challenge: body.challenge })
      const answered = { outcome: 'answered', status: 200, answer, durationMs: 1 } as const
      return {
        result: isSilent(one) ? new Promise(() => {}) : Promise.resolve(answered),
        abort: () => {},
      }
    },
    stop: () => {},
  }
  return { sent, post }
}
