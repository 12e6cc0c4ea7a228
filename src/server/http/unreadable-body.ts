import type { Body, Decision, FailureKind, Operation } from '../../core/operation.js'
import type { StatedRule } from '../../core/rule.js'
import { bodyCanBeKept, bodyIsReadable, bodySize, contentType, roomForBody } from './early-rules.js'
import { type PrecheckRefusal, precheckRefusal } from './refused-early.js'

/**
 * The family's answer to a body that an operation cannot even look at; undefined where it can.
 * @param bytes of the body, as far as they are known
 */
export const unreadableBody = (
  operation: Operation,
  body: Body,
  bytes: number,
  requestId: string,
): Decision | undefined => {
  const refuse = (standing: FailureKind, rule: StatedRule, refusal: PrecheckRefusal) =>
    precheckRefusal(operation, standing, rule, refusal, requestId)
  switch (body.kind) {
    case 'unreadable':
      return refuse('unreadable', bodyIsReadable(operation), {
        allowed: operation.form === undefined ? 'JSON' : 'a form (multipart/form-data) with one file',
        ...sized(bytes),
        message: body.detail,
      })
    case 'too-large':
      return refuse('too-large', bodySize(operation), {
        ...sized(bytes),
        allowed: `at most ${body.limit} bytes`,
        message: body.detail ?? largerThan(body.limit),
      })
    case 'busy':
      return refuse('rate-limited', roomForBody, { message: body.detail, retryAfterSeconds: 1 })
    case 'not-kept':
      return refuse('internal', bodyCanBeKept, { message: body.detail })
    case 'unsupported':
      return refuse('unsupported', contentType, {
        field: 'Content-Type',
        found: body.contentType,
        allowed: 'application/json',
        message: `The request body must be JSON (application/json), found ${body.contentType}`,
      })
    default:
      return undefined
  }
}

// Not the body itself: what cannot be read cannot be freed of what nobody is to see.
const sized = (bytes: number): { found?: string } => (bytes > 0 ? { found: `${bytes} bytes` } : {})

const largerThan = (limit: number): string =>
  `The request body is larger than ${limit} bytes; send large media as URLs`
