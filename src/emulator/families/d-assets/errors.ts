import type { FailureKind, Operation } from '../../core/contract.js'
import type { ErrorSpec, Refusal } from '../../core/model/call.js'
import { refusalReply } from '../../core/task/refusals.js'

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

const wellKnownErrors: Readonly<Record<FailureKind, AssetError>> = {
  unauthenticated: 'Unauthorized',
  unreadable: 'InvalidParameter',
  unsupported: 'InvalidParameter',
  // The size of a file is refused as its other limits are (gap D7), so there is no 413 here.
  'too-large': 'InvalidParameter',
  'rate-limited': 'RateLimited',
  internal: 'InternalError',
}

// These are shown word for word (gap D6, Z23), whatever there would be to add.
const fixed: readonly AssetError[] = ['Unauthorized', 'AgreementNotAccepted', 'TaskNotFound']

/** The body of a refusal: the status again, no data, and the text under both names that clients read. */
const errorBody = (refusal: Refusal<AssetError>) => {
  const { status, message } = errors[refusal.error]
  const text = fixed.includes(refusal.error) ? message : (refusal.message ?? message)
  return { code: status, data: null, msg: text, message: text }
}

/** The asset library as refusals need it. */
export const library = { id: 'd-assets', errors, wellKnownErrors, respond: { error: errorBody } }

/** Parts that the operations of the library share. */
export const shared = {
  family: library.id,
  section: 'D',
  wellKnownErrors,
  errors: Object.keys(errors),
  bodySizeRef: 'docs/families/d-assets.md#file, docs/gaps.md#d7',
  refuse: (kind, refusal, requestId) =>
    refusalReply(library, { ...refusal, error: wellKnownErrors[kind] }, requestId),
  raise: (error, refusal, requestId) => refusalReply(library, { ...refusal, error }, requestId),
} satisfies Partial<Operation>
