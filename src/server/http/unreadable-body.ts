import type { Body, Decision, Operation, Standing } from '../../core/operation.js'
import { type EarlyRefusal, refusedEarly } from './refused-early.js'

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
  const refuse = (standing: Standing, refusal: EarlyRefusal) =>
    refusedEarly(operation, standing, refusal, requestId)
  switch (body.kind) {
    case 'unreadable':
      return refuse('unreadable', { ...readableBody(operation), ...sized(bytes), message: body.detail })
    case 'too-large':
      return refuse('too-large', {
        rule: 'body-size',
        place: placeOfBodySize(operation.section),
        ...sized(bytes),
        allowed: `at most ${body.limit} bytes`,
        message: body.detail ?? largerThan(body.limit),
      })
    case 'busy':
      return refuse('rate-limited', {
        rule: 'room-for-body',
        place: 'docs/operations.md',
        message: body.detail,
        retryAfterSeconds: 1,
      })
    case 'not-kept':
      return refuse('internal', {
        rule: 'body-can-be-kept',
        place: 'docs/operations.md',
        message: body.detail,
      })
    case 'unsupported':
      return refuse('unsupported', {
        rule: 'body-is-json',
        place: 'defaults C12',
        field: 'Content-Type',
        found: body.contentType,
        allowed: 'application/json',
        message: `The request body must be JSON (application/json), found ${body.contentType}`,
      })
    default:
      return undefined
  }
}

const readableBody = ({ form, section }: Operation): EarlyRefusal =>
  form === undefined
    ? { rule: 'body-is-json', place: 'defaults X8', allowed: 'JSON' }
    : {
        rule: 'body-is-form',
        place: `§${section} Upload`,
        allowed: 'a form (multipart/form-data) with one file',
      }

// Not the body itself: what cannot be read cannot be freed of what nobody is to see.
const sized = (bytes: number): { found?: string } => (bytes > 0 ? { found: `${bytes} bytes` } : {})

/** Where the limit of a chapter's bodies stands. */
export const placeOfBodySize = (section: string): string => placeOfSize[section] ?? 'defaults Z7'

const placeOfSize: Readonly<Record<string, string>> = {
  ...{ A: 'defaults A7', A2: 'defaults A7' },
  ...{ C: 'defaults Z24', E: 'defaults Z24' },
  ...{ D: 'defaults D7', F: 'defaults F16' },
}

const largerThan = (limit: number): string =>
  `The request body is larger than ${limit} bytes; send large media as URLs`
