import { accountIdOf } from '../../core/account/account-id.js'
import { TaskTable } from '../../core/account/task-table.js'
import { hash } from '../../core/hash.js'
import {
  type Account,
  beginRun,
  type Callback,
  type CallbackQueue,
  type ScenarioRun,
} from '../../core/model/account.js'
import type { Task } from '../../core/model/task.js'
import { documentOf, type Scenario, scenarioSchema } from '../../core/scenario/schema.js'
import { Schedule } from '../../core/schedule/schedule.js'
import { type Instant, MINUTE, readClock } from '../../core/schedule/time.js'
import { BadRecord } from './errors.js'
import type { StoredAccount, StoredCallback, StoredQueue, StoredRun, StoredState } from './records.js'
import { clockNotBefore, resumeAccount } from './resume-account.js'

const scenarioIds = new WeakMap<Scenario, string>()

/** Id of a scenario's record: a hash of its document, so that two that say the same are one record. */
export const idOfScenario = (scenario: Scenario): string => {
  const known = scenarioIds.get(scenario)
  const id = known ?? hash('sha256', JSON.stringify(documentOf(scenario)), 'hex').slice(0, 16)
  scenarioIds.set(scenario, id)
  return id
}

/** Account as it was stored, with an empty schedule. */
interface ReadAccount {
  readonly account: Account
  /** The instant of its clock up to which everything due had happened. */
  readonly settledTo: Instant
}

/** Scenarios by the id of their record. */
export type Scenarios = Map<string, Scenario>

/** Scenarios of a stored state by id. @throws ZodError where one is not valid */
export const parseScenarios = ({ scenarios }: Pick<StoredState, 'scenarios'>): Scenarios =>
  new Map([...scenarios].map(([id, document]) => [id, scenarioSchema.parse(document)]))

/**
 * Reads the accounts of a stored state, before they are resumed.
 * @param checkParams says what is wrong with the parameters of a task, as a sentence without a full stop
 * @throws BadRecord where it does, or where a record names another one that is missing
 */
export const readAccounts = (
  state: Pick<StoredState, 'scenarios' | 'accounts'>,
  maxCallbacks: number,
  checkParams: (task: Task) => string | undefined = () => undefined,
): ReadAccount[] => {
  const scenarios = parseScenarios(state)
  return [...state.accounts].map(([key, stored]) => {
    for (const task of stored.task.values()) {
      const wrong = checkParams(task)
      if (wrong !== undefined) throw new BadRecord(`in the task ${task.id}, ${wrong}`)
    }
    return readAccount(key, stored, scenarios, maxCallbacks)
  })
}

/** Reads a stored account. @throws BadRecord where a record is missing */
export const readAccount = (
  key: string,
  stored: StoredAccount,
  scenarios: Scenarios,
  maxCallbacks: number,
): ReadAccount => {
  if (stored.head === undefined) throw new BadRecord(`the account ${key} has records, but none of itself`)
  const { ordinal, settledTo, callbacksEvicted: evicted, playing, ...head } = stored.head
  const orphan = [...stored.next.keys()].find((id) => !stored.task.has(id))
  if (orphan !== undefined)
    throw new BadRecord(`the next moment of the task ${orphan} is there, but no such task`)
  const account: Account = {
    key,
    id: accountIdOf(key),
    sequence: ordinal,
    ...head,
    recentCreates:
      head.limits.requestsPerMinute === null ? recentCreates(stored, settledTo) : [...head.recentCreates],
    tasks: tasksOf(stored),
    assets: new Map(stored.asset),
    jobs: new Map([...stored.asset.values()].map(({ id, jobId }) => [jobId, id])),
    schedule: new Schedule(),
    callbacks: {
      queues: new Map(
        [...stored.correspondence].map(([id, queue]) => [id, queueOf(queue, stored.task, scenarios)]),
      ),
      log: new Map([...stored.callback].map(([id, callback]) => [id, callbackOf(callback, stored.task)])),
      max: maxCallbacks,
      evicted,
    },
    playing: playing.map((run) => runOf(run, scenarios)),
  }
  return { account, settledTo }
}

