import { z } from 'zod'
import { states, type Task } from '../../model/task.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'task', Task>('task')

const word = z.string().min(1).optional()

/** Other words for the statuses of a task, the final ones included. */
export const statusWords = effect({
  key: 'statusWords',
  schema: z
    .strictObject({
      ...{ pending: word, queued: word, running: word, succeeded: word },
      ...{ failed: word, cancelled: word, expired: word },
    })
    .refine((words) => Object.keys(words).length > 0, { error: `at least one of ${states.join(', ')}` }),
  description: 'what is said instead of each status',
  conflicts: { statusWord: 'one of them says the word for running' },
  apply: (task, statusWords) => ({ ...task, responseOverrides: { ...task.responseOverrides, statusWords } }),
})
