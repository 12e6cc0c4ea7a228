import { fieldPath } from '../core/fields.js'
import { valueAt } from '../core/request.js'

const TEMPLATE = /\{\{\s*([\w$-]+(?:\.[\w$-]+|\[\d+\])*)\s*\}\}/g
const WHOLE = new RegExp(`^${TEMPLATE.source}$`)

/** A value in which templates were filled in, and the paths that name nothing: null stands in their place. */
interface Filled {
  readonly value: unknown
  readonly missing: readonly string[]
}

/**
 * Fills in templates such as `{{body.model}}`, at any depth. A text that is one template becomes the value itself, of whatever
 * type; within a longer text it becomes a part of it.
 * @param values what the paths of templates begin in
 */
export const fillTemplates = (template: unknown, values: object): Filled => {
  const missing: string[] = []
  const named = (path: string): unknown => {
    const value = valueAt(values, fieldPath(path))
    if (value === undefined) missing.push(path)
    return value ?? null
  }
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  const fill = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      const [, path] = WHOLE.exec(inner) ?? []
      return path === undefined
        ? inner.replace(TEMPLATE, (_, name: string) => textOf(named(name)))
        : named(path)
    }
    if (Array.isArray(inner)) return inner.map(fill)
    if (inner === null || typeof inner !== 'object') return inner
    return Object.fromEntries(Object.entries(inner).map(([key, value]) => [key, fill(value)]))
  }
  return { value: fill(template), missing }
}

/** The paths that the templates of a value name. */
export const templatePaths = (template: unknown): string[] =>
  [...JSON.stringify(template ?? null).matchAll(TEMPLATE)].map(([, path = '']) => path)
