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
  // Oldest first: of several calls that met a gap, the newest one remains.
  const calls = requests.toReversed()
  const byRule = new Map(calls.flatMap((call) => gapsNamedIn(call).map((gap) => [gap, call.id] as const)))
  const byFamily = new Map(calls.map(({ id, operation }) => [familyLetterOf(operation), id]))
  const met = new Map<string, GapMet>()
  for (const id of ids) {
    const by = byRule.has(id) ? 'rule' : 'family'
    const requestId = byRule.get(id) ?? byFamily.get(id.charAt(0))
    if (requestId !== undefined) met.set(id, { requestId, by })
  }
  return met
}

const gapsNamedIn = ({ refusedBy, warnings }: RequestRecord): string[] =>
  [...refusedBy.map(({ place }) => place), ...warnings]
    .flatMap((text) => [...text.matchAll(/(?:gaps\.md#|\bgaps? )([a-z]\d+)\b/gi)])
    .map(([, gap = '']) => gap.toUpperCase())

const familyLetterOf = (operation: string | null): string | undefined =>
  /^([a-z])\d?-/.exec(operation ?? '')?.[1]?.toUpperCase()
