import type { Delivery } from '../load/receiver.js'

/** When the emulator was killed, and from when on it may not have kept what happened. */
export interface Kill {
  readonly at: number
  readonly since: number
}

/**
 * What is wrong with the callbacks of a task that was kept: each status has to come, under an id of its own, and twice
 * only where it was on its way at a kill.
 */
export const wrongDeliveries = (
  taskId: string,
  deliveries: readonly Delivery[],
  kills: readonly Kill[],
): string[] => {
  const wrong: string[] = []
  for (const status of ['queued', 'running', 'succeeded']) {
    const came = deliveries.filter((delivery) => delivery.status === status)
    const ids = new Set(came.map(({ id }) => id))
    if (came.length === 0) wrong.push(`task ${taskId}: ${status} never came`)
    if (ids.size > 1) wrong.push(`task ${taskId}: ${status} came under ${ids.size} ids`)
    for (const early of came.slice(0, -1))
      if (!kills.some(({ at, since }) => early.at >= since && early.at <= at + 1_000))
        wrong.push(`task ${taskId}: ${status} came again, and was ${untilKill(early.at, kills)}`)
  }
  return wrong
}

const untilKill = (at: number, kills: readonly Kill[]): string => {
  const next = kills.find((kill) => kill.at > at)
  return next === undefined
    ? 'answered after the last kill'
    : `answered ${(next.at - at).toFixed(0)} ms before a kill`
}
