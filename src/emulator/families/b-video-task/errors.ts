import type { WellKnownErrors } from '../../core/contract.js'
import type { ErrorSpec, Refusal } from '../../core/model/call.js'

/** Every refusal of the task-style interface and every failure of its tasks (gap B4, B6 to B8, X4, X5). */
// biome-ignore format: one row a line
export const errors = {
  MissingParameter: { status: 400, message: 'A required parameter is missing' },
  InvalidParameter: { status: 400, message: 'A parameter specified in the request is not valid' },
  InputTextSensitiveContentDetected: { status: 400, message: 'The input text may contain sensitive content' },
  InputImageSensitiveContentDetected: { status: 400, message: 'An input image may contain sensitive content' },
  InputVideoSensitiveContentDetected: { status: 400, message: 'An input video may contain sensitive content' },
  InputAudioSensitiveContentDetected: { status: 400, message: 'An input audio may contain sensitive content' },
  OutputVideoSensitiveContentDetected: { status: 400, message: 'The output video may contain sensitive content' },
  OutputAudioSensitiveContentDetected: { status: 400, message: 'The output audio may contain sensitive content' },
  AuthenticationError: { status: 401, message: 'The API key is missing or invalid' },
  AccountOverdueError: { status: 403, message: 'The account has an insufficient balance' },
  'OperationDenied.AgreementNotAccepted': { status: 403, message: 'The asset library user agreement is not accepted' },
  'InvalidEndpointOrModel.NotFound': { status: 404, message: 'The model does not exist or cannot be used' },
  ResourceNotFound: { status: 404, message: 'The task does not exist' },
  'InvalidAction.RunningTaskDeletion': { status: 409, message: 'A running task cannot be deleted' },
  'InvalidAction.CancelledTaskDeletion': { status: 409, message: 'A cancelled task cannot be deleted' },
  RequestBodyTooLarge: { status: 413, message: 'The request body is too large' },
  'RateLimitExceeded.EndpointRPMExceeded': { status: 429, message: 'The requests per minute limit is exceeded' },
  SetLimitExceeded: { status: 429, message: 'The limit of tasks in flight is reached' },
  ServerOverloaded: { status: 429, message: 'The service is overloaded, please try again later' },
  InternalServiceError: { status: 500, message: 'The service encountered an unexpected internal error' },
  TaskExpired: { status: 400, message: 'The task did not finish in time and has expired' },
} satisfies Record<string, ErrorSpec>

export type TaskError = keyof typeof errors

/** The errors that every family has, by their names in B (gap B8). */
export const wellKnownErrors: WellKnownErrors<TaskError> = {
  unauthenticated: 'AuthenticationError',
  unreadable: 'InvalidParameter',
  unsupported: 'InvalidParameter',
  'too-large': 'RequestBodyTooLarge',
  'rate-limited': 'RateLimitExceeded.EndpointRPMExceeded',
  internal: 'InternalServiceError',
  missing: 'MissingParameter',
  invalid: 'InvalidParameter',
  'unknown-model': 'InvalidEndpointOrModel.NotFound',
}

const typeOfStatus: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'BadRequest',
  429: 'TooManyRequests',
  500: 'InternalServerError',
}

/** The error body of B: the message ends in the request id (gap B). */
export const errorBody = (refusal: Refusal<TaskError>, requestId: string, row: ErrorSpec) => {
  return {
    error: {
      code: row.code ?? refusal.error,
      message: `${refusal.message ?? row.message}. Request id: ${requestId}`,
      param: refusal.field ?? '',
      type: row.type ?? typeOfStatus[row.status] ?? 'BadRequest',
    },
  }
}

/** Refusal of a task that cannot be queried (gap B7). */
export const notFound = (id: string): Refusal<TaskError> => ({
  error: 'ResourceNotFound',
  field: 'id',
  found: id,
  message: `The task ${id} does not exist, is older than 7 days, or belongs to another account`,
})
