import { createHash, webcrypto } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmulatorError, explainSystemError, systemReason } from '../../core/errors.js'
import { type HealthReporter, noHealthReporter } from '../../core/events.js'
import { noQuotaReporter, type QuotaReporter } from '../../core/quotas.js'
import { FileCache, type FileCacheOptions, type FileCacheStats, moveFile } from './file-cache.js'
import { removeStaleTemporaries, temporaryName } from './temporary-folders.js'

interface BlobStoreOptions extends Pick<FileCacheOptions, 'folder' | 'maxBytes' | 'fsync'> {
  /**
   * Whether the inputs outlive the store, as they must where their hashes do (a state file). Then the folder belongs to
   * one store at a time. Default: the store has a folder of its own in `folder`, which is removed with it.
   */
  readonly isKept?: boolean
  readonly quotas?: QuotaReporter
  readonly health?: HealthReporter
}

/** File whose SHA-256 is known, in hex. */
interface HashedFile {
  readonly hash: string
  readonly bytes: number
}

/** Blob store: the inputs of users in a file cache, by the SHA-256 of their bytes in hex. */
export interface BlobStore {
  /**
   * @param known the hash of the bytes. Default: it is computed.
   * @throws EmulatorError `inputs-full` where pinned inputs leave no room, `input-too-large` where there never is any
   */
  put(bytes: Uint8Array, known?: string): Promise<string>
  /** Moves a file in and pins it. @throws EmulatorError as `put`; the file stays then */
  putFile(from: string, file: HashedFile): Promise<void>
  /** `undefined` where the input is not there (any more). */
  read(hash: string): Promise<Uint8Array | undefined>
  has(hash: string): Promise<boolean>
  path(hash: string): string
  /** Keeps an input from being evicted until it is unpinned as often. `false`: there is no such input. */
  pin(hash: string): Promise<boolean>
  unpin(hash: string): Promise<void>
  stats(): FileCacheStats
  /** Later puts raise EmulatorError; later reads find nothing. */
  stop(): Promise<void>
}

/** Blob store in a folder. Its public methods are fields, so that a copy of it with another method works as it does. */
export class FolderBlobStore implements BlobStore {
  readonly #folder: string
  readonly #isKept: boolean
  readonly #health: HealthReporter
  readonly #cache: FileCache
  #isStopped = false
  #cleaned: Promise<void> | undefined

