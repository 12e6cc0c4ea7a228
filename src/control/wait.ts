import { clearTimeout, setTimeout } from 'node:timers'
import { z } from 'zod'
import { shownItem } from '../callbacks/inbox.js'
import { ControlError } from '../core/control-error.js'
import { states } from '../core/model/task.js'
import { readClock } from '../core/schedule/clock.js'
import { formatDuration } from '../core/schedule/duration.js'
import { isoOf } from '../core/schedule/iso.js'
import { nextDue } from '../core/schedule/run-due.js'
import { cameBy } from '../core/schedule/timeline.js'
import { isFinal, viewAt } from '../core/task/timeline.js'
import type { ControlContext } from './action.js'
import { callbackFilterSchema, callbacksOf, shownCallback } from './actions/callbacks.js'
import { filterSchema, shownEntry } from './actions/requests.js'
import { shownTask } from './actions/tasks.js'

/** How long to wait, in real time. */
const timeout = z.string().default('5s')
const count = z.coerce.number().int().min(1).default(1)

const things = [
  z.strictObject({ for: z.literal('task'), id: z.string(), status: z.enum(states).optional(), timeout }),
  filterSchema.extend({ for: z.literal('request'), count, timeout }),
  callbackFilterSchema.extend({ for: z.literal('callback'), count, timeout }),
  z.strictObject({ for: z.literal('inbox'), name: z.string(), count, timeout }),
  z.strictObject({ for: z.literal('idle'), timeout }),
] as const

const names = things.map(({ shape }) => shape.for.value)

/** What can be waited for. */
export const waitInput = z.discriminatedUnion('for', things, { error: `one of ${names.join(', ')}` })
type WaitInput = z.output<typeof waitInput>
type WaitFor<What extends WaitInput['for']> = Extract<WaitInput, { for: What }>

/** What was looked for: `reached` when it is there, and what there is either way. */
interface ConditionResult {
  readonly reached: boolean
  readonly found: unknown
  /** What is not there yet, in a sentence without a full stop, for whoever waited in vain. */
  readonly missing: string
  /** It cannot come any more, so that waiting on is in vain. */
  readonly isImpossible?: boolean
}

/** Looks once whether what somebody waits for is there. */
export const checkCondition = (
  emulator: ControlContext,
  key: string,
  input: WaitInput,
): Promise<ConditionResult> => {
  switch (input.for) {
    case 'task':
      return lookForTask(emulator, key, input)
    case 'request':
      return lookForRequests(emulator, key, input)
    case 'callback':
      return lookForCallbacks(emulator, key, input)
    case 'inbox':
      return lookForMessages(emulator, key, input)
    case 'idle':
      return lookForIdle(emulator, key)
  }
}

// A state that was reached and left again counts: whoever waits for `running` may come late.
const lookForTask = (
  { store, wall }: ControlContext,
  key: string,
  { id, status }: WaitFor<'task'>,
): Promise<ConditionResult> =>
  store.run(key, (account) => {
    const task = account.tasks.get(id)
    if (task === undefined) return { reached: false, found: null, missing: `This account has no task ${id}` }
    const now = readClock(account.clock, wall())
    const view = viewAt(task, now)
    const past = task.timeline.slice(0, Math.max(1, cameBy(task.timeline, now)))
    const isOver = past.length === task.timeline.length && isFinal(view.phase)
    const reached = status === undefined ? isOver : past.some(({ value }) => value.state === status)
    const aim = status === undefined ? 'has not ended' : `has not become ${status}`
    const missing = `The task ${id} ${aim}: it is ${view.phase.state} since ${isoOf(view.since)}`
    return { reached, found: shownTask(view), missing, isImpossible: isOver && !reached }
  })

const lookForRequests = async (
  { journals }: ControlContext,
  key: string,
  { for: _, count, timeout: __, ...filter }: WaitFor<'request'>,
): Promise<ConditionResult> => {
  const journal = journals.journalOf(key)
  const entries = journal.list(filter)
  const came = journal.list().map(({ method, path, status }) => `${method} ${path} (${status})`)
  return {
    reached: entries.length >= count,
    found: { items: entries.map(shownEntry), total: entries.length },
    missing: `${entries.length} of ${count} such requests came; ${latest(came, 'request', 'came to this account')}`,
  }
}

const lookForCallbacks = async (
  emulator: ControlContext,
  key: string,
  { for: _, count, timeout: __, ...filter }: WaitFor<'callback'>,
): Promise<ConditionResult> => {
  const [{ items }, all] = await Promise.all([
    callbacksOf(emulator, key, { state: 'delivered', ...filter }),
    callbacksOf(emulator, key),
  ])
  const there = all.items.map(
    ({ taskId, kind, status, state }) => `${status ?? kind} of ${taskId} (${state})`,
  )
  return {
    reached: items.length >= count,
    found: { items: items.map(shownCallback), total: items.length },
    missing: `${items.length} of ${count} such callbacks are there; ${latest(there, 'callback', 'is in the log')}`,
  }
}

