import { z } from 'zod'
import type { Task } from '../../model/task.js'
import { effectsOn } from './effect.js'

const effect = effectsOn<'task', Task>('task')

/** A task that cannot be seen any more from its end on, although it was never deleted. */
export const vanishes = effect({
  key: 'vanishes',
  schema: z.literal(true),
  description: 'from its end on, queries and lists do not know it',
  problems: (_, { values }) => [
    values.withoutUrl !== undefined && 'withoutUrl changes queries after the end, and there are none',
  ],
  apply: (task, vanishes) => ({ ...task, responseOverrides: { ...task.responseOverrides, vanishes } }),
})
