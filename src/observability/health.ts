import type { EventEmitter } from 'node:events'
import { EmulatorError } from '../core/errors.js'
import { type Dependency, dependencies, type HealthIssue } from '../core/health-issue.js'
import type { Events } from '../core/model/event.js'

/** Tells of faults of the surroundings once, however many calls meet them, and once more when they are over. */
export interface HealthIssues {
  /** Something that was needed did not work. */
  had(need: Dependency, error: unknown): void
  /** It works. Cheap, so that it can be said every time. */
  over(need: Dependency): void
  /** Those that are not over. */
  current(): readonly HealthIssue[]
}

/** For parts on their own: nobody is told. */
export const noHealthIssues: HealthIssues = { had: () => {}, over: () => {}, current: () => [] }

export const createHealthIssues = (events: EventEmitter<Events>): HealthIssues => {
  const troubles = new Map<Dependency, HealthIssue>()
  const episodes = new Map<Dependency, number>()

  /** Something that comes and goes is told of the first, tenth, hundredth … time. */
  const isTold = (need: Dependency): boolean => Number.isInteger(Math.log10(episodes.get(need) ?? 1))

  const tell = (trouble: HealthIssue): void => {
    if (isTold(trouble.need)) events.emit('trouble', trouble)
  }

  return {
    had: (need, error) => {
      const known = troubles.get(need)
      const trouble = troubleOf(need, error, (known?.times ?? 0) + 1)
      troubles.set(need, trouble)
      if (known?.code === trouble.code) return
      if (known === undefined) episodes.set(need, (episodes.get(need) ?? 0) + 1)
      tell(trouble)
    },
    over: (need) => {
      const trouble = troubles.get(need)
      if (trouble === undefined) return
      troubles.delete(need)
      const says = `It works again, after ${trouble.times} ${trouble.times === 1 ? 'failure' : 'failures'}: ${dependencies[need].replace('cannot be', 'can be')}.`
      tell({ ...trouble, state: 'over', says, hint: '' })
    },
    current: () => [...troubles.values()],
  }
}

const troubleOf = (need: Dependency, error: unknown, times: number): HealthIssue => {
  const { message, code, hint } = described(error)
  return { need, state: 'begun', code, says: `${dependencies[need]}: ${message}`, hint: hint ?? '', times }
}

const described = (error: unknown): { message: string; code: string; hint?: string | undefined } =>
  error instanceof EmulatorError
    ? error
    : { message: error instanceof Error ? error.message : String(error), code: 'unexpected' }
