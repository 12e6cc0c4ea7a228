import type { OperationObject, Parameter, Paths, ResponseObject } from '../openapi.js'
import { pathParameters } from '../openapi.js'

const PATH = '/results/{account}/{task_id}/{file}'

const query: readonly Parameter[] = [
  {
    name: 'Expires',
    in: 'query',
    required: true,
    description: 'Unix seconds',
    schema: { type: 'integer' },
  },
  { name: 'Signature', in: 'query', required: true, schema: { type: 'string' } },
]

const bytes: ResponseObject['content'] = Object.fromEntries(
  ['image/png', 'video/mp4'].map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
)

const xml = (description: string): ResponseObject => ({
  description,
  content: { 'application/xml': { schema: { type: 'string' } } },
})

/** The result files, whose whole address answers name (gap X9). */
export const resultPaths: Paths = Object.fromEntries([
  [
    PATH,
    {
      get: {
        operationId: 'results.download',
        summary: 'Get a result by the address that an answer named',
        description: 'HEAD works as well. The address is used as it is: the signature is over all of it.',
        tags: ['Results'],
        security: [],
        parameters: [...pathParameters(PATH), ...query],
        responses: {
          200: { description: 'The picture or the video, with an ETag.', content: bytes },
          206: { description: 'The range of it that was asked for.', content: bytes },
          403: xml('`AccessDenied`: the address has expired, or its signature is wrong.'),
          404: xml('`NoSuchKey`: the task was removed.'),
          416: { description: 'There is no such range.' },
        },
      } satisfies OperationObject,
    },
  ],
])
