import type { ActionTypes } from '../../generated/action-types.js'
import { routes } from '../../generated/routes.js'

/**
 * HTTP request of a control action: fields that its path names fill it, all others are the query of a GET, or the JSON body.
 * Runs in browsers too.
 */
export const actionRequest = (name: keyof ActionTypes, input: Readonly<Record<string, unknown>>) => {
  const [method = '', route = ''] = routes[name].split(' ')
  const inPath = new Set<string>()
  const path = route.replace(/:(\w+)/g, (_, field: string) => {
    inPath.add(field)
    return encodeURIComponent(String(input[field]))
  })
  const rest = Object.entries(input).filter(([field, value]) => !inPath.has(field) && value !== undefined)
  if (method !== 'GET') return { method, path, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(rest.map(([field, value]): [string, string] => [field, textOf(value)]))
  return { method, path: rest.length === 0 ? path : `${path}?${query}` }
}

// Lists and objects as JSON: as plain text, a list of one number would be that number.
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
