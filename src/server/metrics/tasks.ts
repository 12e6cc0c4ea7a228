import { setImmediate as nextTurn } from 'node:timers/promises'
import { viewAt } from '../../core/task/task.js'
import { readClock } from '../../core/time/clock.js'
import type { Store } from '../store/store.js'
import { familyAndState } from './happened.js'
import { gauge, type Metric } from './metric.js'

/** Every task by what it is at its account's now. One account after the other, so that calls are answered in between. */
export const tasksByState = async (store: Store, wall: () => number): Promise<Metric> => {
  const counts = new Map<string, number>()
  for (const key of await store.keys()) {
    await store.run(key, ({ tasks, clock }) => {
      const now = readClock(clock, wall())
      for (const task of tasks.values()) {
        const name = `${task.family} ${viewAt(task, now).phase.state}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    })
    await nextTurn()
  }
  const samples = [...counts].map(([name, value]) => ({ labels: familyAndState(name), value }))
  return gauge('tasks', 'Tasks that are kept, by family and state.', samples)
}