const lookForMessages = async (
  { inbox }: ControlContext,
  key: string,
  { name, count }: WaitFor<'inbox'>,
): Promise<ConditionResult> => {
  const { items } = inbox.list(key, name)
  return {
    reached: items.length >= count,
    found: { items: items.map(shownItem), total: items.length },
    missing: `${items.length} of ${count} messages are in the box ${name}`,
  }
}

// A callback that is on its way is not in the agenda, and may yet have to be tried again.
const lookForIdle = ({ store, wall }: ControlContext, key: string): Promise<ConditionResult> =>
  store.run(key, (account) => {
    const next = nextDue(account)
    const now = readClock(account.clock, wall())
    const unfinished = [...account.tasks.values()]
      .filter(({ timeline: life }) => cameBy(life, now) < life.length)
      .map((task) => `the task ${task.id} is ${viewAt(task, now).phase.state}`)
    const onTheirWay = [...account.callbacks.correspondences.values()].filter(
      ({ waiting }) => waiting.length > 0,
    )
    return {
      reached: next === undefined && onTheirWay.length === 0,
      found: { next: next === undefined ? null : isoOf(next), callbacks: onTheirWay.length },
      missing:
        next === undefined
          ? `Callbacks of ${onTheirWay.length} tasks are on their way`
          : [`Something is left to happen, next at ${isoOf(next)}`, shortened(unfinished)]
              .filter((part) => part !== '')
              .join(': '),
    }
  })

const MOST_SHOWN = 5

const latest = (lines: readonly string[], what: string, verb: string): string => {
  if (lines.length === 0) return `no ${what} ${verb}`
  return `the latest ${what}s: ${shortened(lines)}`
}

const shortened = (lines: readonly string[]): string => {
  const shown = lines.slice(0, MOST_SHOWN).join(', ')
  return lines.length > MOST_SHOWN ? `${shown} and ${lines.length - MOST_SHOWN} more` : shown
}

/** What can bring about that which somebody waits for. */
const NEWS = ['happening', 'request', 'callback', 'inbox'] as const

/**
 * Looks now and whenever something comes about on the account, until what is looked for is there.
 * @throws ControlError `not-yet` when it is not after a time of real milliseconds, `never` when it cannot come any more
 */
export const waitUntil = (
  emulator: ControlContext,
  key: string,
  look: () => Promise<ConditionResult>,
  timeoutMs: number,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const again = async () => {
      const seen = await look()
      if (seen.reached) end(() => resolve(seen.found))
      else if (seen.isImpossible === true) end(() => reject(never(seen)))
    }
    const giveUp = async () => {
      const [seen, hint] = await Promise.all([look(), suggestion(emulator, key)])
      end(() => (seen.reached ? resolve(seen.found) : reject(notYet(seen, timeoutMs, hint))))
    }
    const fail = (error: unknown) => end(() => reject(error))
    const hear = (about: { readonly account: string }) => {
      if (about.account === key) again().catch(fail)
    }
    const end = (tell: () => void) => {
      clearTimeout(timer)
      for (const news of NEWS) emulator.events.off(news, hear)
      tell()
    }
    // Node's own timer, which is there whatever a test in the same process puts in the place of the global one.
    const timer = setTimeout(() => void giveUp().catch(fail), Math.min(timeoutMs, LONGEST_TIMER_MS))
    // Listening comes before the first look, so that nothing is missed in between.
    for (const news of NEWS) emulator.events.on(news, hear)
    again().catch(fail)
  })

// A longer one would ring at once. Nobody waits for 24 days.
const LONGEST_TIMER_MS = 2 ** 31 - 1

const notYet = ({ missing, found }: ConditionResult, timeoutMs: number, hint: string): ControlError =>
  new ControlError(408, 'not-yet', `Waited for ${formatDuration(timeoutMs)}. ${missing}.`, hint, found)

const never = ({ missing, found }: ConditionResult): ControlError =>
  new ControlError(409, 'never', `${missing}, and nothing more will come of it.`, '', found)

const suggestion = async (emulator: ControlContext, key: string): Promise<string> => {
  if (await othersCall(emulator, key))
    return 'This account has had no calls at all, and others have: is the code given the key of this one?'
  return emulator.store.run(key, (account) => {
    const next = nextDue(account)
    const { mode } = account.clock
    if (mode === 'live' || next === undefined) return 'Wait longer with timeout, or look at what there is.'
    const now = isoOf(readClock(account.clock, emulator.wall()))
    return `The clock is ${mode} and stands at ${now}; the next moment is at ${isoOf(next)}: advance the clock.`
  })
}

const othersCall = async ({ store }: ControlContext, key: string): Promise<boolean> => {
  const callsOf = (one: string) => store.run(one, ({ requests }) => requests)
  if ((await callsOf(key)) > 0) return false
  return (await Promise.all((await store.keys()).map(callsOf))).some((calls) => calls > 0)
}
