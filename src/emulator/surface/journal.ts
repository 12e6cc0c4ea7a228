/** Journal: the entries of calls, what of them is secret, and the JSON that their bodies are. Loads no schema. */
export { HTTP_TOKEN, PAGE_PATH } from '../core/http.js'
export {
  answerText,
  type ControlRecord,
  connectionOutcomeOf,
  IDEMPOTENCY_KEY,
  type InitialState,
  type JournalEntry,
} from '../core/journal/entry.js'
export {
  isSecretName,
  KEY_PLACEHOLDER,
  mapTexts,
  namesSecret,
  redactedHeaders,
  redactedText,
  withoutKey,
  withoutTokens,
} from '../core/journal/redact.js'
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
