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
  for (const one of sightings) {
    if (one.kind === 'task') states.set(one.task, one)
    if (one.kind !== 'call') continue
    // The address of a result needs no key.
    if (one.operation !== 'results.download') latest.set(one.account, one)
    else if (one.status < 300 && one.method !== 'HEAD') fetched.add(one.task ?? '')
  }
  return sightings.flatMap((one) => {
    if (one.kind !== 'call' || one.makes !== true || one.task === undefined) return []
    const { state = 'queued' as const, price = 0 } = states.get(one.task) ?? {}
    const { account, request, idempotencyKey, task } = one
    const isOutOfReach = isWithheld(one, state) || isLockedOut(latest.get(account))
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
export const groupBy = <T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const key = keyOf(one)
    groups.set(key, groups.get(key) ?? [])
    groups.get(key)?.push(one)
  }
  return groups
}
