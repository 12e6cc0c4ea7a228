import { forcedTimeline } from '../task/life.js'
import { isFinal, type Phase, type TaskTimeline } from '../task/phase.js'
import type { Instant, Moment } from '../time/timeline.js'
import type { TaskOverride } from './then.js'

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
