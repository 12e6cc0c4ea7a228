import { z } from 'zod'
import { nextDue } from '../../../core/account/settle.js'
import { matches } from '../../../core/journal/journal.js'
import { states } from '../../../core/task/phase.js'
import { viewAt } from '../../../core/task/task.js'
import { readClock } from '../../../core/time/clock.js'
import { parseDuration } from '../../../core/time/duration.js'
import { cameBy } from '../../../core/time/timeline.js'
import { action, type Controlled } from '../action.js'
import { ControlError } from '../control-error.js'
import { isoOf } from '../iso.js'
import { filterSchema, shownEntry } from './requests.js'
import { shownTask } from './tasks.js'

const timeout = z.string().default('5s')

const waitInput = z.discriminatedUnion('for', [
  z.object({ for: z.literal('task'), id: z.string(), status: z.enum(states).optional(), timeout }),
  filterSchema.extend({
    for: z.literal('request'),
    count: z.coerce.number().int().min(1).default(1),
    timeout,
  }),
  z.object({ for: z.literal('idle'), timeout }),
])
export type WaitInput = z.input<typeof waitInput>

/** Answers as soon as it has happened, or with 408 and what there is when it has not within the timeout (of real time). */
export const wait = action({
  route: { method: 'GET', path: '/wait' },
  input: waitInput,
  run: async (emulator, key, input) => {
    const look = () => lookFor(emulator, key, input)
    return untilTrue(emulator, key, look, parseDuration(input.timeout))
  },
})

/** What was looked for: `reached` when it is there, and what there is either way. */
interface Look {
  readonly reached: boolean
  readonly found: unknown
}

const lookFor = (emulator: Controlled, key: string, input: z.output<typeof waitInput>): Promise<Look> => {
  if (input.for === 'task') return lookForTask(emulator, key, input.id, input.status)
  if (input.for === 'request') return lookForRequest(emulator, key, input)
  return lookForIdle(emulator, key)
}

// A state that was reached and left again counts: whoever waits for `running` may come late.
const lookForTask = ({ store, wall }: Controlled, key: string, id: string, status?: string): Promise<Look> =>
  store.run(key, (account) => {
    const task = account.tasks.get(id)
    if (task === undefined) return { reached: false, found: null }
    const now = readClock(account.clock, wall())
    const view = viewAt(task, now)
    const past = task.life.slice(0, Math.max(1, cameBy(task.life, now)))
    const isOver = past.length === task.life.length
    const reached = status === undefined ? isOver : past.some(({ value }) => value.state === status)
    return { reached, found: shownTask(view) }
  })

const lookForRequest = async (
  { recorder }: Controlled,
  key: string,
  { count, ...filter }: Extract<z.output<typeof waitInput>, { for: 'request' }>,
): Promise<Look> => {
  const entries = recorder
    .journalOf(key)
    .list()
    .filter((entry) => matches(entry, filter))
  return {
    reached: entries.length >= count,
    found: { items: entries.map(shownEntry), total: entries.length },
  }
}

const lookForIdle = ({ store }: Controlled, key: string): Promise<Look> =>
  store.run(key, (account) => {
    const next = nextDue(account)
    return { reached: next === undefined, found: { next: next === undefined ? null : isoOf(next) } }
  })

const untilTrue = async (
  emulator: Controlled,
  key: string,
  look: () => Promise<Look>,
  timeoutMs: number,
): Promise<unknown> => {
  const first = await look()
  if (first.reached) return first.found
  return new Promise((resolve, reject) => {
    const again = async (about: { account: string }) => {
      if (about.account !== key) return
      const seen = await look()
      if (seen.reached) settle(() => resolve(seen.found))
    }
    const settle = (done: () => void) => {
      clearTimeout(timer)
      emulator.events.off('happening', again)
      emulator.events.off('request', again)
      done()
    }
    const giveUp = async () => {
      const [seen, clock] = await Promise.all([look(), clockOf(emulator, key)])
      settle(() => (seen.reached ? resolve(seen.found) : reject(tooLate(timeoutMs, seen.found, clock))))
    }
    const timer = setTimeout(giveUp, timeoutMs)
    emulator.events.on('happening', again)
    emulator.events.on('request', again)
  })
}

const clockOf = ({ store, wall }: Controlled, key: string) =>
  store.run(key, (account) => ({
    mode: account.clock.mode,
    now: isoOf(readClock(account.clock, wall())),
    next: nextDue(account) ?? null,
  }))

const tooLate = (ms: number, found: unknown, { mode, now, next }: Awaited<ReturnType<typeof clockOf>>) =>
  new ControlError(
    408,
    'not-yet',
    `It has not happened within ${ms} ms.`,
    mode === 'live' || next === null
      ? 'Wait longer with timeout=, or look at what there is.'
      : `The clock is ${mode} and stands at ${now}; the next moment is at ${isoOf(next)}: advance the clock.`,
    found,
  )
