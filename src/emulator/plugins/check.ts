import { z } from 'zod'
import type { AnyFamily, AnyTaskFamily, Operation } from '../core/contract.js'
import { states } from '../core/model/task.js'
import { suggestingRefusals } from '../core/request.js'
import { RESULTS, ROUTES } from '../core/scenario/selector.js'
import { createRegistry, isTaskFamily, type Registry } from '../families/registry.js'

const callable = z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', {
  error: 'a function',
})
const schema = z.custom<z.ZodType>(
  (value) => typeof (value as { safeParse?: unknown } | null)?.safeParse === 'function',
  { error: 'a zod schema' },
)
const text = z.string().min(1)
const rule = z.looseObject({ id: text, says: text, place: z.string() })
const row = z.looseObject({ status: z.int().min(400).max(599), message: text })
const route = (method: string) =>
  z.looseObject({
    method: z.literal(method),
    path: z.string().regex(/^\/[^?#\s]*$/, { error: 'a path that begins with /' }),
  })

const description = z.looseObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, { error: 'a name in small letters with hyphens' }),
  section: z.string().regex(/^[A-Z][A-Za-z0-9]{0,11}$/, { error: 'a short word that begins with a capital' }),
  title: text,
  errors: z.record(text, row),
  respond: z.looseObject({ error: callable }),
  api: z.looseObject({
    requests: z.record(text, schema),
    responses: z.record(text, schema),
    error: text,
    operations: z.record(text, z.looseObject({ summary: text })),
  }),
  gaps: z
    .array(z.looseObject({ id: z.string().regex(/^[A-Z]+\d{1,3}$/, { error: 'capitals and a number' }) }))
    .optional(),
  operations: callable.optional(),
  settings: schema.optional(),
})

const wellKnown = (...names: readonly string[]) =>
  z.looseObject(Object.fromEntries(names.map((name) => [name, text])))

const outsideDecision = [
  'unauthenticated',
  'unreadable',
  'unsupported',
  'too-large',
  'rate-limited',
  'internal',
]

/** What the contract asks of a family without tasks, as far as it can be seen without calling it. */
const familySchema = description.extend({
  wellKnownErrors: wellKnown(...outsideDecision),
  operations: callable,
})

/** What the contract asks of each of its operations. */
const operationSchema = z.looseObject({
  id: text,
  family: text,
  route: z.looseObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().regex(/^\/[^?#\s]*$/, { error: 'a path that begins with /' }),
  }),
  needsKey: z.boolean(),
  maxBodyBytes: callable,
  prepare: callable,
  refuse: callable,
  raise: callable,
  wellKnownErrors: wellKnown(...outsideDecision),
  errors: z.array(text),
  possibleErrors: z.array(text),
})

/** The same of a family with tasks. */
const taskFamilySchema = description.extend({
  wellKnownErrors: wellKnown(...outsideDecision, 'missing', 'invalid', 'unknown-model'),
  models: z.array(text).min(1),
  routes: z.looseObject({
    create: route('POST'),
    read: route('GET').optional(),
    list: route('GET').optional(),
    cancel: route('DELETE').optional(),
  }),
  states: z.array(z.enum(states)).optional(),
  maxBodyBytes: callable,
  schema,
  rules: z.array(rule.extend({ check: callable })),
  params: callable,
  newId: callable,
  timeline: callable,
  resultTtlMs: z.number().min(0),
  respond: z.looseObject({ error: callable, created: callable, read: callable.optional() }),
})

/**
 * Everything that is wrong with a family from outside, in sentences without a full stop: what the contract asks of its fields,
 * and what it claims that another family has. Nothing of it is called but what makes its operations.
 */
