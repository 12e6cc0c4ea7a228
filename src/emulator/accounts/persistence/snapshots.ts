import type { Account } from '../../core/model/account.js'
import { type Instant, readClock } from '../../core/schedule/time.js'
import type { Uploads } from '../../media/uploads/uploads.js'
import type { Quotas } from '../../quotas.js'
import type { Store } from '../store.js'
import { continueAccount, copyAccount } from './resume-account.js'

/** Copy of an account in a snapshot, which nothing changes. */
interface SnapshotAccount {
  readonly account: Account
  /** Time of its clock. */
  readonly at: Instant
}

/** Snapshot: accounts as they were at one time, in memory. */
export interface Snapshot {
  readonly id: string
  /** What the user calls it, or undefined where the user gives it no name. */
  readonly name?: string | undefined
  /** By the clock of this machine. */
  readonly takenAt: Instant
  /** Whether it is of all accounts that there were. */
  readonly isOfAll: boolean
  readonly accounts: ReadonlyMap<string, SnapshotAccount>
}

/** The latest snapshots. The files of their assets are kept as long as the snapshots. */
export interface Snapshots {
  /** Takes a snapshot of one account, or of all of them where no key is given. */
  take(only?: string, name?: string): Promise<Snapshot>
  /** Removes a snapshot, and lets the files of its assets go. */
  remove(snapshot: Snapshot): Promise<void>
  find(id: string): Snapshot | undefined
  /** Oldest first. */
  list(): readonly Snapshot[]
  /** Account of a key as it was, ready to continue, or undefined where the snapshot has none. */
  restoredAccount(snapshot: Snapshot, key: string): Account | undefined
}

interface SnapshotParts {
  readonly store: Store
  readonly uploads: Pick<Uploads, 'pinAssets' | 'unpinAssets'>
  /** Maximum number of snapshots; the oldest is evicted. */
  readonly max: number
  readonly quotas: Quotas
  readonly systemNow: () => Instant
}

/** Snapshots in memory, none at first. */
export const createSnapshots = ({ store, uploads, max, quotas, systemNow }: SnapshotParts): Snapshots => {
  const snapshots = new Map<string, Snapshot>()
  let taken = 0
  quotas.measure({ snapshots: () => snapshots.size })

  const hold = (account: Account): SnapshotAccount => ({
    account: copyAccount(account),
    at: readClock(account.clock, systemNow()),
  })

  // The files of each account at once: it can be reset while others are read.
  const holdWithFiles = async (key: string): Promise<SnapshotAccount> => {
    const held = await store.read(key, hold)
    await uploads.pinAssets(held.account.assets.values())
    return held
  }

  const makeRoom = async (): Promise<void> => {
    for (const oldest of snapshots.values()) {
      if (snapshots.size <= max) return
      snapshots.delete(oldest.id)
      quotas.hit('snapshots')
      await uploads.unpinAssets(assetsOf(oldest))
    }
  }

  return {
    take: async (only, name) => {
      const keys = only === undefined ? await store.keys() : [only]
      const held = await Promise.all(keys.map(async (key) => [key, await holdWithFiles(key)] as const))
      taken += 1
      const snapshot = {
        id: `snapshot-${taken}`,
        name,
        takenAt: systemNow(),
        isOfAll: only === undefined,
        accounts: new Map(held),
      }
      snapshots.set(snapshot.id, snapshot)
      quotas.observe('snapshots', snapshots.size)
      await makeRoom()
      return snapshot
    },
    remove: async (snapshot) => {
      if (snapshots.delete(snapshot.id)) await uploads.unpinAssets(assetsOf(snapshot))
    },
    find: (id) => snapshots.get(id),
    list: () => [...snapshots.values()],
    restoredAccount: ({ accounts }, key) => {
      const held = accounts.get(key)
      return held && continueAccount(copyAccount(held.account), held.at, systemNow())
    },
  }
}

const assetsOf = ({ accounts }: Snapshot) =>
  [...accounts.values()].flatMap(({ account }) => [...account.assets.values()])