  constructor(options: BlobStoreOptions) {
    const { folder, maxBytes, isKept = false, fsync, quotas = noQuotaReporter } = options
    this.#folder = folder
    this.#isKept = isKept
    this.#health = options.health ?? noHealthReporter
    this.#cache = new FileCache({
      folder: isKept ? folder : join(folder, temporaryName()),
      maxBytes,
      namePattern: /^[0-9a-f]{64}$/,
      fsync,
      onEvict: () => quotas.hit('inputs'),
      onNoRoom: (bytes, stats) => {
        quotas.refuse('inputs')
        throw noRoom(bytes, stats)
      },
    })
    quotas.measure({ inputs: () => this.#cache.stats().bytes })
  }

  readonly put: BlobStore['put'] = async (bytes, known) => {
    const hash = known ?? (await hashOfBytes(bytes))
    await this.#add({ hash, bytes: bytes.byteLength }, (path) => writeFile(path, bytes))
    return hash
  }

  readonly putFile: BlobStore['putFile'] = async (from, file) => {
    await this.#add(file, (path) => moveFile(from, path), { isPinned: true })
    // The same bytes may have been there already.
    await rm(from, { force: true })
  }

  readonly read: BlobStore['read'] = async (hash) => (this.#isStopped ? undefined : this.#cache.read(hash))

  readonly has: BlobStore['has'] = async (hash) => !this.#isStopped && this.#cache.has(hash)

  readonly path: BlobStore['path'] = (hash) => this.#cache.path(hash)

  readonly pin: BlobStore['pin'] = async (hash) => !this.#isStopped && this.#cache.pin(hash)

  readonly unpin: BlobStore['unpin'] = (hash) => this.#cache.unpin(hash)

  readonly stats: BlobStore['stats'] = () => this.#cache.stats()

  readonly stop: BlobStore['stop'] = async () => {
    this.#isStopped = true
    // What cannot be removed now is stale at the next start.
    if (!this.#isKept) await this.#cache.remove().catch(() => undefined)
  }

  async #add(
    { hash, bytes }: HashedFile,
    write: (path: string) => Promise<unknown>,
    { isPinned = false } = {},
  ): Promise<void> {
    if (this.#isStopped) throw alreadyStopped()
    this.#cleaned ??= removeStaleTemporaries(this.#folder)
    await this.#cleaned
    try {
      const file = await this.#cache.add(hash, bytes, (path) => {
        if (this.#isStopped) throw alreadyStopped()
        return write(path)
      })
      if (!isPinned) file.release()
      this.#health.resolve('inputs')
    } catch (cause) {
      const error = explained(cause, this.#folder)
      if (error !== cause) this.#health.report('inputs', error)
      throw error
    }
  }
}

/** SHA-256 of bytes in hex; large ones are hashed in another thread, since fifty megabytes take a tenth of a second. */
export const hashOfBytes = async (bytes: Uint8Array): Promise<string> => {
  if (bytes.byteLength <= FEW_BYTES) return createHash('sha256').update(bytes).digest('hex')
  const digest = await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(digest).toString('hex')
}

const FEW_BYTES = 64 * 1024

const explained = (cause: unknown, folder: string): unknown => {
  const { syscall = '' } = cause as NodeJS.ErrnoException
  if (!['mkdir', 'scandir'].includes(syscall))
    return explainSystemError('What was sent could not be kept', cause)
  return new EmulatorError(
    `The folder for inputs, ${folder}, cannot be made or read: ${systemReason(cause)}.`,
    {
      code: 'inputs-folder',
      hint: 'Set mediaFolder to a folder that can be written to.',
      cause,
    },
  )
}

const noRoom = (bytes: number, { pinnedBytes, maxBytes }: FileCacheStats): EmulatorError => {
  const isTooLarge = bytes > maxBytes
  const pinned = isTooLarge ? '' : `, of which ${pinnedBytes} cannot be evicted`
  const problem = `it holds at most ${maxBytes} bytes${pinned}`
  return new EmulatorError(`An input of ${bytes} bytes does not fit into the store of inputs: ${problem}.`, {
    code: isTooLarge ? 'input-too-large' : 'inputs-full',
    hint: `Raise the setting inputBytes${isTooLarge ? '' : ', or reset accounts that are no longer needed'}.`,
  })
}

/** Why there is no room for an input: pinned inputs leave none, or there never is (`isTooLarge`); undefined for any other error. */
export const inputShortage = (error: unknown): { readonly isTooLarge?: true } | undefined => {
  const { code } = error instanceof EmulatorError ? error : {}
  if (code === 'input-too-large') return { isTooLarge: true }
  return code === 'inputs-full' ? {} : undefined
}

const alreadyStopped = (): EmulatorError =>
  new EmulatorError('An input came in after the emulator was stopped.', { code: 'stopped' })

/** Inputs that several processes share, by their hash. */
interface SharedInputs {
  putInput(hash: string, bytes: Uint8Array): Promise<void>
  getInput(hash: string): Promise<Uint8Array | undefined>
}

/** Blob store that is shared with other replicas: this process has copies of the inputs that it has used. */
export const createSharedBlobs = (blobs: BlobStore, { putInput, getInput }: SharedInputs): BlobStore => {
  const ensureLocal = async (hash: string): Promise<boolean> => {
    if (await blobs.has(hash)) return true
    const bytes = await getInput(hash)
    if (bytes === undefined) return false
    // Bytes of another hash, from a damaged store, are not the input.
    return (await blobs.put(bytes)) === hash
  }
  return {
    ...blobs,
    put: async (bytes, known) => {
      const hash = await blobs.put(bytes, known)
      await putInput(hash, bytes)
      return hash
    },
    putFile: async (path, file) => {
      // First where it can be evicted: a file that was pinned here, and then not shared, would stay pinned.
      await putInput(file.hash, await readFile(path))
      await blobs.putFile(path, file)
    },
    read: async (hash) => ((await ensureLocal(hash)) ? blobs.read(hash) : undefined),
    has: ensureLocal,
    pin: async (hash) => (await ensureLocal(hash)) && blobs.pin(hash),
  }
}
