import type { TaskView } from '../../core/task/task.js'
import { DAY, HOUR } from '../../core/time/duration.js'

const QUERYABLE_MS = 7 * DAY
const CANCELLED_MS = 24 * HOUR

/** Only tasks from the last 7 days can be queried (§B and C). */
export const isRecent = ({ task, now }: TaskView): boolean => now - task.createdAt <= QUERYABLE_MS

/** A cancelled task is deleted 24 hours after it was cancelled (§States and transitions). */
export const isRecentAndNotDeleted = (view: TaskView): boolean =>
  isRecent(view) && !(view.phase.state === 'cancelled' && view.now - view.since >= CANCELLED_MS)
