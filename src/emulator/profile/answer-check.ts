import type { AnyFamily } from '../core/contract.js'
import type { Diagnostic, Path } from '../core/diagnostics.js'
import { fieldPath } from '../core/fields.js'
import { type JsonSchema, toJsonSchema } from '../core/json-schema.js'
import { statesOf } from '../core/model/task.js'
import { RESULTS, ROUTES } from '../core/scenario/selector.js'
import { suggestion } from '../core/suggest.js'
import { createRegistry, isTaskFamily, type Registry } from '../families/registry.js'
import { answerKey, REFUSAL, UNKNOWN_PATH } from './answers.js'
import type { AnswerChange, Profile, RouteRow } from './schema.js'
import { templatePaths } from './templates.js'

/** States of an upload's job, by the words that keys under `answers` use. */
const assetStates = ['pending', 'succeeded', 'failed'] as const

type PlaceText = (path: Path) => string

/** What is wrong with the rows under `answers`: names that there are not, and fields that two of them would write. */
export const answerDiagnostics = (
  { answers = {}, routes = [] }: Profile,
  families: readonly AnyFamily[],
  placeOf: PlaceText,
): Diagnostic[] => {
  if (Object.keys(answers).length === 0) return []
  const registry = createRegistry(families)
  const patterns = patternsOf(registry)
  return Object.entries(answers).flatMap(([key, change]) => {
    const path = ['answers', key]
    const { pattern, condition } = answerKey(key)
    if (!patterns.includes(pattern)) {
      const message = `there is no operation ${JSON.stringify(pattern)}${suggestion(pattern, patterns)}`
      return [{ path, isKey: true, message }]
    }
    const conditions = conditionsOf(pattern, registry)
    if (condition !== undefined && !conditions.includes(condition)) {
      const message = `${pattern} has neither a state nor an error ${JSON.stringify(condition)}${suggestion(condition, conditions)}`
      return [{ path, isKey: true, message }]
    }
    return [
      ...fileDiagnostics(pattern, change, registry, path),
      ...textDiagnostics(
        routes.find(({ id }) => pattern === `${ROUTES}.${id}`),
        change,
        path,
      ),
      ...fieldDiagnostics(schemasOf(pattern, condition, registry), change, path, placeOf),
    ]
  })
}

const patternsOf = ({ operations, families }: Registry): string[] => [
  '*',
  ...operations.map(({ id }) => id),
  ...families.flatMap((family) =>
    isTaskFamily(family) && family.callback !== undefined ? [`${family.id}.callback`] : [],
  ),
  ...families.map(({ id }) => `${id}.*`),
  `${RESULTS}.download`,
  UNKNOWN_PATH,
]

const conditionsOf = (pattern: string, { families }: Registry): string[] => {
  const id = pattern.split('.')[0]
  const about = families.filter((family) => pattern === '*' || family.id === id)
  return [
    REFUSAL,
    ...new Set(
      about.flatMap((family) => [
        ...(isTaskFamily(family) ? statesOf(family) : assetStates),
        ...Object.keys(family.errors),
      ]),
    ),
  ]
}

const fileDiagnostics = (
  pattern: string,
  { headers: _, ...others }: AnswerChange,
  { fileOperations }: Registry,
  path: Path,
): Diagnostic[] => {
  const keys = Object.keys(others)
  if (!fileOperations.includes(pattern) || keys.length === 0) return []
  return [
    {
      path,
      isKey: true,
      message: `${pattern} answers a file, of which only the headers can be changed, found ${keys.join(', ')}`,
    },
  ]
}

/** Fields of a route whose answer has none: a text or a file. */
const textDiagnostics = (
  route: RouteRow | undefined,
  { headers: _, status: __, ...fields }: AnswerChange,
  path: Path,
): Diagnostic[] => {
  const { text, file } = route?.answer ?? {}
  const keys = Object.keys(fields)
  if (keys.length === 0 || (text === undefined && file === undefined)) return []
  const kind = text === undefined ? 'a file' : 'a text'
  const message = `${ROUTES}.${route?.id} answers ${kind}, of which status and headers can be changed, found ${keys.join(', ')}`
  return [{ path, isKey: true, message }]
}

/**
 * Schemas of the answers that a row is about; none where they are of no known shape. Operations on one route count together:
 * their clients read the same path, and may meet the fields of each.
 */
const schemasOf = (
  pattern: string,
  condition: string | undefined,
  { families, operations }: Registry,
): JsonSchema[] => {
  const [id = '', verb = ''] = pattern.split('.')
  const family = families.find((one) => one.id === id)
  if (family === undefined) return []
  const isRefusal =
    condition === REFUSAL || (condition !== undefined && Object.hasOwn(family.errors, condition))
  const route = operations.find((operation) => operation.id === pattern)?.route
  const beside = operations.filter(
    (operation) =>
      route !== undefined && operation.route.method === route.method && operation.route.path === route.path,
  )
  const about = families.filter((one) => one === family || beside.some((other) => other.family === one.id))
  const names = about.flatMap(({ api }) => {
    if (isRefusal) return [api.error]
    if (verb === '*') return Object.values(api.operations).map(({ response }) => response)
    return [api.operations[verb === 'callback' ? 'read' : verb]?.response]
  })
  const responses = Object.assign({}, ...families.map((one) => one.api.responses))
  return names.flatMap((name) =>
    name === undefined || responses[name] === undefined ? [] : [toJsonSchema(responses[name], 'output')],
  )
}

