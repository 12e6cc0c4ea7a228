import type { HttpAnswer } from '../../emulator/surface/client.js'
import { isRecord, parseJson, textAt } from '../../emulator/surface/journal.js'
import { type State, statesOf } from '../../emulator/surface/records.js'
import { builtIn, type Operation, type Registry } from '../../emulator/surface/registry.js'
import { decodedBody } from '../service-answer.js'

/** Whose API key a call has: the user's own, one that there is not, or none. */
export type KeyOfCall = 'own' | 'unknown' | 'none'

/** Call that can be made at the real service and at an emulator alike. */
export interface AskedCall {
  readonly method: string
  /** Path and query, below the target. */
  readonly path: string
  readonly json?: unknown
  /** Content type and bytes of a body that is no JSON. */
  readonly body?: readonly [type: string, bytes: string | Uint8Array]
  /** Default: `own`. */
  readonly key?: KeyOfCall
}

/** Answer, as far as it is compared. */
export interface SeenAnswer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON value, or undefined where the body is no JSON. */
  readonly json?: unknown
  /** Of a file: what was read of it. */
  readonly file?: Readonly<Record<string, unknown>>
}

/** Exchange: a call and the answer of the real service, in the order in which they were made. */
export interface Exchange extends AskedCall {
  /** What is asked, in words: "a task without a model". */
  readonly says: string
  readonly answer: SeenAnswer
  /** Milliseconds since 1970. */
  readonly at: number
  /** Milliseconds since the exchange before it, where the time that has passed matters. */
  readonly later?: number
  /** Whether the status alone is compared, as of the URL of a result. Default: everything is. */
  readonly statusOnly?: boolean
  /** Whether a file kept some of the headers alone: those that are missing say nothing. Default: all are there. */
  readonly hasSomeHeaders?: boolean
  /** Body of the create that made what a query is about, where a file is compared. */
  readonly create?: unknown
  /** Message of the service to a receiver, in place of a call: the family whose task it reports, and its kind. */
  readonly message?: { readonly family: string; readonly kind: 'challenge' | 'delivery' }
}

/** Answer of a service as it is compared. A body that cannot be decoded is shown by its coding. */
export const seenAnswer = (answer: HttpAnswer): SeenAnswer => {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
  const decoded = decodedBody(answer)
  if (decoded === undefined)
    return {
      status: answer.status,
      headers,
      json: { '(cannot be decoded)': `Content-Encoding: ${headers['content-encoding']}` },
    }
  return { status: answer.status, headers, json: parseJson(decoded.toString()) }
}

const ID_KEY = /^((task|job|video|output|asset)_?)?id$/i
const ID = /^[\w-]{1,100}$/

/** Id that the answer to a create or an upload gives: at its place, or under a name such as `task_id` elsewhere. */
export const idIn = ({ idAt }: Operation, body: unknown): string | undefined => {
  const own = idAt === undefined ? undefined : textAt(body, idAt.split('.'))
  return own ?? idUnder(body, /task|job/i) ?? idUnder(body, /^/)
}

const idUnder = (value: unknown, like: RegExp): string | undefined => {
  if (!isRecord(value)) return undefined
  for (const [name, inner] of Object.entries(value))
    if (typeof inner === 'string' && ID_KEY.test(name) && like.test(name) && ID.test(inner)) return inner
  for (const inner of Object.values(value)) {
    const found = idUnder(inner, like)
    if (found !== undefined) return found
  }
  return undefined
}

// Words that services have for the states of a task, beside those of the specification.
const words: readonly (readonly [RegExp, State])[] = [
  [/queue|pend|wait|submit|creat/i, 'queued'],
  [/run|progress|process|generat|work|render/i, 'running'],
  [/succe|complet|done|finish|ready|active/i, 'succeeded'],
  [/fail|error/i, 'failed'],
  [/cancel/i, 'cancelled'],
  [/expir|time.?out/i, 'expired'],
]

/** Status word of a task in an answer: the first text under `status`, `state` or `task_status`. */
export const statusWordIn = (body: unknown): string | undefined => {
  if (!isRecord(body)) return undefined
  for (const [name, value] of Object.entries(body))
    if (/^(\w+_)?(status|state)$/i.test(name) && typeof value === 'string') return value
  for (const value of Object.values(body)) {
    const found = statusWordIn(value)
    if (found !== undefined) return found
  }
  return undefined
}

/** State that an answer about a task shows, or undefined where it shows none that is known. */
export const stateIn = (body: unknown, registry: Registry = builtIn, familyId = ''): State | undefined => {
  const word = statusWordIn(body)
  if (word === undefined) return undefined
  const family = registry.taskFamily(familyId)
  const other = family?.otherStatusWords?.[word]
  if (other !== undefined) return other
  // A family can have a state of the same name that is another one: E has pending and queued.
  const own = family === undefined ? undefined : statesOf(family).find((state) => state === word)
  if (own !== undefined) return own
  return words.find(([like]) => like.test(word))?.[1]
}

/** Id of an asset in an answer, under a name such as `asset_id`. Undefined where it has none. */
export const assetIdIn = (body: unknown): string | undefined => idUnder(body, /asset/i)

/** URLs of results in an answer, in order, each once. */
export const resultUrlsIn = (body: unknown): string[] => {
  const found = new Set<string>()
  const look = (value: unknown, name: string): void => {
    if (typeof value === 'string' && /^https?:\/\//i.test(value) && /url|image/i.test(name)) found.add(value)
    if (Array.isArray(value)) for (const inner of value) look(inner, name)
    else if (isRecord(value)) for (const [key, inner] of Object.entries(value)) look(inner, key)
  }
  look(body, '')
  return [...found]
}
