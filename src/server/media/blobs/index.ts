import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { noQuotas, type Quotas } from '../../bounds/bounds.js'
import { type HealthIssues, noHealthIssues } from '../../troubles.js'
import { removeStaleTemporaries, temporaryName } from '../leftovers.js'
import { oneByOne } from '../one-by-one.js'
import {
  type FoundBlob,
  hashOfBytes,
  hashOfFile,
  isThere,
  moveWhole,
  openFolder,
  readIfThere,
  writeWhole,
} from './disk.js'
import { alreadyStopped, notOpened } from './errors.js'
import { type BlobStats, createLruIndex } from './ledger.js'
import { createRoom } from './room.js'
import { createWrite } from './write.js'

export type { BlobStats } from './ledger.js'

export interface BlobStoreOptions {
  readonly folder: string
  /** The least recently used blobs leave when there would be more; pinned ones stay. */
  readonly maxBytes: number
  /**
   * Whether the blobs outlive the store, as they must where its hashes do (a state file). Then the folder belongs to
   * one store at a time. Left out: the store has a folder of its own in `folder`, which goes with it.
   */
  readonly isKept?: boolean
  readonly bounds?: Quotas
  /** Told of what could not be kept, and of what could; left out where nobody listens. */
  readonly troubles?: Pick<HealthIssues, 'had' | 'over'>
}

/** The bytes that users sent, by the SHA-256 of them in hex. Nothing is made on disk before the first use. */
export interface BlobStore {
  /** Raises EmulatorError where pinned blobs leave no room. */
  readonly put: (bytes: Uint8Array) => Promise<string>
  /**
   * Takes a file in and removes it from where it was. Raises EmulatorError as `put`; the file stays then. `known`: what
   * the caller has found out already; left out, the file is read for it.
   */
  readonly putFile: (path: string, known?: FoundBlob) => Promise<FoundBlob>
  /** `undefined` where the blob is not there (any more). */
  readonly read: (hash: string) => Promise<Uint8Array | undefined>
  readonly has: (hash: string) => Promise<boolean>
  /** Where the bytes are, for programs that want a file. Pin the blob while they read. */
  readonly path: (hash: string) => string
  /** Keeps a blob from being removed to make room, until it is unpinned as often. `false`: there is no such blob. */
  readonly pin: (hash: string) => Promise<boolean>
  readonly unpin: (hash: string) => Promise<void>
  readonly remove: (hash: string) => Promise<void>
  readonly stats: () => BlobStats
  /** Removes every blob, pinned or not. */
  readonly clear: () => Promise<void>
  /** Waits for what is being written. Later puts raise EmulatorError; later reads find nothing. */
  readonly stop: () => Promise<void>
}

export const createBlobStore = ({
  folder,
  maxBytes,
  isKept = false,
  bounds = noQuotas,
  troubles = noHealthIssues,
}: BlobStoreOptions): BlobStore => {
  const home = isKept ? folder : join(folder, temporaryName())
  const lru = createLruIndex(maxBytes)
  const inTurn = oneByOne()
  bounds.measure({ inputs: () => lru.stats().bytes })
  let isStopped = false
  let opened: Promise<void> | undefined
  const path = (hash: string) => join(home, hash)
  const room = createRoom({ lru, bounds, path })
  const written = createWrite(home, troubles)

  const open = (): Promise<void> => {
    opened ??= removeStaleTemporaries(folder)
      .then(() => openFolder(home))
      .then(
        (found) => {
          for (const { hash, bytes } of found) lru.use(hash, bytes)
        },
        (error) => {
          opened = undefined
          troubles.had('inputs', notOpened(home, error))
          throw notOpened(home, error)
        },
      )
    return opened
  }

  // A folder that is not kept holds nothing before something is put there, and looking must not make it.
  const look = async (): Promise<void> => {
    if (isKept && !isStopped) await open()
  }

  // One at a time: otherwise a blob that leaves could take a new one of the same content with it.
  const take = (hash: string, bytes: number, write: () => Promise<void>): Promise<void> =>
    inTurn(async () => {
      if (isStopped) throw alreadyStopped()
      await open()
      // Somebody may have emptied the folder.
      if (!lru.has(hash) || !(await isThere(path(hash)))) {
        await room.make(bytes)
        await written(write)
      }
      lru.use(hash, bytes)
    })

  const put = async (bytes: Uint8Array): Promise<string> => {
    const hash = await hashOfBytes(bytes)
    await take(hash, bytes.byteLength, () => writeWhole(path(hash), bytes))
    return hash
  }

  const putFile = async (from: string, known?: FoundBlob): Promise<FoundBlob> => {
    const { hash, bytes } = known ?? (await hashOfFile(from))
    let isMoved = false
    await take(hash, bytes, async () => {
      await moveWhole(from, path(hash))
      isMoved = true
    })
    if (!isMoved) await rm(from, { force: true })
    return { hash, bytes }
  }

  const read = async (hash: string): Promise<Uint8Array | undefined> => {
    await look()
    if (!lru.has(hash)) return undefined
    // A second look, in turn: perhaps the blob was leaving and coming back in this very moment.
    return (await readNow(hash)) ?? inTurn(() => readNow(hash).then((bytes) => bytes ?? forget(hash)))
  }

  const readNow = async (hash: string): Promise<Uint8Array | undefined> => {
    const bytes = await readIfThere(path(hash))
    if (bytes && lru.has(hash)) lru.use(hash, bytes.byteLength)
    return bytes
  }

  // Somebody else has removed the file, as systems do with temporary ones.
  const forget = (hash: string): undefined => {
    lru.drop(hash)
  }

  return {
    put,
    putFile,
    read,
    path,
    has: async (hash) => {
      await look()
      return lru.has(hash)
    },
    pin: async (hash) => {
      await look()
      lru.pin(hash, 1)
      return lru.has(hash)
    },
    unpin: async (hash) => {
      await look()
      lru.pin(hash, -1)
    },
    remove: (hash) => inTurn(() => look().then(() => room.remove(lru.has(hash) ? [hash] : []))),
    stats: lru.stats,
    clear: () => inTurn(() => look().then(() => room.remove(lru.hashes()))),
    stop: () =>
      inTurn(async () => {
        isStopped = true
        for (const hash of lru.hashes()) lru.drop(hash)
        // What cannot be removed now is found at the next start.
        if (!isKept) await rm(home, { recursive: true, force: true }).catch(() => undefined)
      }),
  }
}