export const problemsOf = (family: unknown, beside: readonly AnyFamily[]): string[] => {
  try {
    return allProblemsOf(family, beside)
  } catch (error) {
    return [
      `to look at it ends with ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
    ]
  }
}

const allProblemsOf = (family: unknown, beside: readonly AnyFamily[]): string[] => {
  const hasRoutes = typeof family === 'object' && family !== null && 'routes' in family
  const shape = (hasRoutes ? taskFamilySchema : familySchema).safeParse(family)
  if (!shape.success)
    return suggestingRefusals(shape.error.issues, family).map(({ message }) =>
      message.replace(/^The request body/, 'the family'),
    )
  const given = family as AnyFamily
  const wrong = operationProblems(given)
  if (wrong.length > 0) return wrong
  const registry = createRegistry([...beside, given])
  return [...inconsistencies(given, registry), ...collisions(given, beside, registry)]
}

/** What is wrong with the operations that a family makes beside those of its routes. */
const operationProblems = (family: AnyFamily): string[] => {
  const made: unknown = family.operations?.(family) ?? []
  if (!Array.isArray(made)) return ['operations must return a list']
  return made.flatMap((operation, index) =>
    suggestingRefusals(operationSchema.safeParse(operation).error?.issues ?? [], operation).map(
      ({ message }) => `operations()[${index}].${message}`,
    ),
  )
}

/** What a family says of itself that does not fit. */
const inconsistencies = (family: AnyFamily, { operations }: Registry): string[] => {
  const { id, errors, wellKnownErrors, api, respond } = family
  const own = operations.filter(({ family: of }) => of === id)
  const verbs = own.map((operation) => operation.id.slice(id.length + 1))
  const named = Object.values(api.operations).flatMap(({ body, query, response }) => [
    ...[body, query].filter((name) => name !== undefined && api.requests[name] === undefined),
    ...[response].filter((name) => name !== undefined && api.responses[name] === undefined),
  ])
  return [
    ...Object.entries(wellKnownErrors)
      .filter(([, error]) => !Object.hasOwn(errors, error))
      .map(([name, error]) => `wellKnownErrors.${name} names ${error}, which is no row of errors`),
    ...verbs
      .filter((verb) => api.operations[verb] === undefined)
      .map((verb) => `api.operations says nothing of its operation ${verb}`),
    ...named.map((name) => `api names the schema ${name}, which it has not`),
    ...own
      .filter(({ id: name }) => !name.startsWith(`${id}.`))
      .map(({ id: name }) => `the operation ${name} does not begin with ${id}.`),
    ...repeated(own.map(({ id: name }) => name)).map((name) => `two operations have the id ${name}`),
    ...repeated(own.map(shapeOf)).map((route) => `two of its operations have the route ${route}`),
    ...(isTaskFamily(family) ? ofRoutes(family) : []),
    ...repeated((family.rules ?? []).map((one) => one.id)).map((name) => `two rules have the id ${name}`),
    ...(respond === undefined ? ['respond is missing'] : []),
  ]
}

const ofRoutes = ({ routes, respond, notFound }: AnyTaskFamily): string[] => [
  ...(routes.read !== undefined && respond.read === undefined ? ['routes.read needs respond.read'] : []),
  ...(routes.read !== undefined && notFound === undefined ? ['routes.read needs notFound'] : []),
  ...(routes.list !== undefined && respond.list === undefined ? ['routes.list needs respond.list'] : []),
  ...[routes.read, routes.cancel]
    .filter((route) => route !== undefined && !/\/\{(id|task_id)\}(\/|$)/.test(route.path))
    .map((route) => `${route?.path} names no task: it needs {id} or {task_id}`),
]

/** Names and routes that are taken. */
const collisions = (family: AnyFamily, beside: readonly AnyFamily[], registry: Registry): string[] => {
  const { id, section, gaps = [] } = family
  const own = registry.operations.filter((operation) => operation.family === id)
  const others = registry.operations.filter((operation) => operation.family !== id)
  const schemas = (families: readonly AnyFamily[]) =>
    families.flatMap((one) => [...Object.keys(one.api.requests), ...Object.keys(one.api.responses)])
  const taken = (kind: string, names: readonly string[], by: readonly string[]) =>
    names.filter((name) => by.includes(name)).map((name) => `the ${kind} ${name} is taken`)
  return [
    ...taken('id', [id], [RESULTS, ROUTES, 'emulator', ...beside.map((one) => one.id)]),
    ...taken(
      'section',
      [section],
      beside.map((one) => one.section),
    ),
    ...taken('name of a schema', schemas([family]), schemas(beside)),
    ...taken(
      'gap',
      gaps.map((gap) => gap.id),
      createRegistry(beside).gaps.map((gap) => gap.id),
    ),
    ...own.flatMap((operation) => routeProblems(operation, others)),
    ...(isTaskFamily(family) ? sharedModels(family, beside) : []),
  ]
}

const shapeOf = ({ route: { method, path } }: Operation): string =>
  `${method} ${path.replace(/\{\w+\}/g, '{}')}`

/** Operations may share a route where each of them says which calls are its own. */
const routeProblems = (operation: Operation, others: readonly Operation[]): string[] => {
  const { method, path } = operation.route
  if (/^\/(_backlot|results)(\/|$)/.test(path)) return [`the path ${path} belongs to the emulator`]
  return others
    .filter((other) => shapeOf(other) === shapeOf(operation))
    .filter(
      (other) => other.matches === undefined || operation.matches === undefined || other.route.path !== path,
    )
    .map((other) => `the route ${method} ${path} is taken by ${other.id}`)
}

const sharedModels = (
  { models, routes: { create } }: AnyTaskFamily,
  beside: readonly AnyFamily[],
): string[] =>
  beside
    .filter(isTaskFamily)
    .filter(({ routes }) => routes.create.path === create.path)
    .flatMap((other) =>
      models
        .filter((model) => other.models.includes(model))
        .map((model) => `the model ${model} is taken on ${create.path} by ${other.id}`),
    )

const repeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
]
