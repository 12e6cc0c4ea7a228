import type { AccountEvent } from '../../core/account/settle.js'
import { accountIdOf } from '../../core/account/tag.js'
import type { CallbackRecord } from '../../core/callback/callback.js'
import { EmulatorError } from '../../core/emulator-error.js'
import type { Served } from '../../core/events.js'
import { redactedText } from '../../core/journal/redact.js'

/** What lines of the log say: never a key, a body, or the query of an address. */
export const callLine = ({ requestId, operation, account, method, status, durationMs }: Served) => ({
  request: requestId,
  operation: operation ?? null,
  account: accountIdOf(account),
  method,
  status,
  ms: Math.round(durationMs * 1_000) / 1_000,
})

export const changeLine = ({ id, detail, task }: AccountEvent, account: string) => ({
  id,
  account: accountIdOf(account),
  status: detail,
  ...(task === undefined ? {} : { family: task.family, model: task.model }),
})

export const callbackLine = (callback: CallbackRecord, detail: string, account: string) => {
  const last = callback.attempts.at(-1)
  const reason = callback.reason ?? last?.error
  return {
    id: callback.id,
    account: accountIdOf(account),
    outcome: detail,
    about: callback.status ?? 'challenge',
    receiver: hostOf(callback.url),
    attempts: callback.attempts.length,
    answer: last?.status ?? null,
    ...(reason === undefined ? {} : { reason: redactedText(reason, account) }),
  }
}

// Receivers are told who calls by paths and queries.
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '(no URL)')

export const errorLine = (error: unknown) => {
  if (!(error instanceof Error)) return { error: redactedText(String(error)) }
  const { name, message, stack = '', cause } = error
  return {
    error: name,
    message: redactedText(message),
    ...(error instanceof EmulatorError ? { code: error.code, hint: error.hint ?? null } : {}),
    stack: redactedText(stack),
    ...(cause instanceof Error ? { cause: redactedText(cause.message) } : {}),
  }
}
