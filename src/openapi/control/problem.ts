import { refTo } from '../json-schema.js'
import { json, type ResponseObject } from '../openapi.js'

/** What the paths of the control API begin with. */
export const ROOT = '/_backlot'

/** Every refusal of the control API. */
export const problem: ResponseObject = {
  description: 'It could not be done.',
  content: json(refTo('ControlProblem')),
}
