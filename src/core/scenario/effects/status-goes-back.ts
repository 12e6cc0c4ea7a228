import { z } from 'zod'
import type { Task } from '../../model/task.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'task', Task>('task')

/** A task that is queued a second time in the middle third of its running. */
export const statusGoesBack = effect({
  key: 'statusGoesBack',
  schema: z.literal(true),
  description: 'it is queued again for the middle third of its running',
  conflicts: { finishes: 'what finishes at once does not run' },
  problems: (_, { values }) => [
    (values.queuedFor === 'ever' || values.runningFor === 'ever') && 'statusGoesBack is for tasks that end',
  ],
  apply: (task) => {
    const index = task.timeline.findIndex(({ value }) => value.state === 'running')
    const [begins, ends] = [task.timeline[index], task.timeline[index + 1]]
    if (begins === undefined || ends === undefined) return task
    const third = Math.floor((ends.at - begins.at) / 3)
    const again = [
      { at: begins.at + third, value: { state: 'queued' } },
      { at: begins.at + 2 * third, value: { state: 'running' } },
    ] as const
    return { ...task, timeline: task.timeline.toSpliced(index + 1, 0, ...again) }
  },
})
