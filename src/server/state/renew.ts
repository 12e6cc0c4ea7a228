import { STATE_VERSION } from '../../core/state/record.js'
import type { Batches } from './batch.js'
import type { StateParts } from './open-state.js'
import type { ReadState } from './read-state.js'
import { keepOlder } from './set-aside.js'

/** Writes a file of an older version anew; a copy of it stays. */
export const renew = async (
  path: string,
  { adapter }: ReadState,
  batches: Batches,
  { notify, versions }: StateParts,
): Promise<void> => {
  const newest = versions?.newest ?? STATE_VERSION
  const version = adapter.parsed?.version ?? newest
  if (version === newest) return
  const copy = await keepOlder(path, version)
  batches.countAll()
  await adapter.beginAnew(batches.next().lines)
  notify(`The state file ${path} was of version ${version} and has been written anew; it is kept as ${copy}.`)
}
