import type { RequestRecord } from '../../generated/control-api.js'

/** How a gap was met. */
export interface GapMet {
  /** The newest call that met it. */
  readonly requestId: string
  /** `rule`: its answer decided the call, or is in a warning. `family`: an operation of its family was called. */
  readonly by: 'rule' | 'family'
}

/**
 * Gaps that calls have met. A refusal and a warning name theirs; the others of a family can have shaped any of its answers.
 * @param ids of all gaps: a letter of a family, or X, Z or N, and a number
 */
export const gapsMet = (
  ids: readonly string[],
  requests: readonly RequestRecord[],
): ReadonlyMap<string, GapMet> => {
  const byRule = new Map<string, string>()
  const byFamily = new Map<string, string>()
  for (const { id, operation, refusedBy, warnings } of requests) {
    for (const text of [...refusedBy.map(({ place }) => place), ...warnings])
      for (const [, gap = ''] of text.matchAll(/(?:gaps\.md#|\bgaps? )([a-z]\d+)\b/gi))
        if (!byRule.has(gap.toUpperCase())) byRule.set(gap.toUpperCase(), id)
    const letter = /^([a-z])\d?-/.exec(operation ?? '')?.[1]?.toUpperCase()
    if (letter !== undefined && !byFamily.has(letter)) byFamily.set(letter, id)
  }
  const met = new Map<string, GapMet>()
  for (const id of ids) {
    const by = byRule.has(id) ? 'rule' : 'family'
    const requestId = byRule.get(id) ?? byFamily.get(id.charAt(0))
    if (requestId !== undefined) met.set(id, { requestId, by })
  }
  return met
}
