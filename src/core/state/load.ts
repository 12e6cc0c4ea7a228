import type { Account } from '../account/account.js'
import { createSchedule } from '../account/agenda.js'
import { accountIdOf } from '../account/tag.js'
import { bytesOfTasks } from '../bounds/task-bytes.js'
import type { CallbackQueue } from '../callback/book.js'
import type { Callback } from '../callback/callback.js'
import type { ScenarioRun } from '../scenario/playing.js'
import type { Scenario } from '../scenario/scenario.js'
import { MINUTE } from '../time/duration.js'
import type { Instant } from '../time/timeline.js'
import { BadRecord } from './read-record.js'
import type { StoredAccount, StoredCallback, StoredQueue, StoredRun, StoredState } from './saved.js'
import { scenarioRunFrom } from './scenarios.js'

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
    agenda: createSchedule(),
    callbacks: { correspondences, log, most: callbacksMost, evicted },
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
