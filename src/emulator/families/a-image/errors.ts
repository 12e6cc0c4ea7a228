import type { WellKnownErrors } from '../../core/contract.js'
import type { ErrorSpec, Refusal } from '../../core/model/call.js'

/** Every refusal of the image operation (§Errors, gap A1). */
// biome-ignore format: one row a line
export const errors = {
  InvalidParameter: { status: 400, message: 'A request parameter is invalid' },
  ModelNotExist: { status: 400, code: 'InvalidParameter', message: 'Model not exist', isVerbatim: true },
  InvalidURL: { status: 400, message: 'An input image cannot be downloaded or read' },
  DataInspectionFailed: { status: 400, message: 'Input data may contain inappropriate content' },
  InvalidApiKey: { status: 401, message: 'Invalid API key provided' },
  RequestBodyTooLarge: { status: 413, message: 'The request body is too large' },
  'Throttling.RateQuota': { status: 429, message: 'Requests rate limit exceeded, please try again later' },
  'Throttling.AllocationQuota': { status: 429, message: 'Allocated quota exceeded: insufficient balance of images' },
  InternalError: { status: 500, message: 'An internal error has occurred, please try again later' },
  BadResponse: { status: 502, message: 'The upstream provider returned an abnormal response' },
  ServiceUnavailable: { status: 503, message: 'The upstream provider is temporarily unavailable' },
  model_not_found: { status: 503, message: 'There is no available channel for model', namesModel: true },
} satisfies Record<string, ErrorSpec>

export type ImageError = keyof typeof errors

/** The errors that every family has, by their names in A (gap A1). */
export const wellKnownErrors: WellKnownErrors<ImageError> = {
  unauthenticated: 'InvalidApiKey',
  unreadable: 'InvalidParameter',
  unsupported: 'InvalidParameter',
  'too-large': 'RequestBodyTooLarge',
  'rate-limited': 'Throttling.RateQuota',
  internal: 'InternalError',
  missing: 'InvalidParameter',
  invalid: 'InvalidParameter',
  'unknown-model': 'ModelNotExist',
}

/** The failure body: flat, with the request id first (§Errors, gap A1). */
export const errorBody = (refusal: Refusal<ImageError>, requestId: string, row: ErrorSpec) => {
  const message = `${refusal.message ?? row.message}.`
  return { request_id: requestId, code: row.code ?? refusal.error, message }
}
