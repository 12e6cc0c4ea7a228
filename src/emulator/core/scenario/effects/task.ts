import { z } from 'zod'
import {
  forcedTimeline,
  isFinal,
  type Phase,
  type ResponseOverrides,
  states,
  type Task,
} from '../../model/task.js'
import { type Instant, lastOf, type Moment } from '../../schedule/time.js'
import { duration } from '../selector.js'
import { defineEffects, type Values } from './effect.js'

/** Where a phase stands in a timeline, with its first moment and the one that follows, or undefined where it has no end. */
const phaseIn = ({ timeline }: Task, state: 'queued' | 'running') => {
  const index = timeline.findIndex(({ value }) => value.state === state)
  const start = timeline[index]
  const end = timeline[index + 1]
  return start === undefined || end === undefined ? undefined : { index, start, end }
}

/** Makes a phase last so long and moves what follows; `ever` drops what follows. */
const withPhaseLength = (task: Task, state: 'queued' | 'running', length: number | 'ever'): Task => {
  const phase = phaseIn(task, state)
  if (phase === undefined) return task
  const { index, start, end } = phase
  const past = task.timeline.slice(0, index + 1)
  if (length === 'ever') return { ...task, timeline: past }
  const shift = start.at + length - end.at
  const future = task.timeline.slice(index + 1).map(({ at, value }) => ({ at: at + shift, value }))
  return { ...task, timeline: [...past, ...future] }
}

const endedAt = (task: Task, at: Instant, phase: Phase): Task => {
  const before = task.timeline.filter(
    (moment, index) => index === 0 || (moment.at < at && !isFinal(moment.value)),
  )
  return { ...task, timeline: forcedTimeline(before, at, phase) }
}

const startOf = ({ timeline }: Task): Instant => (timeline[0] as Moment<Phase>).at

const isEndless = ({ queuedFor, runningFor }: Values): boolean =>
  queuedFor === 'ever' || runningFor === 'ever'

const withOverrides = (task: Task, overrides: ResponseOverrides): Task => ({
  ...task,
  responseOverrides: { ...task.responseOverrides, ...overrides },
})

const phaseLength = z.union([duration, z.literal('ever')])

const word = z.string().min(1).optional()

const TASK_ENDS_ONCE = 'a task ends once'

/** Effects on a new task, in the order in which they apply. */
export const taskEffects = defineEffects('task', {
  queuedFor: {
    schema: phaseLength,
    description: 'how long it waits',
    problems: (length, { values }) => [
      length === 'ever' &&
        values.runningFor !== undefined &&
        'queuedFor ever and runningFor cannot be together: the task never runs',
    ],
    apply: (task, length) => withPhaseLength(task, 'queued', length),
  },
  runningFor: {
    schema: phaseLength,
    description: 'how long it runs',
    apply: (task, length) => withPhaseLength(task, 'running', length),
  },
  fails: {
    schema: z.strictObject({ error: z.string().min(1), after: duration.optional() }),
    description:
      'with an error of the family by its name, so long after the create. Default of after: at its end',
    errorName: ['error'],
    conflicts: { expires: TASK_ENDS_ONCE, finishes: TASK_ENDS_ONCE },
    problems: ({ after }, { values }) => [
      after === undefined && isEndless(values) && 'fails needs after where a task would last for ever',
    ],
    apply: (task, { error, after }) =>
      endedAt(task, after === undefined ? lastOf(task.timeline).at : startOf(task) + after, {
        state: 'failed',
        error,
      }),
  },
  expires: {
    schema: z.strictObject({ after: duration }),
    description: 'so long after the create',
    conflicts: { finishes: TASK_ENDS_ONCE },
    problems: (_, { families }) => {
      const never = families.find(({ states }) => !states.includes('expired'))
      return [never !== undefined && `tasks of ${never.id} never expire`]
    },
    apply: (task, { after }) => endedAt(task, startOf(task) + after, { state: 'expired' }),
  },
  finishes: {
    schema: z.literal('at once'),
    description: 'when it is created',
    conflicts: {
      queuedFor: 'what finishes at once does not wait',
      runningFor: 'what finishes at once does not run',
    },
    apply: (task) => endedAt(task, startOf(task), lastOf(task.timeline).value),
  },
  withoutUrl: {
    schema: z.literal(true),
    description: 'succeeds, and no result URL is given',
    problems: (_, { values }) => [
      (isEndless(values) || values.fails !== undefined || values.expires !== undefined) &&
        'withoutUrl is for tasks that succeed, and this one does not',
    ],
    apply: (task, withoutUrl) => withOverrides(task, { withoutUrl }),
  },
  statusWord: {
    schema: z.string().min(1),
    description: 'what is said instead of running',
    apply: (task, statusWord) => withOverrides(task, { statusWord }),
  },
  progressJumpsBack: {
    schema: z.literal(true),
    description: 'progress falls again half-way through running',
    apply: (task, progressJumpsBack) => withOverrides(task, { progressJumpsBack }),
  },
  progressAsFraction: {
    schema: z.literal(true),
    description: 'progress is a number from 0 to 1',
    conflicts: { progressJumpsBack: 'one of them says what progress is' },
    apply: (task, progressAsFraction) => withOverrides(task, { progressAsFraction }),
  },
  statusGoesBack: {
    schema: z.literal(true),
    description: 'it is queued again for the middle third of its running',
    conflicts: { finishes: 'what finishes at once does not run' },
    problems: (_, { values }) => [isEndless(values) && 'statusGoesBack is for tasks that end'],
    apply: (task) => {
      const running = phaseIn(task, 'running')
      if (running === undefined) return task
      const { index, start, end } = running
      const third = Math.floor((end.at - start.at) / 3)
      const again = [
        { at: start.at + third, value: { state: 'queued' } },
        { at: start.at + 2 * third, value: { state: 'running' } },
      ] as const
      return { ...task, timeline: task.timeline.toSpliced(index + 1, 0, ...again) }
    },
  },
  statusWords: {
    schema: z
      .strictObject({
        pending: word,
        queued: word,
        running: word,
        succeeded: word,
        failed: word,
        cancelled: word,
        expired: word,
      })
      .refine((words) => Object.keys(words).length > 0, { error: `at least one of ${states.join(', ')}` }),
    description: 'what is said instead of each status',
    conflicts: { statusWord: 'one of them says the word for running' },
    apply: (task, statusWords) => withOverrides(task, { statusWords }),
  },
  vanishes: {
    schema: z.literal(true),
    description: 'from its end on, queries and lists do not know it',
    problems: (_, { values }) => [
      values.withoutUrl !== undefined && 'withoutUrl changes queries after the end, and there are none',
    ],
    apply: (task, vanishes) => withOverrides(task, { vanishes }),
  },
})
