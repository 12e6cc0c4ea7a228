import type { WellKnownErrors } from '../../core/contract.js'
import type { ErrorSpec, Refusal } from '../../core/model/call.js'

const INVALID_PARAMS = 2013

/** Every refusal of the second-generation interface and every failure of its tasks (gap F, F14, F16, X4, Z31). */
// biome-ignore format: one row a line
export const errors = {
  bad_request_error: { status: 400, number: INVALID_PARAMS, message: 'a parameter is missing or not valid' },
  unknown_model: { status: 400, type: 'bad_request_error', number: INVALID_PARAMS, message: 'the model does not exist' },
  authorized_error: { status: 401, number: 1004, message: 'The API key is missing or invalid' },
  insufficient_balance_error: { status: 402, number: 1008, message: 'The account has an insufficient balance' },
  request_too_large: { status: 413, type: 'bad_request_error', message: 'The request body is too large' },
  unprocessable_entity_error: { status: 422, number: 1026, message: 'The content may be sensitive' },
  rate_limit_error: { status: 429, number: 1002, message: 'The rate limit is exceeded, please try again later' },
  server_error: { status: 500, number: 1000, message: 'The service encountered an internal error' },
  overloaded_error: { status: 529, message: 'The service is overloaded, please try again later' },
} satisfies Record<string, ErrorSpec>

export type VideoError = keyof typeof errors

/** The errors that every family has, by their names in F (§F errors). */
export const wellKnownErrors: WellKnownErrors<VideoError> = {
  unauthenticated: 'authorized_error',
  unreadable: 'bad_request_error',
  unsupported: 'bad_request_error',
  'too-large': 'request_too_large',
  'rate-limited': 'rate_limit_error',
  internal: 'server_error',
  missing: 'bad_request_error',
  invalid: 'bad_request_error',
  'unknown-model': 'unknown_model',
}

/** The error body of F: the status as a string, and a number in brackets at the end of the message (gap F). */
export const errorBody = (refusal: Refusal<VideoError>, requestId: string, row: ErrorSpec) => {
  return {
    type: 'error',
    error: {
      type: row.type ?? refusal.error,
      message: numbered(refusal.message ?? row.message, row.number, refusal.field),
      http_code: String(row.status),
    },
    request_id: requestId,
  }
}

/** 413 and 529 have no number, and their messages end without one. */
const numbered = (message: string, number: number | undefined, field: string | undefined): string => {
  if (number === undefined) return message
  if (number !== INVALID_PARAMS) return `${message} (${number})`
  // The name of a field that the client made up may begin with a capital, and stays as it was written. That of the body is empty.
  const isNamed = field ? message.startsWith(field) : false
  const clause = isNamed ? message : message.charAt(0).toLowerCase() + message.slice(1)
  return `invalid params, ${clause} (${number})`
}

/** Error object of a failed task: the number as a string, or the status where an error has no number (gap F4). */
export const failureOf = ({
  code,
  number,
  status,
  message,
}: ErrorSpec): { code: string; message: string } => ({
  code: code ?? String(number ?? status),
  message,
})

/** Unknown, another account's, or older than 7 days (gap F14). */
export const notFound = (id: string): Refusal<VideoError> => ({
  error: 'bad_request_error',
  field: 'task_id',
  found: id,
  allowed: 'a task of this account from the last 7 days',
  message: 'invalid task_id',
})
