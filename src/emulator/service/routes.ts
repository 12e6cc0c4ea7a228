import type { Operation } from '../core/contract.js'
import { pathMatcher } from '../core/model/path.js'
import type { Registry } from '../families/registry.js'
import type { FindRoute, MatchedRoute } from './exchange.js'
import { createResultRoute } from './results.js'

interface Pattern {
  readonly method: string
  readonly paramsIn: ReturnType<typeof pathMatcher>
  readonly operations: Operation[]
}

/** Router of everything that the service answers: its operations, and the downloads of results. */
export const createFindRoute = (registry: Registry, secret: string): FindRoute => {
  const resultRoute = createResultRoute(secret)
  let { operations } = registry
  let serviceRoute = createRoutes(operations)
  return (method, path, query) => {
    if (path.startsWith('/results/')) return resultRoute(method, path, query)
    // The families were replaced.
    if (registry.operations !== operations) {
      operations = registry.operations
      serviceRoute = createRoutes(operations)
    }
    return serviceRoute(method, path)
  }
}

/** Router: finds the operations of a method and path. Literal paths are looked up; only patterns are tried one by one. */
export const createRoutes = (
  operations: readonly Operation[],
): ((method: string, path: string) => MatchedRoute | undefined) => {
  const literal = new Map<string, Operation[]>()
  const patterns = new Map<string, Pattern>()
  const routed = operations.flatMap((operation) =>
    [operation.route, ...(operation.also ?? [])].map((route) => ({ operation, route })),
  )
  for (const { operation, route } of routed) {
    const { method, path } = route
    const key = `${method} ${path}`
    if (path.includes('{')) {
      const pattern = patterns.get(key) ?? { method, paramsIn: pathMatcher(path), operations: [] }
      pattern.operations.push(operation)
      patterns.set(key, pattern)
    } else literal.set(key, [...(literal.get(key) ?? []), operation])
  }
  return (asked, path) => {
    // HEAD is GET without the body.
    const method = asked === 'HEAD' ? 'GET' : asked
    const operations = literal.get(`${method} ${path}`)
    if (operations !== undefined) return { operations, params: {} }
    for (const pattern of patterns.values()) {
      const params = pattern.method === method ? pattern.paramsIn(path) : undefined
      if (params !== undefined) return { operations: pattern.operations, params }
    }
    return undefined
  }
}
