import type { Reply } from '../../core/operation.js'

/** The answer to a path, or to a method on a path, that the service does not have (gap X7). */
export const unknownPath = (method: string, path: string): Reply => ({
  status: 404,
  body: {
    error: { message: `Invalid URL (${method} ${path})`, type: 'invalid_request_error', param: '', code: '' },
  },
})
