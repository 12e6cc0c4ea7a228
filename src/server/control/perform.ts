import { readClock } from '../../core/time/clock.js'
import type { AnyAction, ControlContext } from './action.js'
import { actions } from './actions/index.js'

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
  const { documentOf } = await import('../../core/scenario/scenario.js')
  return { ...documentOf(await scenarios.named(name)) }
}

const isNameAlone = (input: object): boolean => Object.keys(input).length === 1
