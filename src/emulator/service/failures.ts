import { EmulatorError } from '../core/errors.js'
import type { RefusalDetails, Reply } from '../core/model/call.js'
import type { DecidedExchange, ServiceOperation } from './exchange.js'
import type { FileErrorReply } from './files.js'
import { plainError } from './identify.js'

/** The family's words for a file that cannot be sent (gap Z24), unless the operation has its own. */
export const fileErrorOf = ({ operation, requestId }: DecidedExchange): FileErrorReply =>
  operation?.fileError ??
  ((cause, isBusy) =>
    internalError(operation, { ...causeOf(cause), ...(isBusy ? { retryAfterSeconds: 1 } : {}) }, requestId))

/** Internal error in the format of an operation, or of unknown paths where the service has no such operation (gap X7). */
export const internalError = (
  operation: ServiceOperation | undefined,
  details: RefusalDetails,
  requestId: string,
): Reply => operation?.refuse('internal', details, requestId) ?? plainFailure(details.message)

export const plainFailure = (message = 'The call could not be answered'): Reply => ({
  status: 500,
  body: plainError(message, 'server_error'),
})

/** Message of an emulator error for the caller; empty: it is a bug. */
export const causeOf = (error: unknown): { message?: string } =>
  error instanceof EmulatorError ? { message: error.message.replace('\n', ' ').replace(/\.$/, '') } : {}
