import { isRecord } from '../../emulator/surface/journal.js'
import type { Exchange, SeenAnswer } from './exchange.js'
import type { ShadowAnswer } from './shadow.js'

/** Path of a field as profiles write it: `usage.total_tokens`, `items[].id`. The empty path is the body. */
type FieldPath = string

/** One way in which an answer of the service differs from that of the emulator. */
export type Delta =
  | { readonly kind: 'status'; readonly ours: number; readonly theirs: number }
  /** The service does not have the field. */
  | { readonly kind: 'missing'; readonly path: FieldPath; readonly ours: unknown }
  /** The emulator does not have it. */
  | {
      readonly kind: 'extra'
      readonly path: FieldPath
      readonly theirs: unknown
      /** Whether it stands beside the field that holds the whole body. */
      readonly isOutside?: boolean
    }
  /** Type, or a value that clients read. */
  | {
      readonly kind: 'type' | 'value'
      readonly path: FieldPath
      readonly ours: unknown
      readonly theirs: unknown
      /** Its path in the answer of the service. */
      readonly at: FieldPath
    }
  /** A sentence that people read. */
  | {
      readonly kind: 'sentence'
      readonly path: FieldPath
      readonly ours: string
      readonly theirs: string
      readonly at: FieldPath
    }
  | { readonly kind: 'renamed'; readonly path: FieldPath; readonly to: string }
  | { readonly kind: 'moved'; readonly path: FieldPath; readonly to: FieldPath }
  /** The whole body stands in a field. */
  | { readonly kind: 'wrapped'; readonly in: string }
  /** A header, or undefined where one of the two does not send it. */
  | {
      readonly kind: 'header'
      readonly name: string
      readonly ours: string | undefined
      readonly theirs: string | undefined
    }
  /** A fact of the file of a result, such as its width. */
  | { readonly kind: 'file'; readonly fact: string; readonly ours: unknown; readonly theirs: unknown }
  /** A message to a receiver that one of the two does not send. */
  | { readonly kind: 'message'; readonly ours: boolean; readonly theirs: boolean }

/** How much a difference matters: `error` breaks clients, `warning` may, `information` is more than they know of. */
type Severity = 'error' | 'warning' | 'information'

/** Severity of a difference. */
export const severityOf = ({ kind }: Delta): Severity => {
  if (kind === 'extra' || kind === 'sentence') return 'information'
  return kind === 'header' || kind === 'file' || kind === 'message' ? 'warning' : 'error'
}

/** An exchange with the answer of the emulator, and how the two differ. */
export interface Compared {
  readonly exchange: Exchange
  readonly ours: ShadowAnswer
  readonly deltas: readonly Delta[]
}

/**
 * Differences between an answer of the service and that of the emulator.
 * @param other the answer of an emulator with other draws: what differs between the two is chance, and of that the type alone counts
 */
export const deltasOf = (exchange: Exchange, ours: ShadowAnswer, other: ShadowAnswer): Delta[] => {
  const { answer } = exchange
  const status: Delta[] =
    ours.status === answer.status ? [] : [{ kind: 'status', ours: ours.status, theirs: answer.status }]
  // The body of a refusal beside that of an answer says nothing.
  if (exchange.statusOnly || ours.status < 400 !== answer.status < 400) return status
  return [
    ...status,
    ...bodyDeltas(ours.json, other.json, answer.json, ours.state),
    ...headerDeltas(ours, other, answer).filter(
      ({ kind, ...delta }) => !(exchange.hasSomeHeaders && 'theirs' in delta && delta.theirs === undefined),
    ),
    ...fileDeltas(ours, answer),
  ]
}

const bodyDeltas = (ours: unknown, other: unknown, theirs: unknown, state?: string): Delta[] => {
  // Of files, their facts are compared.
  if (ours === undefined && theirs === undefined) return []
  const wrapper = wrapperOf(ours, theirs)
  if (wrapper !== undefined) {
    const { [wrapper]: inner, ...beside } = theirs as Record<string, unknown>
    const outside = expanded({ delta: { kind: 'extra', path: '', theirs: beside } })
    return [
      { kind: 'wrapped', in: wrapper },
      ...bodyDeltas(ours, other, inner, state),
      ...outside.map(({ delta }): Delta => ({ ...(delta as Extra), isOutside: true })),
    ]
  }
  const walk = new Walk(state)
  walk.visit('', '', ours, other, theirs)
  return paired(walk.paired().flatMap(expanded))
}

