import { isFinal, type Phase, type Task, type TaskTimeline } from '../../model/task.js'
import type { Instant, Moment } from '../../schedule/timeline.js'
import type { ResponseOverrides } from '../../task/read.js'
import { expiringAt, forcedTimeline } from '../../task/timeline.js'
import type { CatalogueFamily } from '../catalogue.js'
import type { TaskOverride, Then } from '../schema.js'
import { onlyOne } from './effect.js'

/** The life of a new task as a scenario has it. A twist that names nothing changes nothing. */
export const overrideTimeline = (life: TaskTimeline, twist: TaskOverride): TaskTimeline => {
  const createdAt = (life[0] as Moment<Phase>).at
  const { queuedFor, runningFor, fails, expires, finishes } = twist
  const stretched = stretch(stretch(life, 'queued', queuedFor), 'running', runningFor)
  if (finishes !== undefined) return endedAt(stretched, createdAt, lastPhase(stretched))
  if (expires !== undefined) return endedAt(stretched, createdAt + expires.after, { state: 'expired' })
  if (fails === undefined) return stretched
  const end =
    fails.after === undefined
      ? (stretched[stretched.length - 1] as Moment<Phase>).at
      : createdAt + fails.after
  return endedAt(stretched, end, { state: 'failed', error: fails.error })
}

const lastPhase = (life: TaskTimeline): Phase => (life[life.length - 1] as Moment<Phase>).value

/** The phase lasts so long, and what comes after it moves along; for ever, and nothing comes after it. */
const stretch = (
  life: TaskTimeline,
  state: 'queued' | 'running',
  length: number | 'ever' | undefined,
): TaskTimeline => {
  const index = life.findIndex(({ value }) => value.state === state)
  const [begins, ends] = [life[index], life[index + 1]]
  if (length === undefined || begins === undefined || ends === undefined) return life
  if (length === 'ever') return life.slice(0, index + 1)
  const shift = begins.at + length - ends.at
  return life.map((moment, at) => (at <= index ? moment : { ...moment, at: moment.at + shift }))
}

const endedAt = (life: TaskTimeline, at: Instant, phase: Phase): TaskTimeline => {
  const before = life.filter((moment, index) => index === 0 || (moment.at < at && !isFinal(moment.value)))
  return forcedTimeline(before, at, phase)
}

/** A new task as a scenario has it: with another life, which still runs into its deadline, and in disguise. */
export const overrideTask = (task: Task, twist: TaskOverride, deadline: Instant | undefined): Task => {
  const life = overrideTimeline(task.life, twist)
  const disguise = disguiseOf(twist)
  return {
    ...task,
    life: deadline === undefined ? life : expiringAt(life, deadline),
    ...(disguise === undefined ? {} : { disguise }),
  }
}

const disguiseOf = ({
  withoutUrl,
  statusWord,
  progressJumpsBack,
}: TaskOverride): ResponseOverrides | undefined => {
  if (withoutUrl === undefined && statusWord === undefined && progressJumpsBack === undefined)
    return undefined
  return {
    ...(withoutUrl === undefined ? {} : { withoutUrl }),
    ...(statusWord === undefined ? {} : { statusWord }),
    ...(progressJumpsBack === undefined ? {} : { progressJumpsBack }),
  }
}

/** What cannot be together in another life of a task. */
export const taskComplaints = (task: Then['task'], families: readonly CatalogueFamily[]): string[] => {
  if (task === undefined) return []
  const { queuedFor, runningFor, fails, expires, withoutUrl } = task
  const lastsForEver = queuedFor === 'ever' || runningFor === 'ever'
  const never = families.find(({ states }) => !states.includes('expired'))
  return [
    ...onlyOne(task, ['fails', 'expires', 'finishes'], 'a task ends once'),
    ...onlyOne(task, ['finishes', 'queuedFor'], 'what finishes at once does not wait'),
    ...onlyOne(task, ['finishes', 'runningFor'], 'what finishes at once does not run'),
    ...(queuedFor === 'ever' && runningFor !== undefined
      ? ['queuedFor ever and runningFor cannot be together: the task never runs']
      : []),
    ...(lastsForEver && fails !== undefined && fails.after === undefined
      ? ['fails needs after where a task would last for ever']
      : []),
    ...(withoutUrl && (lastsForEver || fails !== undefined || expires !== undefined)
      ? ['withoutUrl is for tasks that succeed, and this one does not']
      : []),
    ...(expires !== undefined && never !== undefined ? [`tasks of ${never.id} never expire`] : []),
  ]
}