const tasksOf = ({ task, next, correspondence }: StoredAccount): TaskTable => {
  const tasks = new TaskTable()
  for (const [id, stored] of task) {
    const index = next.get(id) ?? stored.timeline.length
    tasks.set(stored, stored.timeline[index] === undefined ? undefined : index)
    if (correspondence.has(id)) tasks.setReporting(id, true)
  }
  return tasks
}

// As many creates as an account without a limit remembers.
const MAX_RECENT = 10_000

const recentCreates = ({ task, asset }: StoredAccount, now: Instant): Instant[] =>
  [...task.values(), ...asset.values()]
    .map(({ createdAt }) => createdAt)
    .filter((at) => at > now - MINUTE)
    .sort((a, b) => a - b)
    .slice(-MAX_RECENT)

/** A callback with the task that it reports. @throws BadRecord where that is not there */
export const callbackOf = (
  { task, ...callback }: StoredCallback,
  tasks: Pick<TaskTable, 'get'>,
): Callback => {
  const reported = task ?? tasks.get(callback.taskId)
  if (reported === undefined)
    throw new BadRecord(`the callback ${callback.id} is there, but not the task that it reports`)
  return { ...callback, task: reported }
}

/** A queue with the tasks and the scenario that it names. @throws BadRecord where one is not there */
export const queueOf = (
  { way, waiting, held, requestRun, ...rest }: StoredQueue,
  tasks: Pick<TaskTable, 'get'>,
  scenarios: Scenarios,
): CallbackQueue => ({
  verification: way,
  ...rest,
  waiting: waiting.map((callback) => callbackOf(callback, tasks)),
  held: held.map((callback) => callbackOf(callback, tasks)),
  requestRun: requestRun && runOf(requestRun, scenarios),
})

/** @throws BadRecord where the scenario is not there, or has another number of steps */
export const runOf = (run: StoredRun, scenarios: Scenarios): ScenarioRun => {
  const scenario = scenarios.get(run.scenario)
  if (scenario === undefined) throw new BadRecord(`the scenario ${run.scenario} plays, but is not there`)
  const { name, steps } = scenario
  for (const field of ['seen', 'acted'] as const)
    if (run[field].length !== steps.length)
      throw new BadRecord(
        `in the run of the scenario ${name}, ${field} must have ${steps.length} items, one for each step, found ${run[field].length}`,
      )
  return { ...run, scenario }
}

interface RestoreParts {
  readonly seed: number
  /** Scenarios that the settings give to every account, or undefined where runs stay as they are. */
  readonly given?: readonly Scenario[] | undefined
  /** Names of the scenarios that the settings gave when the account was stored. */
  readonly before: readonly string[]
  /** Time of the system. */
  readonly now: Instant
}

/** Restores an account of a state file: its clock, its schedule and its runs. `isChanged`: it has other runs than before. */
export const restoreAccount = (
  { account, settledTo }: ReadAccount,
  parts: RestoreParts,
): { readonly account: Account; readonly isChanged: boolean } => {
  const { now } = parts
  const clock = clockNotBefore(account.clock, settledTo, now)
  const at = readClock(clock, now)
  const { playing } = account
  const runs = restoredRuns(playing, parts, at)
  const isChanged = runs.length !== playing.length || runs.some((run, index) => run !== playing[index])
  return { account: resumeAccount({ ...account, clock, playing: runs }, settledTo, at), isChanged }
}

/**
 * Runs of an account once it is restored. Scenarios of the settings continue; one that is new there, or has another
 * document, begins; one that the settings lack now ends. Runs that were begun by hand stay.
 */
const restoredRuns = (
  runs: readonly ScenarioRun[],
  { seed, given, before }: RestoreParts,
  at: Instant,
): readonly ScenarioRun[] => {
  if (given === undefined) return runs
  const byName = new Map(given.map((scenario) => [scenario.name, scenario]))
  const kept = runs.flatMap((run): ScenarioRun[] => {
    const { name } = run.scenario
    if (!before.includes(name)) return [run]
    const scenario = byName.get(name)
    if (scenario === undefined) return []
    return idOfScenario(scenario) === idOfScenario(run.scenario) ? [run] : [beginRun(scenario, seed, at)]
  })
  const added = given.filter(
    ({ name }) => !before.includes(name) && !runs.some(({ scenario }) => scenario.name === name),
  )
  return [...kept, ...added.map((scenario) => beginRun(scenario, seed, at))]
}
