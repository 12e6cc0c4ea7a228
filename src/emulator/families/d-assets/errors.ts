import type { FailureKind } from '../../core/contract.js'
import type { ErrorSpec, Refusal } from '../../core/model/call.js'

/** Every refusal of the asset library (gap D2, D6, D7, X5, Z23). The number in `code` is the HTTP status. */
export const errors = {
  InvalidParameter: { status: 400, message: 'invalid parameter' },
  Unauthorized: { status: 401, message: 'Unauthorized' },
  AgreementNotAccepted: { status: 403, message: 'asset library user agreement not accepted' },
  TaskNotFound: { status: 404, message: 'task not found' },
  RateLimited: { status: 429, message: 'too many requests, please try again later' },
  QuotaExceeded: { status: 429, message: 'the asset library of the account is full' },
  InternalError: { status: 500, message: 'internal error, please try again later' },
} satisfies Record<string, ErrorSpec>

export type AssetError = keyof typeof errors

// These are shown word for word (gap D6, Z23), whatever there would be to add.
const fixed: readonly AssetError[] = ['Unauthorized', 'AgreementNotAccepted', 'TaskNotFound']

/** The names of the library's errors for what every family must be able to say. */
export const wellKnownErrors: Readonly<Record<FailureKind, AssetError>> = {
  unauthenticated: 'Unauthorized',
  unreadable: 'InvalidParameter',
  unsupported: 'InvalidParameter',
  // The size of a file is refused as its other limits are (gap D7), so there is no 413 here.
  'too-large': 'InvalidParameter',
  'rate-limited': 'RateLimited',
  internal: 'InternalError',
}

/** The body of a refusal: the status again, no data, and the text under both names that clients read. */
export const errorBody = (
  refusal: Refusal<AssetError>,
  _requestId: string,
  { status, message }: ErrorSpec,
) => {
  const text = fixed.includes(refusal.error) ? message : (refusal.message ?? message)
  return { code: status, data: null, msg: text, message: text }
}
