import type { WellKnownErrors } from '../../core/contract.js'
import type { ErrorSpec, Refusal } from '../../core/model/call.js'
import { errors as taskErrors } from '../b-video-task/errors.js'

/** Every refusal on `/v1/videos`, the same for C and E (gap C5, C6, X4, X5, Z24, Z31). */
export const refusals = {
  invalid_request: { status: 400, message: 'The request is not valid' },
  unsupported_model: { status: 400, message: 'The model is not supported' },
  content_policy_violation: { status: 400, message: 'The content violates the content policy' },
  invalid_api_key: { status: 401, message: 'The API key is missing or invalid' },
  insufficient_user_quota: { status: 403, message: 'The account has an insufficient balance' },
  access_denied: { status: 403, message: 'The asset library user agreement is not accepted' },
  task_not_exist: { status: 404, message: 'The task does not exist' },
  request_too_large: { status: 413, message: 'The request body is too large' },
  unsupported_media_type: { status: 415, message: 'The request body must be JSON (application/json)' },
  rate_limit_exceeded: { status: 429, message: 'The rate limit is exceeded, please try again later' },
  internal_error: { status: 500, message: 'The service encountered an internal error' },
  model_not_found: { status: 503, message: 'There is no available channel for model', namesModel: true },
} satisfies Record<string, ErrorSpec>

export type VideosError = keyof typeof refusals

/** Refusals, and the words of B for tasks that do not succeed: B and C show the same tasks (gap C2, B4). */
export const errors = {
  ...refusals,
  InputImageSensitiveContentDetected: taskErrors.InputImageSensitiveContentDetected,
  InputVideoSensitiveContentDetected: taskErrors.InputVideoSensitiveContentDetected,
  InputAudioSensitiveContentDetected: taskErrors.InputAudioSensitiveContentDetected,
  OutputVideoSensitiveContentDetected: taskErrors.OutputVideoSensitiveContentDetected,
  OutputAudioSensitiveContentDetected: taskErrors.OutputAudioSensitiveContentDetected,
  InternalServiceError: taskErrors.InternalServiceError,
  TaskExpired: taskErrors.TaskExpired,
} satisfies Record<string, ErrorSpec>

export type VideoError = keyof typeof errors

/** The errors that every family has, by their names in C and E (gaps C6, Z24). */
export const wellKnownErrors: WellKnownErrors<VideosError> = {
  unauthenticated: 'invalid_api_key',
  unreadable: 'invalid_request',
  unsupported: 'unsupported_media_type',
  'too-large': 'request_too_large',
  'rate-limited': 'rate_limit_exceeded',
  internal: 'internal_error',
  missing: 'invalid_request',
  invalid: 'invalid_request',
  'unknown-model': 'unsupported_model',
}

const typeOfStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'server_error',
  503: 'server_error',
}

/** The error body in both shapes that clients read: at the top, and under `error` (gap C). */
export const errorBody = (refusal: Refusal<VideoError>, _requestId: string, row: ErrorSpec) => {
  const code = row.code ?? refusal.error
  const message = `${refusal.message ?? row.message}.`
  const type = row.type ?? typeOfStatus[row.status] ?? 'invalid_request_error'
  return { code, message, data: null, error: { message, type, code, param: null } }
}

/** Refusal of a task that cannot be queried (gap C5). */
export const notFound = (id: string): Refusal<VideosError> => ({
  error: 'task_not_exist',
  field: 'task_id',
  found: id,
  message: `The task ${id} does not exist, is older than 7 days, or belongs to another account`,
})
