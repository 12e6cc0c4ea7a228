import { randomUUID } from 'node:crypto'

/**
 * Random request id of an answer that is in no account's journal: of a protocol error, a CORS preflight or the control API.
 * No account counts it, so that the ids of an account repeat whatever else was requested.
 */
export const randomRequestId = (): string => randomUUID()
