import { refTo } from '../json-schema.js'
import { json, type ResponseObject } from '../openapi.js'
import type { RefusalDoc } from './refusals.js'

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

/** The answer when all is well: one schema for each operation that shares the route. */
export const accepted = (answers: readonly string[], says: string): ResponseObject => {
  const names = [...new Set(answers)]
  const schema = names.length === 1 ? refTo(names[0] as string) : { anyOf: names.map(refTo) }
  return { description: says, headers: requestId, content: json(schema) }
}

export const acceptedFile = (type: string, says: string): ResponseObject => ({
  description: says,
  headers: requestId,
  content: { [type]: { schema: { type: 'string', contentMediaType: type } } },
})

/** The refusals by status, each with what it looks like. */
export const refused = (
  refusals: readonly RefusalDoc[],
  problem: string,
): Readonly<Record<string, ResponseObject>> => {
  const statuses = [...new Set(refusals.map(({ status }) => status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      refusedWith(
        refusals.filter((one) => one.status === status),
        problem,
      ),
    ]),
  )
}

const refusedWith = (refusals: readonly RefusalDoc[], problem: string): ResponseObject => ({
  description: [...new Set(refusals.map(({ name, says }) => `\`${name}\`: ${says}.`))].join('\n\n'),
  headers: { ...requestId, ...(refusals.some(({ status }) => status === 429) ? retryAfter : {}) },
  content: json(
    refTo(problem),
    Object.fromEntries(refusals.map(({ name, says, body }) => [name, { summary: says, value: body }])),
  ),
})
