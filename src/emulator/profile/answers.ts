import { changeFields } from '../core/fields.js'
import type { Reply } from '../core/model/call.js'
import { isRecord } from '../core/request.js'
import { isBodiless, withoutBody } from './bodiless.js'
import { changedHeaders, mergedHeaders, takenAway } from './headers.js'
import type { AnswerChange } from './schema.js'
import { fillTemplates } from './templates.js'

/** Subject of an answer: what the rows under `answers` select by. */
export interface AnswerSubject {
  /** `c-video.read`; of a callback also the query whose answer it carries. */
  readonly operations: readonly string[]
  /** States of the task or asset that the answer is about; none where it is about none. */
  readonly states?: readonly string[]
  /** The name of the error, or undefined where the answer is no refusal. `''` where it has no name. */
  readonly error?: string | undefined
}

/** A reply that a profile has changed, with the rows that did, and the templates that named nothing. */
export interface ChangedReply {
  readonly reply: Reply
  /** The rows by their labels, the widest first. */
  readonly by: readonly string[]
  readonly missing: readonly string[]
}

/** The parts of a key under `answers`: `c-video.read@succeeded`. */
export const answerKey = (
  key: string,
): { readonly pattern: string; readonly condition: string | undefined } => {
  const at = key.indexOf('@')
  return at < 0
    ? { pattern: key, condition: undefined }
    : { pattern: key.slice(0, at), condition: key.slice(at + 1) }
}

/** What stands for an operation where the service has no such path (gap X7). */
export const UNKNOWN_PATH = 'unknown-path'

/** The condition of a key that means every refusal. */
export const REFUSAL = 'refusal'

type Headers = NonNullable<AnswerChange['headers']>

/** Whether a body is written as JSON, or came as a text of JSON from the host of a route. */
const isJsonBody = ({ text, body }: Reply): boolean =>
  text === undefined || (typeof body === 'object' && body !== null)

/** A reply whose text is written anew, where its fields change. */
const asWritten = (reply: Reply, { remove, rename, move, wrap, set }: AnswerChange): Reply => {
  const isChanged = [remove, rename, move, wrap, set].some((part) => part !== undefined && part !== null)
  if (reply.text === undefined || !isChanged || !isJsonBody(reply)) return reply
  const { text: _, ...others } = reply
  return others
}

interface Row {
  readonly label: string
  readonly pattern: string
  readonly condition: string | undefined
  readonly change: AnswerChange
}

/** Changes of answers: the rows of a profile, which are merged for each kind of answer once, the widest first. */
export class AnswerChanges {
  readonly #rows: readonly Row[]
  readonly #merged = new Map<
    string,
    { readonly change: AnswerChange; readonly by: readonly string[] } | null
  >()

  /** @param labelOf how explanations call a row, by its key */
  constructor(rows: Readonly<Record<string, AnswerChange>>, labelOf: (key: string) => string = (key) => key) {
    this.#rows = Object.entries(rows)
      .map(([key, change]) => ({ label: labelOf(key), ...answerKey(key), change }))
      .sort((a, b) => width(a) - width(b))
  }

  /** The reply as it goes out, or undefined where no row is about it. */
  apply(reply: Reply, subject: AnswerSubject): ChangedReply | undefined {
    const merged = this.#mergedFor(subject)
    if (merged === null) return undefined
    const { change, by } = merged
    const { value: set, missing } = fillTemplates(change.set ?? {}, isRecord(reply.body) ? reply.body : {})
    const { bytes, result, stream } = reply
    const isJson = bytes === undefined && result === undefined && stream === undefined && isJsonBody(reply)
    const body = isJson
      ? changeFields(reply.body, { ...change, set: set as Record<string, unknown> })
      : reply.body
    const status = change.status ?? reply.status
    const changed: Reply = isBodiless(status)
      ? { ...reply, ...withoutBody, status }
      : { ...asWritten(reply, change), status, body }
    if (change.headers === undefined) return { reply: changed, by, missing }
    const headers = changedHeaders(reply.headers ?? {}, change.headers)
    const without = takenAway(change.headers, changed.without)
    return { reply: { ...changed, headers, ...(without.length === 0 ? {} : { without }) }, by, missing }
  }

  #mergedFor(subject: AnswerSubject) {
    const { operations, states = [], error } = subject
    const name = `${operations.join(' ')}@${states.join(' ')}@${error}`
    let merged = this.#merged.get(name)
    if (merged === undefined) {
      const rows = this.#rows.filter((row) => isAbout(row, subject))
      merged = rows.length === 0 ? null : { change: mergeChanges(rows), by: rows.map(({ label }) => label) }
      this.#merged.set(name, merged)
    }
    return merged
  }
}

const width = ({ pattern, condition }: Row): number => {
  const ofPattern = pattern === '*' ? 0 : pattern.endsWith('.*') ? 1 : pattern.endsWith('.callback') ? 3 : 2
  const ofCondition = condition === undefined ? 0 : condition === REFUSAL ? 1 : 2
  return ofPattern * 3 + ofCondition
}

const isAbout = ({ pattern, condition }: Row, { operations, states = [], error }: AnswerSubject): boolean => {
  const isOf = operations.some(
    (operation) =>
      pattern === '*' || pattern === operation || pattern === operation.replace(/\.[^.]*$/, '.*'),
  )
  if (!isOf) return false
  // It is refused whatever is asked.
  const isAlways = pattern === UNKNOWN_PATH && condition === undefined
  if (error !== undefined)
    return isAlways || condition === REFUSAL || (condition !== undefined && condition === error)
  return condition === undefined || states.includes(condition)
}

const mergeChanges = (rows: readonly Row[]): AnswerChange => {
  const all: Record<string, unknown> = {}
  for (const { change } of rows)
    for (const [key, value] of Object.entries(change)) {
      const before = all[key]
      if (Array.isArray(value) && Array.isArray(before)) all[key] = [...before, ...value]
      else if (!isRecord(value) || !isRecord(before)) all[key] = value
      else
        all[key] =
          key === 'headers' ? mergedHeaders(before as Headers, value as Headers) : { ...before, ...value }
    }
  return all as AnswerChange
}
