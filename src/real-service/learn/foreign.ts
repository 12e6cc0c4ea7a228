import { slug } from '../../emulator/surface/records.js'
import { exampleOf, type MayKeep } from '../verify/answers.js'
import { isWord } from '../verify/compare.js'
import { grouped } from '../verify/refusals.js'
import type { ForeignCall } from './traffic.js'

/** A route beside the families, as a profile writes it, with how often it was called. */
interface ForeignRoute {
  readonly route: Readonly<Record<string, unknown>>
  readonly count: number
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Routes of the calls that no operation answers. Of each the first good answer is the example, without what is of one call. */
export const foreignRoutes = (calls: readonly ForeignCall[], mayKeep: MayKeep): ForeignRoute[] => {
  const good = calls.filter(
    ({ method, status, json }) => METHODS.includes(method) && status < 300 && json !== undefined,
  )
  const names = new Set<string>()
  return [...grouped(good, ({ method, path }) => `${method} ${templateOf(path)}`).values()].flatMap(
    (group) => {
      const [first] = group
      if (first === undefined) return []
      const path = templateOf(first.path)
      if (!/^(\/([\w.~:@-]+|\{\w+\}))+\/?$/.test(path)) return []
      const base = slug(`${first.method} ${path}`) || 'route'
      const id = names.has(base) ? `${base}-${names.size}` : base
      names.add(id)
      const { status, json } = first
      return [
        {
          route: { id, method: first.method, path, answer: { status, body: exampleOf(json, mayKeep) } },
          count: group.length,
        },
      ]
    },
  )
}

/** A path with names in the place of ids. */
const templateOf = (path: string): string => {
  let count = 0
  return path
    .split('/')
    .map((step) => {
      if (step === '' || (isWord(step) && !/^\d+$/.test(step) && !/\d{3}/.test(step))) return step
      count += 1
      return count === 1 ? '{id}' : `{id${count}}`
    })
    .join('/')
}
