import { z } from 'zod'
import type { Task } from '../../model/task.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'task', Task>('task')

/** Progress from 0 to 1 in place of 0 to 100. */
export const progressAsFraction = effect({
  key: 'progressAsFraction',
  schema: z.literal(true),
  description: 'progress is a number from 0 to 1',
  conflicts: { progressJumpsBack: 'one of them says what progress is' },
  apply: (task, progressAsFraction) => ({
    ...task,
    responseOverrides: { ...task.responseOverrides, progressAsFraction },
  }),
})
