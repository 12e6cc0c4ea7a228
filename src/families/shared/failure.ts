import type { ErrorSpec } from '../../core/problem.js'
import type { Phase } from '../../core/task/phase.js'

/** `error` of a task query: a name of the family's table and its sentence. */
export interface Failure {
  readonly code: string
  readonly message: string
}

/**
 * Why a task did not succeed; null unless it failed or expired (gap B4). A task that another family made can have
 * failed with a name that only that family's table has: a family that shows such tasks hands in the rows of both.
 */
export const failureOf = (phase: Phase, errors: Readonly<Record<string, ErrorSpec>>): Failure | null => {
  const name = phase.state === 'expired' ? 'TaskExpired' : phase.state === 'failed' ? phase.error : undefined
  if (name === undefined) return null
  const spec = errors[name]
  return { code: spec?.code ?? name, message: `${spec?.message ?? 'The task did not succeed'}.` }
}
