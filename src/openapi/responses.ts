import type { Operation } from '../core/contract.js'
import type { ErrorSpec } from '../core/errors.js'
import { refTo } from '../core/json-schema.js'
import { json, type ResponseObject } from './objects.js'

/** A refusal of an operation: its name in the family's table, its status, and a body that tells it. */
interface RefusalDoc {
  readonly name: string
  readonly status: number
  readonly says: string
  readonly body: unknown
}

const EXAMPLE_ID = '01234567-89ab-cdef-0123-456789abcdef'

/** Refusals that an operation can answer with, from the error table of its family. */
export const refusalsOf = (
  { possibleErrors, raise }: Operation,
  errors: Readonly<Record<string, ErrorSpec>>,
): RefusalDoc[] =>
  possibleErrors.flatMap((name) => {
    const spec = errors[name]
    const { status, body } = raise(name, {}, EXAMPLE_ID)
    return spec === undefined ? [] : [{ name, status, says: spec.message, body }]
  })

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
