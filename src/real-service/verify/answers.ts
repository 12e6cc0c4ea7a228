import { isRecord, valueAt } from '../../emulator/surface/journal.js'
import type { Change } from './changes.js'
import { type Compared, type Delta, isComparable, RATE_LIMIT } from './compare.js'

/** One key of a row under `answers`, with what shows that it is wanted. */
interface Wanted {
  /** `remove progress`, by which equal wishes are found. */
  readonly name: string
  readonly key: readonly string[]
  readonly value: unknown
  readonly isItem?: boolean
  readonly delta: Delta
  /** Whether it changes nothing of an answer that does not need it. */
  readonly isIdleFor: (one: Compared) => boolean
}

/** What texts of the service may be written into a profile. Default: all. */
export type MayKeep = (text: string) => boolean

/**
 * Changes of answers: what is left when the tables of errors are as the service has them. Each is written for the widest kind of
 * answer that all exchanges of that kind agree on: every operation, those of a family, an operation, one of its states or errors.
 */
export const answerChanges = (all: readonly Compared[], mayKeep: MayKeep = () => true): Change[] => {
  const wanted = new Map(all.map((one) => [one, wishesOf(one, mayKeep)]))
  const found = new Map<string, Change>()
  for (const [one, wishes] of wanted)
    for (const wish of wishes) {
      const scope = scopesOf(one).find((name) => agreesOn(name, wish, wanted))
      if (scope === undefined) continue
      const at = ['answers', scope, ...wish.key]
      const id = `${at.join(' ')} ${wish.isItem ? wish.name : ''}`
      const before = found.get(id)
      found.set(id, {
        at,
        value: wish.value,
        ...(wish.isItem === undefined ? {} : { isItem: wish.isItem }),
        seenIn: [...(before?.seenIn ?? []), one],
        settles: [...(before?.settles ?? []), wish.delta],
      })
    }
  return [...found.values()]
}

const familyOf = ({ ours: { operation = '' } }: Compared): string => operation.split('.')[0] ?? ''

/** Keys under `answers` that are about an answer, the widest first. */
const scopesOf = (one: Compared): string[] => {
  const { operation, refusedBy, state, status } = one.ours
  // A challenge carries nothing of an answer.
  if (operation === undefined || operation.endsWith('.challenge')) return []
  const end = status >= 400 ? '@refusal' : ''
  const narrow = status >= 400 ? refusedBy[0]?.error : state
  return [
    ...(operation.endsWith('.callback') ? [] : [`*${end}`, `${familyOf(one)}.*${end}`]),
    `${operation}${end}`,
    ...(narrow === undefined ? [] : [`${operation}@${narrow}`]),
  ]
}

const agreesOn = (
  scope: string,
  { name, isIdleFor }: Wanted,
  wanted: ReadonlyMap<Compared, readonly Wanted[]>,
): boolean => {
  // A message carries the answer of a query, with all of its changes.
  const asRead = scope.replace('.read', '.callback')
  const about = [...wanted].filter(
    ([one]) => isAlike(one) && scopesOf(one).some((own) => own === scope || own === asRead),
  )
  const wishing = about.filter(([, wishes]) => wishes.some((wish) => wish.name === name))
  const operations = new Set(wishing.map(([one]) => one.ours.operation))
  const families = new Set(wishing.map(([one]) => familyOf(one)))
  if (scope.startsWith('*') && families.size < 2) return false
  if (scope.includes('.*') && operations.size < 2) return false
  return about.every(([one, wishes]) => wishes.some((wish) => wish.name === name) || isIdleFor(one))
}

/** Where one refuses and the other does not, no change of the answer helps. */
const isAlike = ({ ours, exchange }: Compared): boolean => ours.status < 400 === exchange.answer.status < 400

const wishesOf = (one: Compared, mayKeep: MayKeep): Wanted[] => {
  const { deltas } = one
  if (!isAlike(one)) return []
  const wrapper = deltas.find((delta) => delta.kind === 'wrapped')?.in
  return deltas
    .filter((delta) => !quotesTheCall(delta, one))
    .flatMap((delta) => wishOf(delta, wrapper, mayKeep))
}

