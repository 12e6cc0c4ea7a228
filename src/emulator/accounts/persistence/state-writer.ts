import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import { createMutex, type Semaphore } from '../../concurrency.js'
import { systemReason } from '../../core/errors.js'
import { type HealthReporter, noHealthReporter } from '../../core/events.js'
import { isoOf } from '../../core/schedule/time.js'
import { nextTurn, type SetTimer, setUnrefTimer } from '../../timers.js'
import { notWritten, takenOver } from './errors.js'
import { fileIdOf, type StateLock } from './lock.js'
import { applyRecord, recordsOf, type StateRecord } from './records.js'
import {
  createSnapshotAdapter,
  logPath,
  removeBefore,
  type SnapshotContents,
  type StateFiles,
} from './state-files.js'
import { beginLog, continueLog, type WriteAheadLog } from './write-ahead-log.js'

interface StateWriterParts {
  readonly path: string
  readonly lock: StateLock
  /** What the files say. The writer keeps `state` up to date, and makes snapshots of it. */
  readonly files: StateFiles
  /** Waits for the disk before a batch counts as written (setting stateFsync). */
  readonly fsync: boolean
  readonly now: () => number
  readonly onWarning: (sentence: string) => void
  /** Default: real time. */
  readonly setTimer?: SetTimer | undefined
}

/** Delay before a failed write is tried again. */
const RETRY_MS = 500
/** Delay after a batch before the files are checked. */
const CHECK_MS = 1_000
/** Minimum size of a log that is compacted while the emulator runs. */
const SMALL_BYTES = 4 * 2 ** 20

/** Snapshot that is in place. A log of another id is not read with it. */
interface SnapshotFile extends Pick<StateFiles, 'id' | 'generation' | 'isClosed' | 'bytes'> {
  /** Device and inode, or undefined where there is no file yet. */
  readonly fileId: string | undefined
}

/** Creates the writer of the files as they were read. */
export const createStateWriter = async (parts: StateWriterParts): Promise<StateWriter> => {
  const { path, files, fsync } = parts
  const { id } = files
  const snapshot = { ...files, fileId: await stat(path).then(fileIdOf, () => undefined) }
  const log =
    files.log === undefined
      ? await beginLog(path, { id, from: files.generation, after: null }, fsync)
      : await continueLog(path, id, files.log, fsync)
  await nameLog(parts.lock, log.generation)
  return new StateWriter(parts, snapshot, log)
}

/** Names the log in the lock, so that the next start misses it. Where that fails, it is not missed; nothing else is lost. */
const nameLog = (lock: StateLock, generation: number | null): Promise<unknown> =>
  lock.update({ log: generation }).catch(() => undefined)

/** Writer of a state file: a write-ahead log with group commit, and the snapshots that it is folded into. */
class StateWriter {
  readonly #parts: StateWriterParts
  readonly #status: WriteStatus
  /** Held by what uses the log. */
  readonly #mutex = createMutex()
  readonly #commit = new GroupCommit(this.#mutex, (records) => this.#write(records))
  readonly #adapter: Adapter<SnapshotContents>
  #snapshot: SnapshotFile
  /** Continues the snapshot that has its id: the one in place, or the one that is being written. */
  #log: WriteAheadLog
  #compacting: Promise<void> | undefined
  /** Cancels the check to come, or undefined where none is to come. */
  #cancelCheck: (() => void) | undefined
  /** Nothing more is written: the writer was stopped, or another process has the file. */
  #isOver = false
  /** The files lack changes, since one could not be written or another program changed them: only a snapshot mends that. */
  #isBehind = false

