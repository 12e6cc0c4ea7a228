import { json, type OperationObject, type Paths, pathParameters } from '../openapi.js'
import { problem, ROOT } from './problem.js'

const parameters = pathParameters('/{name}')

const fixture: OperationObject = {
  operationId: 'fixtures.download',
  summary: 'A sample medium, under whatever host it is asked for',
  tags: ['Control'],
  security: [],
  parameters,
  responses: {
    200: { description: 'The file.', content: { '*/*': { schema: { type: 'string' } } } },
    '4XX': problem,
  },
}

const inbox: OperationObject = {
  operationId: 'inbox.receive',
  summary: 'The built-in callback receiver: gives a challenge back, and keeps anything else',
  tags: ['Control'],
  security: [],
  parameters,
  requestBody: { required: true, content: json({ type: 'object' }) },
  responses: {
    200: { description: 'Kept, or the challenge.', content: json({ type: 'object' }) },
    '4XX': problem,
  },
}

/** What the control API serves that is no action. */
export const filePaths: Paths = {
  [`${ROOT}/fixtures/{name}`]: { get: fixture },
  [`${ROOT}/inbox/{name}`]: { post: inbox },
}
