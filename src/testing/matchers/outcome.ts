import { text, validateArguments } from '../../emulator/surface/client.js'
import { shown } from '../../emulator/surface/journal.js'
import { EmulatorError, unknownRule } from '../../emulator/surface/records.js'
import type { RefusalRecord, RequestRecord, TaskRecord } from '../../generated/control-api.js'
import { type RulePattern, ruleIds } from '../../generated/names.js'

/** Result of a matcher. `message` is called when the test fails: of a failed match, or of a match that should not be. */
export interface Outcome {
  readonly pass: boolean
  readonly message: () => string
}

/** Matcher context of a framework, as far as all of them have it: `equals` of Playwright's throws. */
export interface Matching {
  readonly isNot?: boolean
  readonly utils: { readonly stringify: (value: unknown) => string }
}

/** Whether a JSON value contains what is expected, asymmetric matchers such as `expect.any(String)` included. */
export const holds = (value: unknown, expected: unknown): boolean => {
  const { asymmetricMatch } = (expected ?? {}) as { asymmetricMatch?: (value: unknown) => boolean }
  if (typeof asymmetricMatch === 'function') return asymmetricMatch.call(expected, value)
  if (typeof expected !== 'object' || expected === null) return Object.is(value, expected)
  if (kindOf(value) !== kindOf(expected)) return false
  if (Array.isArray(expected) && expected.length !== (value as unknown[]).length) return false
  return Object.entries(expected).every(
    ([name, inner]) =>
      Object.hasOwn(value as object, name) && holds((value as Record<string, unknown>)[name], inner),
  )
}

/** `Object`, `Array`, `Date`, for values of any realm. */
export const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)

const MAX_LINES = 20

/** The last lines under a title, or a sentence where there are none. */
export const listed = (title: string, lines: readonly string[], instead: string): string => {
  if (lines.length === 0) return instead
  const left = Math.max(0, lines.length - MAX_LINES)
  const shown = left === 0 ? lines : [`… ${left} before these`, ...lines.slice(left)]
  return [title, ...shown.map((line) => `  ${line}`)].join('\n')
}

/** `Expected the task cgt-1 not to have succeeded, and it is failed.` */
export const expectationText = (
  isNot: boolean | undefined,
  what: string,
  deed: string,
  found: string,
): string => `Expected ${what} ${isNot === true ? 'not ' : ''}to ${deed}, ${found}.`

const PLAIN = ['Object', 'Array', 'String', 'Number', 'Boolean', 'Null', 'Undefined']

/** A matcher's subject as messages show it: plain values as they are, a promise, and other objects by their class. */
export const subjectText = (value: unknown): string => {
  const kind = kindOf(value)
  if (kind === 'Promise') return 'a promise that was not awaited'
  return PLAIN.includes(kind) ? shown(value) : `a ${kind}`
}

const SUCCESS = ['succeeded', 'completed']

export function toHaveSucceeded(this: Matching, task: unknown): Outcome {
  const { status, error, timeline, id } = taskIn(task)
  const lines = (timeline ?? []).map(
    (moment) => `${moment.at} ${moment.status}${moment.error === undefined ? '' : ` (${moment.error})`}`,
  )
  const why = error === undefined || error === null ? '' : `, with the error ${this.utils.stringify(error)}`
  const what = id === undefined ? 'the task' : `the task ${id}`
  const message = expectationText(this.isNot, what, 'have succeeded', `and it is ${status}${why}`)
  const moments = listed('Its timeline, with what is to come:', lines, '')
  return {
    pass: SUCCESS.includes(status),
    message: () => (moments === '' ? message : `${message}\n\n${moments}`),
  }
}

interface TaskLike {
  readonly id?: string
  readonly status: string
  readonly error?: unknown
  readonly timeline?: TaskRecord['timeline']
}

const taskIn = (value: unknown): TaskLike => {
  const { status, task } = (value ?? {}) as { status?: unknown; task?: unknown }
  if (typeof status === 'string') return value as TaskLike
  if (task !== undefined && task !== null) return taskIn(task)
  throw new EmulatorError(`toHaveSucceeded is said of a task with a status, found ${subjectText(value)}.`, {
    code: 'wrong-subject',
    hint: 'Write expect(await emulator.tasks.get(id)).toHaveSucceeded(), or give it the body of a status query.',
  })
}

export function toBeExplainedBy(this: Matching, call: unknown, rule: RulePattern): Outcome {
  validateArguments('toBeExplainedBy', [rule], { rule: text })
  const { method, path, status, refusedBy, operation } = callIn(call)
  validateRule(rule, operation)
  const [first] = refusedBy
  return {
    pass: first !== undefined && isWithin(first.rule, rule),
    message: () => {
      const found = `and it was answered with ${status}`
      const sentence = expectationText(this.isNot, `${method} ${path}`, `be refused by ${rule}`, found)
      const lines = refusedBy.map(refusalText(this))
      return `${sentence}\n\n${listed('It was refused by:', lines, 'No rule has refused it.')}`
    },
  }
}

/** Whether a rule is the one that is named, or one of those whose beginning it is. */
const isWithin = (rule: string, named: string): boolean =>
  rule === named || rule.startsWith(`${named}.`) || rule.startsWith(`${named}[`)

/** Rejects an unknown rule: `.not` would pass with a misspelt one. @throws EmulatorError `unknown-rule` */
const validateRule = (named: string, operation: string | null): void => {
  const [family = ''] = named.split('.')
  // Of a family from outside, whose rules are in its emulator alone.
  if (!ruleIds.some((id) => id.startsWith(`${family}.`)) && operation?.startsWith(`${family}.`) === true)
    return
  const message = unknownRule(named, ruleIds, isWithin)
  if (message === undefined) return
  throw new EmulatorError(`toBeExplainedBy: ${message}`, {
    code: 'unknown-rule',
    hint: 'GET /_backlot/rules lists them; the parts that one begins with are enough.',
  })
}

const refusalText =
  ({ utils }: Matching) =>
  ({ rule, place, field, found, allowed, message }: RefusalRecord): string =>
    [
      `${rule} (${place})`,
      message === undefined ? '' : `: ${message}`,
      field === undefined ? '' : `; ${field} was ${utils.stringify(found)}`,
      allowed === undefined ? '' : `; allowed is ${allowed}`,
    ].join('')

const callIn = (value: unknown): RequestRecord => {
  if (Array.isArray((value as Partial<RequestRecord> | null | undefined)?.refusedBy))
    return value as RequestRecord
  throw new EmulatorError(`toBeExplainedBy is said of a call of the journal, found ${subjectText(value)}.`, {
    code: 'wrong-subject',
    hint: "Write expect(await emulator.requests.get(response.headers.get('x-request-id'))).toBeExplainedBy(rule).",
  })
}
