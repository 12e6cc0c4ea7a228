import { timeSlice } from '../../concurrency.js'
import type { Asset } from '../../core/asset.js'
import type { Account } from '../../core/model/account.js'
import type { Instant } from '../../core/schedule/time.js'
import { batchOf, everythingIn } from './batch.js'
import type { StateDocument } from './import.js'
import {
  applyRecord,
  emptyState,
  recordsFor,
  runningScenarios,
  STATE_VERSION,
  type StoredState,
} from './records.js'

/** Maximum size of the files of assets in a document, together. */
const MAX_MEDIA_BYTES = 32 * 2 ** 20

interface ExportParts {
  readonly seed: number
  readonly blobs: { read(hash: string): Promise<Uint8Array | undefined> }
}

/** Exports accounts as one document, with the files of their assets where these are not too large. */
export const exportState = async (
  accounts: readonly Account[],
  { systemNow, ...parts }: ExportParts & { readonly systemNow: Instant },
): Promise<StateDocument> => {
  const state = emptyState()
  for (const account of accounts) {
    await timeSlice()
    storedStateOf(account, systemNow, state)
  }
  return exportStoredState(state, parts)
}

/** State document of a state that was read from a file. */
export const exportStoredState = async (
  state: StoredState,
  { seed, blobs }: ExportParts,
): Promise<StateDocument> => ({ ...documentOf(state, seed), media: await mediaOf(state, blobs) })

/** Stored state of a live account, added to that of others. `now` is of the system. */
export const storedStateOf = (account: Account, now: Instant, others = emptyState()): StoredState => {
  for (const record of recordsFor(account.key, batchOf(everythingIn(account, now))))
    applyRecord(others, record)
  return others
}

/** State document without the files of assets. */
export const documentOf = (state: StoredState, seed: number): Omit<StateDocument, 'media'> => ({
  backlot: 'state',
  version: STATE_VERSION,
  seed,
  scenarios: Object.fromEntries(runningScenarios(state)),
  accounts: [...state.accounts].map(([key, { head, task, next, asset, correspondence, callback }]) => ({
    key,
    account: { ...head },
    // `next`: the index of the moment that comes next; undefined: the task has ended.
    tasks: Array.from(task.values(), (stored) => ({ ...stored, next: next.get(stored.id) })),
    assets: Array.from(asset.values(), (stored) => ({ ...stored })),
    correspondences: Array.from(correspondence.values(), (stored) => ({ ...stored })),
    callbacks: Array.from(callback.values(), (stored) => ({ ...stored })),
  })),
})

const mediaOf = async ({ accounts }: StoredState, blobs: ExportParts['blobs']) => {
  const assets = new Map<string, Asset>()
  for (const account of accounts.values())
    for (const asset of account.asset.values()) assets.set(asset.blob, asset)
  if ([...assets.values()].reduce((sum, { bytes }) => sum + bytes, 0) > MAX_MEDIA_BYTES) return null
  const media: Record<string, string> = {}
  for (const blob of assets.keys()) {
    const bytes = await blobs.read(blob)
    if (bytes !== undefined) media[blob] = Buffer.from(bytes).toString('base64')
  }
  return media
}
