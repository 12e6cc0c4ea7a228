import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noQuotas, type Quotas } from '../../accounts/quotas.js'
import { EmulatorError } from '../../core/errors.js'
import { type HealthReporter, noHealthReporter } from '../../core/health-issue.js'
import { readStandIn } from '../../core/media/stand-in.js'
import { explainSystemError } from '../../core/system-error.js'
import { oneByOne } from '../one-by-one.js'
import { type BlobStats, createLruIndex, type LruIndex } from './lru-index.js'
import { removeStaleTemporaries, temporaryName } from './temporary-folders.js'

export type { BlobStats } from './lru-index.js'

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
  readonly health?: HealthReporter
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
  health = noHealthReporter,
}: BlobStoreOptions): BlobStore => {
  const home = isKept ? folder : join(folder, temporaryName())
  const lru = createLruIndex(maxBytes)
  const inTurn = oneByOne()
  bounds.measure({ inputs: () => lru.stats().bytes })
  let isStopped = false
  let opened: Promise<void> | undefined
  const path = (hash: string) => join(home, hash)
  const room = createRoom({ lru, bounds, path })
  const written = createWrite(home, health)

  const open = (): Promise<void> => {
    opened ??= removeStaleTemporaries(folder)
      .then(() => openFolder(home))
      .then(
        (found) => {
          for (const { hash, bytes } of found) lru.use(hash, bytes)
        },
        (error) => {
          opened = undefined
          health.report('inputs', notOpened(home, error))
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

/** What leaves the store: to make room, or because somebody wants it gone. */
interface Room {
  /** Removes what was used longest ago until so many bytes fit. Raises EmulatorError where pinned blobs leave no room. */
  readonly make: (bytes: number) => Promise<void>
  readonly remove: (hashes: readonly string[]) => Promise<void>
}

interface RoomParts {
  readonly lru: LruIndex
  readonly bounds: Quotas
  readonly path: (hash: string) => string
}

const createRoom = ({ lru, bounds, path }: RoomParts): Room => {
  const remove = async (hashes: readonly string[]): Promise<void> => {
    for (const hash of hashes) {
      lru.drop(hash)
      await rm(path(hash), { force: true })
    }
  }

  const make = async (bytes: number): Promise<void> => {
    const leavers = lru.evictionCandidates(bytes)
    if (leavers === undefined) bounds.refuse('inputs')
    else if (leavers.length > 0) bounds.hit('inputs')
    await remove(leavers ?? noRoomFor(bytes, lru.stats()))
  }

  return { make, remove }
}

/** Writes into a folder, once more where it has been removed meanwhile, and says in words what is wrong where it cannot. */
const createWrite =
  (home: string, health: HealthReporter) =>
  async (write: () => Promise<void>): Promise<void> => {
    try {
      await write().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        await mkdir(home, { recursive: true, mode: 0o700 })
        await write()
      })
      health.resolve('inputs')
    } catch (error) {
      const explained = explainSystemError('What was sent could not be kept', error)
      health.report('inputs', explained)
      throw explained
    }
  }

const notOpened = (folder: string, cause: unknown): EmulatorError =>
  new EmulatorError(`The folder for inputs, ${folder}, cannot be made or read${reasonOf(cause)}.`, {
    code: 'inputs-folder',
    hint: 'Set mediaFolder to a folder that can be written to.',
    cause,
  })

const noRoomFor = (bytes: number, { maxBytes, pinnedBytes }: BlobStats): never => {
  throw new EmulatorError(
    `An input of ${bytes} bytes does not fit into the store of inputs: it holds at most ${maxBytes} bytes, of which ${pinnedBytes} are in use.`,
    {
      code: 'inputs-full',
      hint: 'Raise the setting inputBytes, or reset accounts that are no longer needed.',
    },
  )
}

const alreadyStopped = (): EmulatorError =>
  new EmulatorError('An input came in after the emulator was stopped.', { code: 'stopped' })

const reasonOf = (cause: unknown): string => {
  const { code } = cause as NodeJS.ErrnoException
  return code === undefined ? '' : ` (${code})`
}

/**
 * SHA-256 in hex, computed beside the event loop: fifty megabytes take a tenth of a second. Of a stand-in it is that of
 * the medium it stands for.
 */
const hashOfBytes = async (bytes: Uint8Array): Promise<string> => {
  const standIn = readStandIn(bytes)
  if (standIn !== undefined) return standIn.sha256
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(digest).toString('hex')
}

const hashOfFile = async (path: string): Promise<{ hash: string; bytes: number }> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
  }
  return { hash: hash.digest('hex'), bytes }
}

const readIfThere = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    (status) => status.isFile(),
    () => false,
  )

/** Writes a file so that nobody ever sees half of it: under another name first. */
const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const unfinished = unfinishedName(path)
  try {
    await writeFile(unfinished, bytes)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Moves a file, also from another disk. */
const moveWhole = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const unfinished = unfinishedName(to)
    await copyFile(from, unfinished)
    await rename(unfinished, to)
    await rm(from, { force: true })
  }
}

interface FoundBlob {
  readonly hash: string
  readonly bytes: number
}

/** Makes the folder, removes what was left unfinished, and lists the blobs that it holds, the oldest first. */
const openFolder = async (folder: string): Promise<readonly FoundBlob[]> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  const unfinished = names.filter((name) => name.endsWith(UNFINISHED))
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })))
  const hashes = names.filter((name) => /^[0-9a-f]{64}$/.test(name))
  const found = await Promise.all(
    hashes.map(async (hash) => {
      const status = await lstat(join(folder, hash))
      // A link could lead anywhere.
      return status.isFile() ? [{ hash, bytes: status.size, mtimeMs: status.mtimeMs }] : []
    }),
  )
  return found.flat().sort((a, b) => a.mtimeMs - b.mtimeMs)
}

const UNFINISHED = '.unfinished'

const unfinishedName = (path: string): string => `${path}.${randomUUID()}${UNFINISHED}`