const fieldDiagnostics = (
  schemas: readonly JsonSchema[],
  { remove = [], rename = {}, move = {}, set = {}, wrap }: AnswerChange,
  at: Path,
  placeOf: PlaceText,
): Diagnostic[] => {
  const found: Diagnostic[] = []
  const taken = new Map<string, Path>()
  const take = (field: string, path: Path): void => {
    const removed = [...taken].find(([around]) => remove.includes(around) && isWithin(field, around))
    const other = taken.get(field) ?? removed?.[1]
    if (other !== undefined)
      found.push({ path, isKey: true, message: `${field} is taken away at ${placeOf(other)} too` })
    taken.set(field, path)
  }
  // Taken away by this row, so that others can stand in their place.
  const gone = new Set([...remove, ...Object.keys(rename), ...Object.keys(move)])
  const written = new Map<string, Path>()
  // In the order in which they are written: what stands within a field is lost with what it held.
  const write = (field: string, path: Path): void => {
    const other = written.get(field) ?? [...written].find(([inner]) => isWithin(inner, field))?.[1]
    if (other !== undefined) found.push({ path, message: `${field} is written at ${placeOf(other)} too` })
    written.set(field, path)
  }
  const mustExist = (field: string, path: Path): void => {
    const message = missingField(schemas, field)
    if (message !== undefined) found.push({ path, isKey: true, message })
  }
  for (const [index, field] of remove.entries()) {
    take(field, [...at, 'remove', index])
    const message = missingField(schemas, field)
    if (message !== undefined) found.push({ path: [...at, 'remove', index], message })
  }
  const newPlaces = [
    ...Object.entries(rename).map(
      ([field, name]) => ['rename', field, field.replace(/[\w$-]+$/, name)] as const,
    ),
    ...Object.entries(move).map(([field, to]) => ['move', field, to] as const),
  ]
  for (const [key, field, target] of newPlaces) {
    const path = [...at, key, field]
    take(field, path)
    mustExist(field, path)
    write(target, path)
    const isThere = schemas.some((schema) => hasField(schema, fieldPath(target)) === 'yes')
    if (isThere && !gone.has(target))
      found.push({
        path,
        message: `the answer has a field ${target} already, which ${field} would replace: remove, rename or move that too`,
      })
  }
  if (typeof wrap === 'string') {
    // Fields that were written so far stand within it now.
    written.clear()
    written.set(`${wrap}.`, [...at, 'wrap'])
  }
  for (const [field, value] of Object.entries(set)) {
    write(field, [...at, 'set', field])
    for (const named of templatePaths(value)) {
      const message = missingField(schemas, named)
      if (message !== undefined) found.push({ path: [...at, 'set', field], message })
    }
  }
  return found
}

/** Whether the path of a field leads into another one. */
const isWithin = (path: string, around: string): boolean =>
  path.startsWith(around) && /^[.[]/.test(path.slice(around.length))

/** Message about a field that none of the answers has, or undefined where one has it, or it is not known. */
const missingField = (schemas: readonly JsonSchema[], field: string): string | undefined => {
  const steps = fieldPath(field)
  if (schemas.length === 0 || schemas.some((schema) => hasField(schema, steps) !== 'no')) return undefined
  const possible = [...new Set(schemas.flatMap((schema) => fieldsOf(schema, steps.slice(0, -1))))]
  return `the answer has no field ${field}${suggestion(String(steps.at(-1)), possible)}`
}

type Has = 'yes' | 'no' | 'unknown'

const variantsOf = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema): readonly JsonSchema[] => [
  ...anyOf,
  ...oneOf,
  ...allOf,
]

const hasField = (schema: JsonSchema, [step, ...rest]: readonly (string | number)[]): Has => {
  if (step === undefined) return 'yes'
  const variants = variantsOf(schema).map((variant) => hasField(variant, [step, ...rest]))
  if (variants.includes('yes')) return 'yes'
  const isItem = typeof step === 'number' || step === '[]'
  const inner = isItem ? schema.items : schema.properties?.[step]
  if (inner !== undefined) return hasField(inner, rest)
  if (variants.includes('unknown')) return 'unknown'
  const isKnown = schema.properties !== undefined || schema.items !== undefined || variants.length > 0
  return isKnown || (schema.type !== undefined && schema.type !== 'object') ? 'no' : 'unknown'
}

/** Names of the fields of an object within an answer. */
const fieldsOf = (schema: JsonSchema, steps: readonly (string | number)[]): string[] => {
  const [step, ...rest] = steps
  const variants = variantsOf(schema).flatMap((variant) => fieldsOf(variant, steps))
  if (step === undefined) return [...Object.keys(schema.properties ?? {}), ...variants]
  const inner = typeof step === 'number' || step === '[]' ? schema.items : schema.properties?.[step]
  return inner === undefined ? variants : [...fieldsOf(inner, rest), ...variants]
}
