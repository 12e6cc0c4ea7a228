import { EmulatorError } from '../../core/emulator-error.js'
import type { TaskRecord } from '../../handles/records/task.js'
import { expected, listed, type Matching, type Outcome } from './outcome.js'

const SUCCESS = ['succeeded', 'completed']

/** Whether a task has succeeded: one of `emulator.tasks`, or what a status query has answered. */
export function toHaveSucceeded(this: Matching, task: unknown): Outcome {
  const { status, error, timeline, id } = taskIn(task)
  const lines = (timeline ?? []).map(
    (moment) => `${moment.at} ${moment.status}${moment.error === undefined ? '' : ` (${moment.error})`}`,
  )
  const why = error === undefined || error === null ? '' : `, with the error ${this.utils.stringify(error)}`
  return {
    pass: SUCCESS.includes(status),
    message: () =>
      [
        expected(
          this.isNot,
          `the task${id === undefined ? '' : ` ${id}`}`,
          'have succeeded',
          `and it is ${status}${why}`,
        ),
        ...(lines.length === 0 ? [] : [listed('Its life, with what is to come:', lines, '')]),
      ].join('\n\n'),
  }
}

interface Seen {
  readonly id?: string
  readonly status: string
  readonly error?: unknown
  readonly timeline?: TaskRecord['timeline']
}

const taskIn = (value: unknown): Seen => {
  const { status, task } = (value ?? {}) as { status?: unknown; task?: unknown }
  if (typeof status === 'string') return value as Seen
  if (task !== undefined && task !== null) return taskIn(task)
  throw new EmulatorError(`toHaveSucceeded is said of a task, found ${typeof value} without a status.`, {
    code: 'wrong-subject',
    hint: 'Write expect(await emulator.tasks.get(id)).toHaveSucceeded(), or give it the body of a status query.',
  })
}
