import type { Operation } from '../../core/operation.js'
import type { IdentifiedCall, Knowledge } from '../../core/recording/wrongs/from-har.js'
import type { ErrorCatalog } from '../../core/recording/wrongs/named-error.js'
import { catalogue } from '../../families/catalogue.js'
import { operations } from '../../families/index.js'
import { createRoutes } from '../../server/http/routes.js'

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
