import type { z } from 'zod'
import { nearest } from '../core/errors.js'
import { shapeRefusals, valueAt } from '../core/request/shape.js'
import { readClock } from '../core/schedule/clock.js'
import { keysAt, unknownKey } from '../core/suggest.js'
import type { AnyAction, ControlContext } from './action.js'
import { actions } from './actions/index.js'

type Issue = z.core.$ZodIssue

/** What an action has against its input, in a sentence; parameters that it does not have with the nearest that it has. */
export const describeInputIssues = (schema: z.ZodType, issues: readonly Issue[], input: unknown): string => {
  const text = issues.flatMap((issue) => problemsOf(issue, schema, input)).join('; ')
  return text.endsWith('?') ? text : `${text}.`
}

const problemsOf = (issue: Issue, schema: z.ZodType, input: unknown): string[] => {
  if (issue.code !== 'unrecognized_keys')
    return shapeRefusals([issue], input).map(({ message }) => `${message}${meantWord(issue, input)}`)
  const known = keysAt(wayOf(schema, input), issue.path)
  return issue.keys.map((key) => unknownKey(key, known))
}

const meantWord = (issue: Issue, input: unknown): string => {
  const found = valueAt(input, issue.path)
  if (issue.code !== 'invalid_value' || typeof found !== 'string') return ''
  const meant = nearest(found, issue.values.map(String))
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

/** Of the ways that an input can have (what to wait for), the one that it says it has. */
const wayOf = (schema: z.ZodType, input: unknown): z.core.$ZodType => {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if (def.type !== 'union' || !('discriminator' in def)) return schema
  const name = String(def.discriminator)
  return def.options.find((way) => hasWord(way, name, valueAt(input, [name]))) ?? schema
}

const hasWord = (way: z.core.$ZodType, name: string, word: unknown): boolean => {
  const { def } = (way as z.core.$ZodTypes)._zod
  return def.type === 'object' && def.shape[name]?._zod.values?.has(word as string) === true
}

/** Does an action whose input has met its schema, and has the recorder know of what it changes. */
export const runAction = async (
  emulator: ControlContext,
  action: AnyAction,
  key: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const name = names.get(action) ?? ''
  if (action.route.method === 'GET' || recordedElsewhere.includes(name))
    return action.run(emulator, key, input)
  const before = await emulator.store.run(key, ({ clock }) => readClock(clock, emulator.wall()))
  const result = await action.run(emulator, key, input)
  const control = { at: before, action: name, input, ...(await settled[name]?.(result, input, emulator)) }
  emulator.journals.controlled(key, control)
  return result
}

const names = new Map<AnyAction, string>(Object.entries(actions).map(([name, action]) => [action, name]))

/** An account that is forgotten says so itself, and so does one that begins anew from what was kept. */
const recordedElsewhere = ['reset', 'finish', 'snapshots.take', 'snapshots.restore', 'state.write']

interface Settled {
  readonly at?: number
  readonly input?: Readonly<Record<string, unknown>>
}

type Settle = (
  result: { now: string; since: string },
  input: Readonly<Record<string, unknown>>,
  emulator: ControlContext,
) => Settled | Promise<Settled>

// What was done in relation to something else (a clock that runs, a file) is recorded as what came of it, so that it can
// be done again exactly.
const settled: Readonly<Record<string, Settle>> = {
  'clock.advance': ({ now }) => ({ at: Date.parse(now), input: { to: now } }),
  'tasks.force': ({ since }) => ({ at: Date.parse(since) }),
  'scenario.play': async (_, input, { scenarios }) => ({
    input: isNameAlone(input) ? await documentNamed(String(input.name), scenarios) : input,
  }),
}

const documentNamed = async (name: string, scenarios: ControlContext['scenarios']) => {
  // What writes documents knows all that a scenario can say, and is loaded with the first scenario.
  const { documentOf } = await import('../core/scenario/schema.js')
  return { ...documentOf(await scenarios.named(name)) }
}

const isNameAlone = (input: object): boolean => Object.keys(input).length === 1
