import type { Operation } from '../core/contract.js'
import { percentDecoded } from '../core/model/call.js'
import type { FindRoute } from './exchange.js'
import { createResultRoute } from './results.js'

interface Pattern {
  readonly method: string
  readonly expression: RegExp
  readonly names: readonly string[]
  readonly operations: Operation[]
}

/** Router of everything that the service answers: its operations, and the downloads of results. */
export const createFindRoute = (operations: readonly Operation[], secret: string): FindRoute => {
  const resultRoute = createResultRoute(secret)
  const serviceRoute = createRoutes(operations)
  return (method, path) => serviceRoute(method, path) ?? resultRoute(method, path)
}

/** Router: finds the operations of a method and path. Literal paths are looked up; only patterns are tried one by one. */
export const createRoutes = (operations: readonly Operation[]): FindRoute => {
  const literal = new Map<string, Operation[]>()
  const patterns = new Map<string, Pattern>()
  for (const operation of operations) {
    const { method, path } = operation.route
    const key = `${method} ${path}`
    if (path.includes('{')) {
      const pattern = patterns.get(key) ?? patternOf(method, path)
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
      const match = pattern.method === method ? pattern.expression.exec(path) : null
      if (match !== null) return { operations: pattern.operations, params: paramsOf(pattern, match) }
    }
    return undefined
  }
}

const patternOf = (method: string, path: string): Pattern => ({
  method,
  names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
  expression: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
  operations: [],
})

const paramsOf = ({ names }: Pattern, match: RegExpExecArray): Record<string, string> =>
  Object.fromEntries(names.map((name, index) => [name, percentDecoded(match[index + 1] as string)]))