/** Whether a sentence of the service repeats the value that it refuses: written into a profile, it would be false for any other. */
const quotesTheCall = (delta: Delta, { ours }: Compared): boolean => {
  const { found } = ours.refusedBy[0] ?? {}
  return (
    delta.kind === 'sentence' && typeof found === 'string' && found !== '' && delta.theirs.includes(found)
  )
}

const never = () => false
const lacks = (path: string) => (one: Compared) => valuesAt(one.ours.json, path).length === 0

const wishOf = (delta: Delta, wrapper: string | undefined, mayKeep: MayKeep): Wanted[] => {
  const set = (path: string, value: unknown, isOutside = false): Wanted[] => {
    // What is set is set in the answer as it goes out, behind the wrapper.
    const at = wrapper === undefined || isOutside ? path : `${wrapper}.${path}`
    if (!FIELD.test(at)) return []
    const example = exampleOf(value, mayKeep)
    return [
      {
        name: `set ${at} ${JSON.stringify(example)}`,
        key: ['set', at],
        value: example,
        delta,
        isIdleFor: never,
      },
    ]
  }
  switch (delta.kind) {
    case 'status':
      return [
        { name: `status ${delta.theirs}`, key: ['status'], value: delta.theirs, delta, isIdleFor: never },
      ]
    case 'wrapped':
      return [{ name: `wrap ${delta.in}`, key: ['wrap'], value: delta.in, delta, isIdleFor: never }]
    case 'missing':
      if (!FIELD.test(delta.path)) return []
      return [
        {
          name: `remove ${delta.path}`,
          key: ['remove'],
          value: delta.path,
          isItem: true,
          delta,
          isIdleFor: lacks(delta.path),
        },
      ]
    case 'renamed':
      return [
        {
          name: `rename ${delta.path} ${delta.to}`,
          key: ['rename', delta.path],
          value: delta.to,
          delta,
          isIdleFor: lacks(delta.path),
        },
      ]
    case 'moved':
      return [
        {
          name: `move ${delta.path} ${delta.to}`,
          key: ['move', delta.path],
          value: delta.to,
          delta,
          isIdleFor: lacks(delta.path),
        },
      ]
    case 'extra':
      return set(delta.path, delta.theirs, delta.isOutside)
    case 'type':
    case 'value':
    case 'sentence':
      return set(delta.at, delta.theirs)
    case 'header':
      return headerWish(delta)
    default:
      return []
  }
}

const headerWish = (delta: Delta & { kind: 'header' }): Wanted[] => {
  const { name, theirs } = delta
  if (RATE_LIMIT.test(name)) return []
  // A value that is another in each answer cannot be written down.
  if (theirs !== undefined && !isComparable(theirs)) return []
  const value = theirs ?? null
  const isIdleFor = value === null ? (one: Compared) => one.ours.headers[name] === undefined : never
  return [{ name: `header ${name} ${value}`, key: ['headers', name], value, delta, isIdleFor }]
}

const FIELD = /^[\w$-]+(\.[\w$-]+|\[\d*\])*$/

/** An example of a value, without what is of one answer alone: ids, times and URLs. */
export const exampleOf = (value: unknown, mayKeep: MayKeep): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => exampleOf(item, mayKeep))
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, exampleOf(inner, mayKeep)]))
  if (typeof value === 'string') {
    const isSentence = /\s/.test(value.trim()) && !/:\/\//.test(value)
    return (isComparable(value) || isSentence) && mayKeep(value) ? value : ''
  }
  return isComparable(value) ? value : 0
}

const valuesAt = (body: unknown, path: string): unknown[] =>
  path.split('.').reduce<unknown[]>(
    (values, step) => {
      const name = step.replace(/\[\d*\]/g, '')
      const inner = values.map((value) => valueAt(value, [name]))
      return (step.includes('[') ? inner.flatMap((list) => (Array.isArray(list) ? list : [])) : inner).filter(
        (value) => value !== undefined,
      )
    },
    [body],
  )
