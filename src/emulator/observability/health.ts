import type { EventEmitter } from 'node:events'
import { EmulatorError } from '../core/errors.js'
import {
  type Dependency,
  dependencies,
  type Events,
  type HealthIssue,
  type HealthReporter,
} from '../core/events.js'
import { type SetTimer, setUnrefTimer } from '../timers.js'

/** How long a dependency that failed again soon after its last failure has to work until it counts as working. */
const SETTLE_MS = 10_000

/** Outage of a dependency, until it has worked for a while. */
interface Outage {
  /** The latest issue; undefined once its end has been told. */
  issue: HealthIssue | undefined
  /** Whether it began soon after the end of another one, so that its end is told late. */
  isRepeated: boolean
  /** Cancels the timer that runs since it works again, or undefined where it does not work. */
  cancel: (() => void) | undefined
}

/**
 * Health issues by dependency: the beginning of an outage and its end are emitted once each, however many calls meet it. Where a
 * dependency fails within ten seconds after an end, the next end is emitted once it has worked for ten seconds: one that comes
 * and goes is one outage, and no issue of the state `over` is the last while it fails.
 */
export interface HealthIssues extends HealthReporter {
  /** Those that are not over. */
  current(): readonly HealthIssue[]
}

export const createHealthIssues = (
  events: EventEmitter<Events>,
  setTimer: SetTimer = setUnrefTimer,
): HealthIssues => {
  const outages = new Map<Dependency, Outage>()

  const tellEnd = (dependency: Dependency, outage: Outage): void => {
    const { issue } = outage
    if (issue === undefined) return
    outage.issue = undefined
    const says = `It works again, after ${issue.times} ${issue.times === 1 ? 'failure' : 'failures'}: ${dependencies[dependency].replace('cannot be', 'can be')}.`
    events.emit('trouble', { ...issue, state: 'over', says, hint: '' })
  }
  events.once('stopping', () => {
    for (const [dependency, outage] of outages) {
      if (outage.cancel === undefined) continue
      outage.cancel()
      tellEnd(dependency, outage)
    }
  })

  return {
    report: (dependency, error) => {
      const outage = outages.get(dependency) ?? { issue: undefined, isRepeated: false, cancel: undefined }
      outages.set(dependency, outage)
      if (outage.cancel !== undefined) {
        outage.cancel()
        outage.cancel = undefined
        outage.isRepeated = true
      }
      const known = outage.issue
      const issue = issueOf(dependency, error, (known?.times ?? 0) + 1)
      outage.issue = issue
      if (known?.code !== issue.code) events.emit('trouble', issue)
    },
    resolve: (dependency) => {
      const outage = outages.get(dependency)
      if (outage === undefined || outage.cancel !== undefined) return
      if (!outage.isRepeated) tellEnd(dependency, outage)
      outage.cancel = setTimer(() => {
        outages.delete(dependency)
        tellEnd(dependency, outage)
      }, SETTLE_MS)
    },
    current: () =>
      [...outages.values()].flatMap(({ issue, cancel }) => (cancel === undefined ? (issue ?? []) : [])),
  }
}

const issueOf = (dependency: Dependency, error: unknown, times: number): HealthIssue => {
  const { message, code, hint } = described(error)
  const says = `${dependencies[dependency]}: ${message}`
  return { need: dependency, state: 'begun', code, says, hint: hint ?? '', times }
}

const described = (error: unknown): { message: string; code: string; hint?: string | undefined } =>
  error instanceof EmulatorError
    ? { ...error, message: error.sentence }
    : { message: error instanceof Error ? error.message : String(error), code: 'unexpected' }
