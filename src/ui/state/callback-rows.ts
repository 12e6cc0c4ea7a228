import type { CallbackRecord, TaskRecord } from '../../generated/control-api.js'

/** A row of the list of callbacks. */
export interface CallbackRow {
  readonly id: string
  readonly callback: CallbackRecord
  /** When it was last sent; where it was not, the change that it reports. */
  readonly at: string
}

/** Rows of callbacks, the latest attempt first; callbacks of one time stay in their order. */
export const callbackRows = (
  callbacks: readonly CallbackRecord[],
  tasks: readonly TaskRecord[],
): readonly CallbackRow[] => {
  const unsent = callbacks.some(({ attempts }) => attempts.length === 0)
  const taskById = new Map(unsent ? tasks.map((task) => [task.id, task]) : [])
  return callbacks
    .map((callback) => ({ id: callback.id, callback, at: timeOf(callback, taskById) }))
    .sort((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1))
}

const timeOf = (
  { attempts, taskId, status: reported }: CallbackRecord,
  taskById: ReadonlyMap<string, TaskRecord>,
): string => {
  const last = attempts.at(-1)
  if (last !== undefined) return last.at
  const task = taskById.get(taskId)
  return task?.timeline.find(({ status }) => status === reported)?.at ?? task?.createdAt ?? ''
}