  constructor(parts: StateWriterParts, snapshot: SnapshotFile, log: WriteAheadLog) {
    this.#parts = parts
    this.#status = new WriteStatus(parts)
    this.#snapshot = snapshot
    this.#log = log
    this.#adapter = createSnapshotAdapter(parts.path, randomUUID(), async () => {
      await this.#commit.flush()
      if (this.#isBehind) throw new Error(this.#status.trouble ?? 'the log cannot be written')
      this.#assertLock()
    })
  }

  /** Adds records; resolves once they are written. A failed attempt is a health issue, and resolves too. */
  async append(records: readonly StateRecord[]): Promise<void> {
    for (const record of records) applyRecord(this.#parts.files.state, record)
    // The next snapshot has them, and answers do not wait for it.
    if (!this.#isOver && !this.#isBehind && records.length > 0) await this.#commit.add(records)
  }

  /** Writes a snapshot and begins the next generation of files. @throws where it cannot be written */
  compact({ closes = false } = {}): Promise<void> {
    this.#compacting ??= this.#writeSnapshot(closes).finally(() => {
      this.#compacting = undefined
    })
    return this.#compacting
  }

  facts() {
    const { writtenAt, trouble } = this.#status
    return { bytes: this.#snapshot.bytes + this.#log.bytes, writtenAt, trouble }
  }

  reportTo(health: HealthReporter): void {
    this.#status.reportTo(health)
  }

  /** Closes the files as they are. */
  close(): Promise<void> {
    this.#isOver = true
    this.#cancelCheck?.()
    return this.#log.close()
  }

  /** Writes the pending batch, folds the log into the snapshot, and closes the files. */
  async stop(): Promise<void> {
    this.#cancelCheck?.()
    await this.#compacting?.catch(() => {})
    await this.#commit.flush()
    // The last batch can begin one, which writes no snapshot of a clean stop.
    await this.#checkFiles().catch(() => {})
    if (!this.#isOver && !this.#isFolded) await this.compact({ closes: true }).catch(() => {})
    if (!this.#isOver) this.#status.ended(this.#isBehind)
    const isFolded = !this.#isOver && this.#isFolded
    await this.close()
    if (!isFolded) return
    await nameLog(this.#parts.lock, null)
    await removeBefore(this.#parts.path, this.#log.generation + 1)
  }

  /** Whether the snapshot has everything, and says that the emulator was stopped. */
  get #isFolded(): boolean {
    return this.#snapshot.isClosed && !this.#log.hasBatches
  }

  async #write(records: readonly StateRecord[]): Promise<void> {
    if (this.#isOver || this.#isBehind) return
    const log = this.#log
    try {
      await log.write(withoutReplacedHeads(records).map((record) => JSON.stringify(record)))
    } catch (error) {
      this.#isBehind = true
      return this.#failed(error)
    }
    if (this.#log.id === this.#snapshot.id) this.#succeeded()
    this.#scheduleCheck(CHECK_MS)
    if (log.bytes > SMALL_BYTES && log.bytes > 2 * this.#snapshot.bytes) void this.compact().catch(() => {})
  }

  // A write that was under way when another process took the file says nothing of it.
  #succeeded(): void {
    if (!this.#isOver) this.#status.succeeded()
  }

  #failed(error: unknown): void {
    if (this.#isOver) return
    this.#status.failed(error)
    this.#cancelCheck?.()
    this.#cancelCheck = undefined
    this.#scheduleCheck(RETRY_MS)
  }

  #scheduleCheck(ms: number): void {
    if (this.#isOver) return
    const { setTimer = setUnrefTimer } = this.#parts
    this.#cancelCheck ??= setTimer(() => {
      this.#cancelCheck = undefined
      void this.#checkFiles().catch(() => {})
    }, ms)
  }

  /** Checks that the files still belong to this process and are unchanged, and writes a snapshot where they lack something. */
  async #checkFiles(): Promise<void> {
    const { path, lock, onWarning } = this.#parts
    // A batch may be refused meanwhile, and the snapshot with it.
    await this.#compacting?.catch(() => {})
    if (this.#isOver) return
    try {
      if (!(await lock.update())) return this.#abandon()
    } catch (error) {
      // The folder may be gone, and the log with it.
      this.#isBehind = true
      return this.#failed(error)
    }
    if (!this.#isBehind) {
      if (await this.#mutex.run(async () => (await this.#log.isIntact()) && isInPlace(path, this.#snapshot)))
        return
      this.#isBehind = true
      onWarning(
        `The state file ${path} was moved, removed or changed by another program; it is written anew.`,
      )
    }
    await this.compact().then(
      () => this.#succeeded(),
      (error) => this.#failed(error),
    )
  }

  #abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#status.takenOver()
  }

  // Changes go into the next log while the snapshot is written. It may have more than it had at its beginning: all of
  // that is in the log before the snapshot takes its place.
  async #writeSnapshot(closes: boolean): Promise<void> {
    const { path, lock, files } = this.#parts
    const next = await this.#mutex.run(() => this.#beginNextLog())
    // Batches do not wait for it. A log that goes before it is named is not missed.
    await nameLog(lock, next.generation)
    const header = { id: next.id, generation: next.generation, isClosed: closes }
    try {
      await new Low<SnapshotContents>(this.#adapter, { ...header, records: recordsOf(files.state) }).write()
    } catch (error) {
      // The log before the next one has what the snapshot in place lacks.
      this.#snapshot = { ...this.#snapshot, isClosed: false }
      if (next.id !== this.#snapshot.id) {
        this.#isBehind = true
        if (lock.isMine()) await rm(logPath(path, next.generation), { force: true })
      }
      throw error
    }
    const file = await stat(path)
    this.#snapshot = { ...header, bytes: file.size, fileId: fileIdOf(file) }
    await lock.update({ file: this.#snapshot.fileId })
    await removeBefore(path, next.generation)
  }

  // A log that lacks changes is not continued: the next one belongs to the next snapshot alone.
  async #beginNextLog(): Promise<WriteAheadLog> {
    const { path, fsync } = this.#parts
    this.#assertLock()
    const { generation, bytes } = this.#log
    const next = await beginLog(
      path,
      {
        id: this.#isBehind ? randomUUID() : this.#log.id,
        from: generation + 1,
        after: { generation, bytes },
      },
      fsync,
    )
    await this.#log.close()
    this.#log = next
    this.#isBehind = false
    return next
  }

  #assertLock(): void {
    if (!this.#parts.lock.isMine()) throw new Error('the lock is held by another process')
  }
}

/** What became of the last attempt to write, as the control API shows it and as a health issue. */
class WriteStatus {
  readonly #parts: Pick<StateWriterParts, 'path' | 'now' | 'onWarning'>
  #health: HealthReporter = noHealthReporter
  /** When the file was last written, in milliseconds since 1970, or null where this process has not written it yet. */
  writtenAt: number | null = null
  /** Why it cannot be written, or null where it can. */
  trouble: string | null = null

  constructor(parts: Pick<StateWriterParts, 'path' | 'now' | 'onWarning'>) {
    this.#parts = parts
  }

  reportTo(health: HealthReporter): void {
    this.#health = health
  }

  succeeded(): void {
    this.writtenAt = this.#parts.now()
    this.trouble = null
    this.#health.resolve('state')
  }

  failed(error: unknown): void {
    this.trouble = systemReason(error)
    this.#health.report('state', notWritten(this.#parts.path, error))
  }

  takenOver(): void {
    this.trouble = 'it has been taken over by another Backlot'
    this.#health.report('state', takenOver(this.#parts.path))
  }

  /** The writer ends. @param isBehind whether the files lack changes */
  ended(isBehind: boolean): void {
    const { path, onWarning } = this.#parts
    if (isBehind)
      onWarning(
        `The state file ${path} could not be written to the end: ${this.trouble}. What happened since ${this.writtenAt === null ? 'it was opened' : isoOf(this.writtenAt)} is lost.`,
      )
    else this.trouble = null
  }
}

/** Group commit: what one turn of the event loop brings, and what comes while a batch is written, is one batch. */
class GroupCommit {
  readonly #mutex: Semaphore
  readonly #write: (records: readonly StateRecord[]) => Promise<void>
  #pending: StateRecord[] = []
  #written: Promise<void> | undefined

  /** @param mutex held while a batch is written */
  constructor(mutex: Semaphore, write: (records: readonly StateRecord[]) => Promise<void>) {
    this.#mutex = mutex
    this.#write = write
  }

  /** Resolves once the records are written. */
  add(records: readonly StateRecord[]): Promise<void> {
    for (const record of records) this.#pending.push(record)
    this.#written ??= nextTurn().then(() => this.flush())
    return this.#written
  }

  flush(): Promise<void> {
    return this.#mutex.run(async () => {
      const records = this.#pending
      this.#pending = []
      this.#written = undefined
      if (records.length > 0) await this.#write(records)
    })
  }
}

const isHead = ([kind, , , value]: StateRecord): boolean => kind === 'account' && value !== null

/** Records without the heads of accounts that a later one of the batch replaces: every call brings one. */
const withoutReplacedHeads = (records: readonly StateRecord[]): readonly StateRecord[] => {
  const latest = new Map(records.filter(isHead).map((head) => [head[1], head]))
  return records.filter((record) => !isHead(record) || latest.get(record[1]) === record)
}

const isInPlace = async (path: string, { fileId, bytes }: SnapshotFile): Promise<boolean> => {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && fileIdOf(stats) === fileId && stats.size === bytes
}
