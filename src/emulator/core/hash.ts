import crypto from 'node:crypto'

/**
 * Hash of a text or bytes, in one call. Node has the function from 20.12 on: imported by its name, an older Node would end with
 * a SyntaxError before the package can say which one it needs.
 */
export const hash = crypto.hash
