import type { EventEmitter } from 'node:events'
import { EmulatorError } from '../core/errors.js'
import { type Dependency, dependencies, type Events, type HealthIssue } from '../core/events.js'

export type HealthIssues = ReturnType<typeof createHealthIssues>

/**
 * Health issues by dependency: each is emitted once, however many calls meet it, and once more when it is over. Of one that
 * comes and goes, the first, tenth, hundredth … episode is emitted.
 */
export const createHealthIssues = (events: EventEmitter<Events>) => {
  const issues = new Map<Dependency, HealthIssue>()
  const episodes = new Map<Dependency, number>()

  const tell = (issue: HealthIssue): void => {
    if (Number.isInteger(Math.log10(episodes.get(issue.need) ?? 1))) events.emit('trouble', issue)
  }

  return {
    report: (dependency: Dependency, error: unknown): void => {
      const known = issues.get(dependency)
      const issue = issueOf(dependency, error, (known?.times ?? 0) + 1)
      issues.set(dependency, issue)
      if (known?.code === issue.code) return
      if (known === undefined) episodes.set(dependency, (episodes.get(dependency) ?? 0) + 1)
      tell(issue)
    },
    resolve: (dependency: Dependency): void => {
      const issue = issues.get(dependency)
      if (issue === undefined) return
      issues.delete(dependency)
      const says = `It works again, after ${issue.times} ${issue.times === 1 ? 'failure' : 'failures'}: ${dependencies[dependency].replace('cannot be', 'can be')}.`
      tell({ ...issue, state: 'over', says, hint: '' })
    },
    /** Those that are not over. */
    current: (): readonly HealthIssue[] => [...issues.values()],
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
