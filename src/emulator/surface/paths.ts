/** Paths and requests of the control API. Nothing of Node is imported, so that a browser can load it. */
export { actionRequest } from '../client/action-request.js'
export { fillPath, paramNames, pathMatcher, percentDecoded } from '../core/model/path.js'