type Extra = Delta & { readonly kind: 'extra' }

/** Extra objects as the fields that they have. */
const expanded = (found: Found): Found[] => {
  const { delta } = found
  if (delta.kind !== 'extra' || !isRecord(delta.theirs)) return [found]
  const fields = Object.entries(delta.theirs)
  if (fields.length === 0) return delta.path === '' ? [] : [found]
  return fields.flatMap(([name, theirs]) =>
    expanded({ delta: { ...delta, path: delta.path === '' ? name : `${delta.path}.${name}`, theirs } }),
  )
}

/** The field of a body that holds what the emulator has at the top. */
const wrapperOf = (ours: unknown, theirs: unknown): string | undefined => {
  if (!isRecord(ours) || !isRecord(theirs)) return undefined
  const own = Object.keys(ours)
  const isAtTop = (name: string) => Object.hasOwn(theirs, name)
  if (own.filter(isAtTop).length * 2 > own.length) return undefined
  return Object.keys(theirs).find((name) => {
    const inner = theirs[name]
    if (Object.hasOwn(ours, name) || !isRecord(inner)) return false
    return own.filter((key) => Object.hasOwn(inner, key)).length * 2 >= own.length && own.length > 0
  })
}

/** Delta with what pairs of them are told by. */
interface Found {
  readonly delta: Delta
  readonly isChance?: boolean
  /** Of a missing field: what the other emulator has there, and where the service would have it. */
  readonly other?: unknown
  readonly at?: FieldPath
}

class Walk {
  readonly #found: Found[] = []
  readonly #isUnderway: boolean

  constructor(state: string | undefined) {
    this.#isUnderway = state === 'running'
  }

  /** @param at the path of the value in the answer of the service */
  visit(path: FieldPath, at: FieldPath, ours: unknown, other: unknown, theirs: unknown): void {
    const isChance =
      kindOf(ours) === kindOf(other) && !Array.isArray(ours) && !isRecord(ours) && ours !== other
    if (theirs === undefined && ours === undefined) return
    if (theirs === undefined)
      this.#found.push({ delta: { kind: 'missing', path, ours }, isChance, other, at })
    else if (ours === undefined) this.#found.push({ delta: { kind: 'extra', path: at, theirs } })
    else if (kindOf(ours) !== kindOf(theirs))
      this.#found.push({ delta: { kind: 'type', path, ours, theirs, at } })
    else if (Array.isArray(ours) && Array.isArray(theirs))
      this.#items(path, at, ours, Array.isArray(other) ? other : [], theirs)
    else if (isRecord(ours) && isRecord(theirs))
      this.#fields(path, at, ours, isRecord(other) ? other : {}, theirs)
    else if (ours !== theirs && !isChance) this.#values(path, at, ours, theirs)
  }

  /**
   * What was found, with the objects and the lists of objects that the service has under another name or in another place as that,
   * and what differs within them.
   */
  paired(): Found[] {
    const found = this.#found
    const gone = new Set<Found>()
    // What differs within one is found behind it.
    for (let index = 0; index < found.length; index += 1) {
      const { delta, other, at = '' } = found[index] as Found
      if (delta.kind !== 'missing') continue
      for (const [position, { delta: extra }] of found.entries()) {
        const place = extra.kind === 'extra' ? placeLike(delta.ours, extra.theirs, extra.path, []) : undefined
        if (extra.kind !== 'extra' || place === undefined || gone.has(found[position] as Found)) continue
        const rest = withoutPlace(extra.theirs, place.steps)
        if (rest === undefined) gone.add(found[position] as Found)
        else found[position] = { delta: { ...extra, theirs: rest } }
        found[index] = { delta: pairOf(delta.path, place.path, at) }
        this.visit(delta.path, place.path, delta.ours, other, place.value)
        break
      }
    }
    return found.filter((one) => !gone.has(one))
  }

