/** Journal: the entries of calls, what of them is secret, and the JSON that their bodies are. Loads no schema. */
import {
  isSecretName,
  KEY_PLACEHOLDER,
  namesSecret,
  redactedHeaders,
  redactedText,
  withoutKey,
  withoutTokens,
} from '../core/journal/redact.js'

export { HTTP_TOKEN, PAGE_PATH } from '../core/http.js'
export {
  answerText,
  type ControlRecord,
  connectionOutcomeOf,
  IDEMPOTENCY_KEY,
  type InitialState,
  type JournalEntry,
} from '../core/journal/entry.js'
export { mapTexts } from '../core/journal/redact.js'
export { type Medium, type Sent, withoutMedia } from '../core/journal/sent.js'
export {
  beginningOf,
  exceedsJsonLimits,
  fieldOf,
  isRecord,
  isTooDeep,
  parseJson,
  shapeRefusals,
  shown,
  suggestingRefusals,
  textAt,
  valueAt,
} from '../core/request.js'

/** Redaction: what of a call is a secret, and texts and headers without it. */
export const redaction = {
  isSecretName,
  namesSecret,
  headers: redactedHeaders,
  text: redactedText,
  withoutKey,
  withoutTokens,
  keyPlaceholder: KEY_PLACEHOLDER,
} as const
