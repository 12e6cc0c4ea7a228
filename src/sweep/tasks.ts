import type { State } from '../core/model/task.js'
import type { CallSighting, Sighting } from './sighting.js'

/** Task that a run made, as it stood when the command ended. */
export interface SightedTask {
  readonly account: string
  /** Hash of the create that made it: the same where the same is ordered again. */
  readonly request: string
  readonly state: State
  /** What it costs when it succeeds. */
  readonly price: number
  readonly idempotencyKey: string | undefined
  /** Whether a result was handed out. */
  readonly isFetched: boolean
  /** Whether no client can get the result: it runs for ever, vanishes, has no URL, or the key does not count any more. */
  readonly isOutOfReach: boolean
}

/** Tasks of a run. One whose create was never recorded is not among them. */
export const tasksOf = (sightings: readonly Sighting[]): SightedTask[] => {
  const states = new Map<string, { readonly state: State; readonly price: number }>()
  const fetched = new Set<string>()
  const latest = new Map<string, CallSighting>()
  for (const sighting of sightings) {
    if (sighting.kind === 'task') states.set(sighting.task, sighting)
    if (sighting.kind !== 'call') continue
    // The address of a result needs no key.
    if (sighting.operation !== 'results.download') latest.set(sighting.account, sighting)
    else if (sighting.status < 300 && sighting.method !== 'HEAD') fetched.add(sighting.task ?? '')
  }
  return sightings.flatMap((call) => {
    if (call.kind !== 'call' || call.makes !== true || call.task === undefined) return []
    const { account, request, idempotencyKey, task } = call
    const { state = 'queued' as const, price = 0 } = states.get(task) ?? {}
    const isOutOfReach = isWithheld(call, state) || isLockedOut(latest.get(account))
    return [{ account, request, state, price, idempotencyKey, isFetched: fetched.has(task), isOutOfReach }]
  })
}

/** States of tasks that have not ended. */
export const openStates: readonly string[] = ['pending', 'queued', 'running']

/** Whether a task has not ended. */
export const isOpen = ({ state }: SightedTask): boolean => openStates.includes(state)

const isWithheld = ({ acted }: CallSighting, state: State): boolean =>
  acted?.effects.some((effect) => ['task.vanishes', 'task.withoutUrl'].includes(effect)) === true ||
  (state === 'running' && acted?.effects.includes('task.runningFor') === true)

const isLockedOut = (call: CallSighting | undefined): boolean =>
  call?.acted !== undefined && (call.status === 401 || call.status === 403)

/** Groups of a list by a key, in the order of their first members. */
export const groupBy = <T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
