import { hash } from 'node:crypto'
import { accountIdOf } from '../../core/account/account-id.js'
import { bytesOfTasks } from '../../core/account/eviction.js'
import type { Account } from '../../core/model/account.js'
import type { Callback, CallbackQueue } from '../../core/model/callback.js'
import { beginRun, type ScenarioRun } from '../../core/model/scenario-run.js'
import { documentOf, type Scenario } from '../../core/scenario/schema.js'
import { readClock } from '../../core/schedule/clock.js'
import { MINUTE } from '../../core/schedule/duration.js'
import { createSchedule } from '../../core/schedule/schedule.js'
import type { Instant } from '../../core/schedule/timeline.js'
import { BadRecord } from './read-record.js'
import type {
  StoredAccount,
  StoredCallback,
  StoredHead,
  StoredQueue,
  StoredRun,
  StoredState,
} from './records.js'

const known = new WeakMap<Scenario, string>()

/** What a scenario is called where it is written down: two that say the same have one name. */
export const idOfScenario = (scenario: Scenario): string => {
  const id = known.get(scenario) ?? hash('sha256', JSON.stringify(documentOf(scenario)), 'hex').slice(0, 16)
  known.set(scenario, id)
  return id
}

export const storedRun = (run: ScenarioRun): StoredRun => ({ ...run, scenario: idOfScenario(run.scenario) })

/** How a scenario stood with an account when that was written down. */
export const scenarioRunFrom = (stored: StoredRun, scenario: Scenario): ScenarioRun => ({
  ...stored,
  scenario,
})

/** What plays for an account that was read, and what has to be put right with what the settings say now. */
interface Given {
  readonly now: readonly Scenario[]
  /** The names of those that the settings gave when the account was written. */
  readonly before: readonly string[]
}

/**
 * What plays for an account once it is read. Scenarios of the settings go on where they stood; one that is new there, or
 * says something else, begins; one that has left them ends. Those that were begun by hand are none of this business.
 */
export const playingNow = (
  playing: readonly ScenarioRun[],
  given: Given,
  seed: number,
  at: Instant,
): readonly ScenarioRun[] => {
  const namedNow = new Map(given.now.map((scenario) => [scenario.name, scenario]))
  const kept = playing.flatMap((play): ScenarioRun[] => {
    const { name } = play.scenario
    if (!given.before.includes(name)) return [play]
    const scenario = namedNow.get(name)
    if (scenario === undefined) return []
    return idOfScenario(scenario) === idOfScenario(play.scenario) ? [play] : [beginRun(scenario, seed, at)]
  })
  const added = given.now.filter(
    ({ name }) => !given.before.includes(name) && !playing.some(({ scenario }) => scenario.name === name),
  )
  return [...kept, ...added.map((scenario) => beginRun(scenario, seed, at))]
}

/** An account without what it holds, when the wall stands at `wall`. */
export const storedHead = (account: Account, wall: Instant): StoredHead => ({
  clock: account.clock,
  settledTo: readClock(account.clock, wall),
  ordinal: account.ordinal,
  requests: account.requests,
  credit: account.credit,
  spent: account.spent,
  agreementAccepted: account.agreementAccepted,
  limits: account.limits,
  // Without a limit nothing counts them, and they would be written every time; they are made again from what was made.
  recentCreates: account.limits.requestsPerMinute === null ? [] : [...account.recentCreates],
  imagesMade: account.imagesMade,
  callbacksEvicted: account.callbacks.evicted,
  playing: account.playing.map(storedRun),
})

// A callback has the task as it was, which is nearly always the one that stands in the account.
export const storedCallback = (account: Account, { task, ...callback }: Callback): StoredCallback =>
  account.tasks.get(task.id) === task ? callback : { ...callback, task }

export const storedQueue = (
  account: Account,
  { guest, waiting, held, ...correspondence }: CallbackQueue,
): StoredQueue => ({
  ...correspondence,
  waiting: waiting.map((callback) => storedCallback(account, callback)),
  held: held.map((callback) => storedCallback(account, callback)),
  ...(guest === undefined ? {} : { guest: storedRun(guest) }),
})

/**
 * An account as it was when it was written down. Nothing is in its agenda yet: `resume` looks ahead from the instant at
 * which the account goes on.
 * @throws BadRecord where something names what is not there
 */
export const accountFrom = (
  key: string,
  saved: StoredAccount,
  scenarios: StoredState['scenarios'],
  callbacksMost: number,
): Account => {
  if (saved.head === undefined) throw new BadRecord(`the account ${key} has records, but none of itself`)
  const { settledTo, callbacksEvicted: evicted, playing, ...head } = saved.head
  const orphan = [...saved.next.keys()].find((id) => !saved.task.has(id))
  if (orphan !== undefined)
    throw new BadRecord(`the next moment of the task ${orphan} is there, but no such task`)
  const log = new Map([...saved.callback].map(([id, callback]) => [id, callbackFrom(callback, saved)]))
  const correspondences = new Map(
    [...saved.correspondence].map(([id, one]) => [id, correspondenceFrom(one, saved, scenarios)]),
  )
  return {
    key,
    tag: accountIdOf(key),
    ...head,
    recentCreates:
      head.limits.requestsPerMinute === null ? recentlyMade(saved, settledTo) : head.recentCreates,
    tasks: saved.task,
    taskBytes: bytesOfTasks(saved.task.values()),
    open: saved.next,
    assets: saved.asset,
    jobs: new Map([...saved.asset.values()].map(({ id, jobId }) => [jobId, id])),
    schedule: createSchedule(),
    callbacks: { queues: correspondences, log, max: callbacksMost, evicted },
    playing: playing.map((play) => playingOf(play, scenarios)),
  }
}

// As many as an account without a limit remembers.
const MOST_RECENT = 10_000

const recentlyMade = ({ task, asset }: StoredAccount, now: Instant): Instant[] => {
  const recent: Instant[] = []
  for (const made of [task, asset])
    for (const { createdAt } of made.values()) if (createdAt > now - MINUTE) recent.push(createdAt)
  return recent.sort((a, b) => a - b).slice(-MOST_RECENT)
}

const callbackFrom = ({ task, ...callback }: StoredCallback, saved: StoredAccount): Callback => {
  const reported = task ?? saved.task.get(callback.taskId)
  if (reported === undefined)
    throw new BadRecord(`the callback ${callback.id} is there, but not the task that it reports`)
  return { ...callback, task: reported }
}

const correspondenceFrom = (
  { waiting, held, guest, ...correspondence }: StoredQueue,
  saved: StoredAccount,
  scenarios: StoredState['scenarios'],
): CallbackQueue => ({
  ...correspondence,
  waiting: waiting.map((callback) => callbackFrom(callback, saved)),
  held: held.map((callback) => callbackFrom(callback, saved)),
  ...(guest === undefined ? {} : { guest: playingOf(guest, scenarios) }),
})

const playingOf = (saved: StoredRun, scenarios: ReadonlyMap<string, Scenario>): ScenarioRun => {
  const scenario = scenarios.get(saved.scenario)
  if (scenario === undefined) throw new BadRecord(`the scenario ${saved.scenario} plays, but is not there`)
  return scenarioRunFrom(saved, scenario)
}
