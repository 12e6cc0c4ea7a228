import type { Operation } from '../../core/contract.js'
import { catalogue, operations } from '../../families/index.js'
import { createRoutes } from '../../service/routes.js'
import type { IdentifiedCall, Knowledge } from './har.js'
import { fieldsOf } from './observed.js'

/** What an operation can answer with by name, as it would answer. */
export interface ErrorCatalog {
  readonly errors: readonly string[]
  readonly raise: (error: string) => { readonly status: number; readonly body: unknown }
}

/** The error of an operation that a refusal is; undefined where its table has none that looks so. */
export const errorOfAnswer = (
  { errors, raise }: ErrorCatalog,
  status: number,
  body: unknown,
): string | undefined => {
  const seen = signature(body)
  if (seen === '') return undefined
  return errors.find((error) => {
    const reply = raise(error)
    return reply.status === status && signature(reply.body) === seen
  })
}

/** The error that a failed task says it ended with; undefined where the table has none that looks so. */
export const errorOfTask = ({ errors, raise }: ErrorCatalog, said: unknown): string | undefined => {
  const { code } = fieldsOf(said)
  if (typeof code !== 'string' && typeof code !== 'number') return undefined
  return errors.find((error) => {
    const { body } = raise(error)
    return error === code || codesIn(body).includes(String(code)) || numberIn(body) === String(code)
  })
}

/** What tells two errors apart, in every family's places for it; the words of a message do not. */
const signature = (body: unknown): string =>
  [...codesIn(body), numberIn(body) ?? ''].filter((one) => one !== '').join('|')

const codesIn = (body: unknown): string[] => {
  const { code, error } = fieldsOf(body)
  const inner = fieldsOf(error)
  return [code, inner.code, inner.type].flatMap((one) =>
    one === undefined || one === null ? [] : [String(one)],
  )
}

// F ends its messages with a number (defaults F).
const numberIn = (body: unknown): string | undefined => {
  const { message } = fieldsOf(fieldsOf(body).error)
  return typeof message === 'string' ? /\((\d{4})\)$/.exec(message)?.[1] : undefined
}

const findRoute = createRoutes(operations)

/** What the families know of calls and of errors. */
export const knowledge: Knowledge = {
  recognise: (method, path, json, families) =>
    suffixesOf(path).reduce<IdentifiedCall | undefined>(
      (found, suffix) => found ?? recognised(method, suffix, json, families),
      undefined,
    ),
  errorCatalog: (id) => raisableOf(operations.find((operation) => operation.id === id)),
}

const raisableOf = (operation: Operation | undefined): ErrorCatalog => ({
  errors: operation?.errors ?? [],
  raise: (error) => operation?.raise(error, {}, 'id') ?? { status: 500, body: {} },
})

// A gateway in front of the service may have a path of its own.
const suffixesOf = (path: string): string[] => {
  const steps = path.split('/').slice(1)
  return steps.map((_, index) => `/${steps.slice(index).join('/')}`)
}

const recognised = (
  method: string,
  path: string,
  json: unknown,
  families: ReadonlyMap<string, string>,
): IdentifiedCall | undefined => {
  const matched = findRoute(method, path)
  if (matched === undefined) return undefined
  const family = families.get(Object.values(matched.params)[0] ?? '')
  const model = (json as { model?: unknown } | null | undefined)?.model
  const operation =
    matched.operations.find((one) => one.family === family) ??
    matched.operations.find((one) => modelsOf(one).includes(String(model))) ??
    matched.operations[0]
  return operation === undefined ? undefined : { operation: operation.id, path }
}

const modelsOf = ({ family }: Operation): readonly string[] =>
  catalogue.families.find(({ id }) => id === family)?.models ?? []