  // How many there are depends on what else an account has.
  #items(
    path: FieldPath,
    at: FieldPath,
    ours: readonly unknown[],
    other: readonly unknown[],
    theirs: readonly unknown[],
  ): void {
    if (ours.length > 0 && theirs.length > 0) this.visit(`${path}[]`, `${at}[]`, ours[0], other[0], theirs[0])
  }

  #fields(path: FieldPath, at: FieldPath, ours: Body, other: Body, theirs: Body): void {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
      this.visit(within(path, name), within(at, name), own(ours, name), own(other, name), own(theirs, name))
  }

  #values(path: FieldPath, at: FieldPath, ours: unknown, theirs: unknown): void {
    if (typeof ours === 'string' && typeof theirs === 'string' && (isSentence(ours) || isSentence(theirs)))
      this.#found.push({ delta: { kind: 'sentence', path, ours, theirs, at } })
    else if (
      isComparable(ours) &&
      isComparable(theirs) &&
      !(this.#isUnderway && /progress|percent/i.test(path)) &&
      !/(^|\.)total$/.test(path)
    )
      this.#found.push({ delta: { kind: 'value', path, ours, theirs, at } })
  }
}

const within = (path: FieldPath, name: string): FieldPath => (path === '' ? name : `${path}.${name}`)

/** Names of the fields of an object, or of the items of a list of objects; none for anything else. */
const fieldsIn = (value: unknown): readonly string[] => {
  const one = Array.isArray(value) ? value[0] : value
  return isRecord(one) ? Object.keys(one) : []
}

/** Where an extra value holds an object, or a list of objects, that has at least half of the fields of another one. */
const placeLike = (
  ours: unknown,
  theirs: unknown,
  path: FieldPath,
  steps: readonly string[],
): { readonly path: FieldPath; readonly steps: readonly string[]; readonly value: unknown } | undefined => {
  const wanted = fieldsIn(ours)
  const shared = fieldsIn(theirs).filter((name) => wanted.includes(name)).length
  if (kindOf(ours) === kindOf(theirs) && shared > 0 && shared * 2 >= wanted.length)
    return { path, steps, value: theirs }
  if (!isRecord(theirs)) return undefined
  for (const [name, inner] of Object.entries(theirs)) {
    const found = placeLike(ours, inner, within(path, name), [...steps, name])
    if (found !== undefined) return found
  }
  return undefined
}

/** A value without what it holds at a place. Undefined where nothing is left. */
const withoutPlace = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
  if (step === undefined || !isRecord(value)) return undefined
  const inner = withoutPlace(value[step], rest)
  const { [step]: _, ...others } = value
  const left = inner === undefined ? others : { ...others, [step]: inner }
  return Object.keys(left).length === 0 ? undefined : left
}

type Body = Readonly<Record<string, unknown>>

// An answer may have a field such as `constructor`, which every object inherits.
const own = (body: Body, name: string): unknown => (Object.hasOwn(body, name) ? body[name] : undefined)

/** Kind of a JSON value, in words. */
const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (value === null) return 'null'
  return isRecord(value) ? 'an object' : typeof value
}

const isSentence = (text: string): boolean => /\s/.test(text.trim())

/** Whether a value is a word, a number or a yes that clients can tell apart: no id, no time, no URL. */
export const isComparable = (value: unknown): boolean => {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'number') return Math.abs(value) <= 1_000_000
  return typeof value === 'string' && isWord(value)
}

/** Whether a text is a word such as a code, a status or a model. */
export const isWord = (text: string): boolean =>
  text.length <= 48 &&
  !/\s|:\/\//.test(text) &&
  !/\d{7}/.test(text) &&
  !/[0-9a-f]{8}-?[0-9a-f]{4}/i.test(text) &&
  !text.split(/[-_.:/]/).some((part) => part.length >= 10 && /\d/.test(part) && /[a-z]/i.test(part))

/** Fields that are missing, beside those that are extra, as renamed and moved ones where they hold the same. */
const paired = (found: readonly Found[]): Delta[] => {
  const missing = found.filter(({ delta }) => delta.kind === 'missing')
  const used = new Set<Found>()
  const pairs = new Map<Found, Delta>()
  for (const one of missing) {
    const best = found
      .filter((other) => other.delta.kind === 'extra' && !used.has(other))
      .map((other) => ({ other, score: likeness(one, other) }))
      .sort((a, b) => b.score - a.score)[0]
    if (best === undefined || best.score < 3) continue
    used.add(best.other)
    pairs.set(one, pairOf(pathOf(one.delta), pathOf(best.other.delta), one.at))
  }
  return found.filter((one) => !used.has(one)).map((one) => pairs.get(one) ?? one.delta)
}

