import type { AnyTaskFamily } from '../task/family.js'
import { type Task, viewAt } from '../task/task.js'
import type { Instant } from '../time/timeline.js'

/**
 * Whether nobody can ask for a task any more: its time to be queried is over (§B and C, 7 days; 24 hours once cancelled)
 * and so is that of its result URLs. What a URL answers after its expiry needs no record of the task.
 */
export const isUnreachable = (family: AnyTaskFamily, task: Task, now: Instant): boolean => {
  const view = viewAt(task, now)
  const { phase, since } = view
  // Where tasks cannot be queried there is nothing but the results.
  const isVisible = family.routes.read !== undefined && family.isKept?.(view) !== false
  const hasResults = phase.state === 'succeeded' && now < since + family.resultLifeMs
  return !isVisible && !hasResults
}
