import { STATE_VERSION } from '../../core/state/record.js'
import type { ChangeTracker } from './batch.js'
import type { StateParts } from './open-state.js'
import type { ReadState } from './read-state.js'
import { backUpOlder } from './set-aside.js'

/** Writes a file of an older version anew; a copy of it stays. */
export const upgradeFile = async (
  path: string,
  { adapter }: ReadState,
  batches: ChangeTracker,
  { notify, versions }: StateParts,
): Promise<void> => {
  const newest = versions?.newest ?? STATE_VERSION
  const version = adapter.parsed?.version ?? newest
  if (version === newest) return
  const copy = await backUpOlder(path, version)
  batches.countAll()
  await adapter.beginAnew(batches.next().lines)
  notify(`The state file ${path} was of version ${version} and has been written anew; it is kept as ${copy}.`)
}
