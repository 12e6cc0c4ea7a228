import {
  asDecision,
  type Decision,
  type FailureKind,
  noMeta,
  type Operation,
  type StatedRule,
} from '../core/contract.js'
import type { Body, RefusalDetails, Reply } from '../core/model/call.js'
import { ruleRef } from '../core/task/refusals.js'

// biome-ignore format: one row a line
const rules = {
  credentials: { id: 'credentials', says: 'The call carries the key of an account.', place: 'docs/families/every-family.md#authentication, docs/gaps.md#x1' },
  contentType: { id: 'content-type', says: 'The body is not said to be a form.', place: 'docs/gaps.md#c12' },
  bodyIsJson: { id: 'body-is-json', says: 'The body is JSON and not compressed.', place: 'docs/gaps.md#x8' },
  memoryForBody: { id: 'room-for-body', says: 'There is room to read one more body, and for the account of the call.', place: 'docs/operations.md' },
  bodyCanBeKept: { id: 'body-can-be-kept', says: 'The emulator can store the body, if it has to.', place: 'docs/operations.md' },
} satisfies Readonly<Record<string, StatedRule>>

/** A form for uploads, and JSON for everything else. */
const bodyIsReadable = ({ form, family }: Operation): StatedRule => {
  const says = 'The body is a form (multipart/form-data) with one file.'
  return form === undefined
    ? rules.bodyIsJson
    : { id: 'body-is-form', says, place: `docs/families/${family}.md#upload` }
}

const bodySize = ({ bodySizeRef }: Operation): StatedRule => ({
  id: 'body-size',
  says: 'The body has at most the bytes that the settings allow.',
  place: bodySizeRef ?? 'docs/gaps.md#z7',
})

/** Prechecks of an operation: what calls are refused for before they are decided, their key or a body that cannot be read. */
export const precheckRules = (operation: Operation): readonly StatedRule[] => {
  const credentials = operation.needsKey ? [rules.credentials] : []
  if (operation.route.method !== 'POST') return credentials
  return [
    ...credentials,
    ...(operation.form === undefined ? [rules.contentType] : []),
    bodyIsReadable(operation),
    bodySize(operation),
    rules.memoryForBody,
    rules.bodyCanBeKept,
  ]
}

/** The family's answer to a call without a valid key. The received key is not shown. */
export const credentialRefusal = (operation: Operation, message: string, requestId: string): Decision => {
  const refusal = { field: 'Authorization', allowed: 'Bearer and the key of an account', message }
  return precheckRefusal(operation, 'unauthenticated', rules.credentials, refusal, requestId)
}

const precheckRefusal = (
  operation: Operation,
  kind: FailureKind,
  rule: StatedRule,
  refusal: RefusalDetails,
  requestId: string,
): Decision => {
  const { message, retryAfterSeconds } = refusal
  // The answer has the words alone: no field of a body is at fault.
  const reply = operation.refuse(kind, { message, retryAfterSeconds }, requestId)
  const error = operation.wellKnownErrors[kind]
  const refusedBy = [{ ...refusal, error, ...ruleRef(operation.family, rule) }]
  return asDecision(reply, { ...noMeta, refusedBy })
}

/** The family's answer, by the request id, to a body that an operation cannot look at; undefined if it can. */
export const unreadableBody = (
  operation: Operation,
  body: Body,
  bytes: number,
): ((requestId: string) => Decision) | undefined => {
  const refuse = (kind: FailureKind, rule: StatedRule, refusal: RefusalDetails) => (requestId: string) =>
    precheckRefusal(operation, kind, rule, refusal, requestId)
  switch (body.kind) {
    case 'unreadable':
      return refuse('unreadable', bodyIsReadable(operation), {
        allowed: operation.form === undefined ? 'JSON' : 'a form (multipart/form-data) with one file',
        ...foundBytes(bytes),
        message: body.detail,
      })
    case 'too-large':
      return refuse('too-large', bodySize(operation), {
        ...foundBytes(bytes),
        allowed: `at most ${body.limit} bytes`,
        message:
          body.detail ?? `The request body is larger than ${body.limit} bytes; send large media as URLs`,
      })
    case 'busy':
      if (body.isTooLarge) return refuse('too-large', rules.memoryForBody, { message: body.detail })
      return refuse('rate-limited', rules.memoryForBody, { message: body.detail, retryAfterSeconds: 1 })
    case 'not-kept':
      return refuse('internal', rules.bodyCanBeKept, { message: body.detail })
    case 'unsupported':
      return refuse('unsupported', rules.contentType, {
        field: 'Content-Type',
        found: body.contentType,
        allowed: 'application/json',
        message: `The request body must be JSON (application/json), found ${body.contentType}`,
      })
    default:
      return undefined
  }
}

// Not the body itself: the credentials in a body that cannot be parsed cannot be redacted.
const foundBytes = (bytes: number): { found?: string } => (bytes > 0 ? { found: `${bytes} bytes` } : {})

/** The answer to a path, or to a method on a path, that the service does not have (gap X7). */
export const unknownPath = (method: string, path: string): Reply => ({
  status: 404,
  body: {
    error: { message: `Invalid URL (${method} ${path})`, type: 'invalid_request_error', param: '', code: '' },
  },
})