/** @param at where the service would have it */
const pairOf = (path: FieldPath, to: FieldPath, at: FieldPath = path): Delta => {
  const [from, into] = [at, to].map((one) => one.replace(/\.?[^.]*$/, ''))
  return from === into ? { kind: 'renamed', path, to: nameOf(to) } : { kind: 'moved', path, to }
}

const pathOf = (delta: Delta): FieldPath => ('path' in delta ? delta.path : '')
const nameOf = (path: FieldPath): string => path.replace(/^.*\./, '')

/** How likely it is that an extra field holds what a missing one held: 3 and more is taken for it. */
const likeness = ({ delta: a, isChance = false, at }: Found, { delta: b }: Found): number => {
  if (a.kind !== 'missing' || b.kind !== 'extra' || kindOf(a.ours) !== kindOf(b.theirs)) return 0
  if (a.ours === null || typeof a.ours === 'boolean') return nameOf(a.path) === nameOf(b.path) ? 3 : 0
  const isSame = JSON.stringify(a.ours) === JSON.stringify(b.theirs)
  const isOther = !isSame && !isChance && typeof a.ours !== 'object'
  if (isOther) return 0
  const isBeside = (at ?? a.path).replace(/\.?[^.]*$/, '') === b.path.replace(/\.?[^.]*$/, '')
  const [words, others] = [a.path, b.path].map((path) =>
    nameOf(path)
      .split(/_|(?=[A-Z])/)
      .map((word) => word.toLowerCase()),
  )
  const sharesWord = words?.some((word) => others?.includes(word)) === true
  const hasForm = typeof a.ours === 'string' && formOf(a.ours) === formOf(String(b.theirs))
  return (isBeside ? 2 : 0) + (sharesWord ? 2 : 0) + (isSame ? 2 : 0) + (hasForm ? 2 : 0)
}

/** A text with its digits and letters as signs, so that two ids of one make are alike. */
const formOf = (text: string): string =>
  text
    .replace(/^(https?:).*/i, '$1')
    .replace(/[a-f0-9]{8,}/gi, 'x')
    .replace(/\d+/g, '0')

// Of the way to the service, of the connection, of caches and of lengths.
const OF_THE_WAY =
  /^(age|alt-svc|cache-control|cf-.*|connection|content-(encoding|length|disposition|security-policy)|date|etag|expires|keep-alive|last-modified|nel|pragma|report-to|server|server-timing|set-cookie|strict-transport-security|trailer|transfer-encoding|vary|via|x-(amz|cache|content-type|frame|powered|served|xss|backlot).*|accept-ranges|access-control-.*|host|user-agent|accept.*|x-forwarded-.*)$/

/** Headers that announce a limit, whose values count down. */
export const RATE_LIMIT = /rate-?limit/i

const headerDeltas = (ours: ShadowAnswer, other: ShadowAnswer, theirs: SeenAnswer): Delta[] =>
  [...new Set([...Object.keys(ours.headers), ...Object.keys(theirs.headers)])]
    .filter((name) => !OF_THE_WAY.test(name))
    .flatMap((name) => {
      const [a, b, c] = [ours, theirs, other].map(({ headers }) => headerOf(headers, name))
      // A value that is another in each answer.
      const isChance =
        a !== c || RATE_LIMIT.test(name) || (a !== undefined && b !== undefined && !isComparable(b))
      if (a === b || (a !== undefined && b !== undefined && isChance)) return []
      return [{ kind: 'header' as const, name, ours: a, theirs: b }]
    })

const headerOf = (headers: SeenAnswer['headers'], name: string): string | undefined =>
  name === 'content-type' ? headers[name]?.replace(/;.*/, '').trim().toLowerCase() : headers[name]

const fileDeltas = ({ file: ours }: ShadowAnswer, { file: theirs }: SeenAnswer): Delta[] => {
  if (ours === undefined || theirs === undefined) return []
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((fact) => {
    const [a, b] = [ours[fact], theirs[fact]]
    const isNear = typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) < 0.1
    return a === b || isNear ? [] : [{ kind: 'file' as const, fact, ours: a, theirs: b }]
  })
}
