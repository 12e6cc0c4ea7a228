/** What an answer relies on: the verb of its operation, its status, and the rule that refused. */
export interface ReliantAnswer {
  /** `create`; of messages to receivers `callback` or `challenge`. */
  readonly verb: string
  readonly status: number
  /** Reference of the rule that refused. Undefined where none did. */
  readonly place: string | undefined
}

/**
 * Ids of the gaps on which an answer relies: an accepted one on those of its verb; a refusal on those of all refusals of its family,
 * and on those that its rule names.
 * @param reliesOn what the family declares
 */
export const gapsBehind = (
  { verb, status, place }: ReliantAnswer,
  reliesOn: Readonly<Record<string, readonly string[]>>,
): readonly string[] => {
  if (status < 400) return reliesOn[verb] ?? []
  return place === undefined ? [] : [...new Set([...(reliesOn.refusal ?? []), ...gapsAt(place)])]
}

/** Gaps that a reference names: `docs/gaps.md#x6` is X6. */
const gapsAt = (place: string): string[] =>
  [...place.matchAll(/docs\/gaps\.md#([a-z]+\d+)/g)].map(([, id = '']) => id.toUpperCase())

/** What downloads rely on, which belong to no family. */
export const DOWNLOADS_RELY_ON: Readonly<Record<string, readonly string[]>> = { download: ['X9'] }
