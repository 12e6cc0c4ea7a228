import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { Low } from 'lowdb'
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
import { beginLog, continueLog } from './write-ahead-log.js'

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

/** Writer of a state file: a write-ahead log with group commit, and the snapshots that it is folded into. */
export const createStateWriter = async (parts: StateWriterParts) => {
  const { path, lock, files, fsync, now, onWarning, setTimer = setUnrefTimer } = parts
  const { state, id } = files
  /** Held by what uses the log. */
  const mutex = createMutex()
  let snapshot: SnapshotFile = { ...files, fileId: await stat(path).then(fileIdOf, () => undefined) }
  /** Continues the snapshot that has its id: the one in place, or the one that is being written. */
  let log =
    files.log === undefined
      ? await beginLog(path, { id, from: files.generation, after: null }, fsync)
      : await continueLog(path, id, files.log, fsync)
  /** Names the log in the lock, so that the next start misses it. Where that fails, it is not missed; nothing else is lost. */
  const nameLog = (generation: number | null): Promise<unknown> =>
    lock.update({ log: generation }).catch(() => undefined)
  await nameLog(log.generation)
  let compacting: Promise<void> | undefined
  /** Cancels the check to come, or undefined where none is to come. */
  let cancelCheck: (() => void) | undefined
  /** Nothing more is written: the writer was stopped, or another process has the file. */
  let isOver = false
  /** The files lack changes, since one could not be written or another program changed them: only a snapshot mends that. */
  let isBehind = false
  let writtenAt: number | null = null
  let trouble: string | null = null
  let issues: HealthReporter = noHealthReporter

  /** Adds records; resolves once they are written. A failed attempt is a health issue, and resolves too. */
  const append = async (records: readonly StateRecord[]): Promise<void> => {
    for (const record of records) applyRecord(state, record)
    // The next snapshot has them, and answers do not wait for it.
    if (!isOver && !isBehind && records.length > 0) await commit.add(records)
  }

  const write = async (records: readonly StateRecord[]): Promise<void> => {
    if (isOver || isBehind) return
    try {
      await log.write(withoutReplacedHeads(records).map((record) => JSON.stringify(record)))
    } catch (error) {
      isBehind = true
      return failed(error)
    }
    if (log.id === snapshot.id) succeeded()
    scheduleCheck(CHECK_MS)
    if (log.bytes > SMALL_BYTES && log.bytes > 2 * snapshot.bytes) void compact().catch(() => {})
  }

  const commit = createGroupCommit(mutex, write)

  // A write that was under way when another process took the file says nothing of it.
  const succeeded = (): void => {
    if (isOver) return
    writtenAt = now()
    trouble = null
    issues.resolve('state')
  }

  const failed = (error: unknown): void => {
    if (isOver) return
    trouble = systemReason(error)
    issues.report('state', notWritten(path, error))
    cancelCheck?.()
    cancelCheck = undefined
    scheduleCheck(RETRY_MS)
  }

  const scheduleCheck = (ms: number): void => {
    if (isOver) return
    cancelCheck ??= setTimer(() => {
      cancelCheck = undefined
      void checkFiles().catch(() => {})
    }, ms)
  }

  /** Checks that the files still belong to this process and are unchanged, and writes a snapshot where they lack something. */
  const checkFiles = async (): Promise<void> => {
    // A batch may be refused meanwhile, and the snapshot with it.
    await compacting?.catch(() => {})
    if (isOver) return
    try {
      if (!(await lock.update())) return abandon()
    } catch (error) {
      // The folder may be gone, and the log with it.
      isBehind = true
      return failed(error)
    }
    if (!isBehind) {
      if (await mutex.run(async () => (await log.isIntact()) && isInPlace(path, snapshot))) return
      isBehind = true
      onWarning(
        `The state file ${path} was moved, removed or changed by another program; it is written anew.`,
      )
    }
    await compact().then(succeeded, failed)
  }

  const abandon = (): void => {
    if (isOver) return
    isOver = true
    trouble = 'it has been taken over by another Backlot'
    issues.report('state', takenOver(path))
  }

  const compact = ({ closes = false } = {}): Promise<void> => {
    compacting ??= writeSnapshot(closes).finally(() => {
      compacting = undefined
    })
    return compacting
  }

  // Changes go into the next log while the snapshot is written. It may have more than it had at its beginning: all of
  // that is in the log before the snapshot takes its place.
  const writeSnapshot = async (closes: boolean): Promise<void> => {
    const next = await mutex.run(beginNextLog)
    // Batches do not wait for it. A log that goes before it is named is not missed.
    await nameLog(next.generation)
    const header = { id: next.id, generation: next.generation, isClosed: closes }
    try {
      await new Low<SnapshotContents>(adapter, { ...header, records: recordsOf(state) }).write()
    } catch (error) {
      // The log before the next one has what the snapshot in place lacks.
      snapshot = { ...snapshot, isClosed: false }
      if (next.id !== snapshot.id) {
        isBehind = true
        if (lock.isMine()) await rm(logPath(path, next.generation), { force: true })
      }
      throw error
    }
    const file = await stat(path)
    snapshot = { ...header, bytes: file.size, fileId: fileIdOf(file) }
    await lock.update({ file: snapshot.fileId })
    await removeBefore(path, next.generation)
  }

  // A log that lacks changes is not continued: the next one belongs to the next snapshot alone.
  const beginNextLog = async () => {
    if (!lock.isMine()) throw new Error('the lock is held by another process')
    const { generation, bytes } = log
    const next = await beginLog(
      path,
      { id: isBehind ? randomUUID() : log.id, from: generation + 1, after: { generation, bytes } },
      fsync,
    )
    await log.close()
    log = next
    isBehind = false
    return next
  }

  const close = (): Promise<void> => {
    isOver = true
    cancelCheck?.()
    return log.close()
  }

  const adapter = createSnapshotAdapter(path, randomUUID(), async () => {
    await commit.flush()
    if (isBehind) throw new Error(trouble ?? 'the log cannot be written')
    if (!lock.isMine()) throw new Error('the lock is held by another process')
  })

  return {
    append,
    /** Writes a snapshot and begins the next generation of files. @throws where it cannot be written */
    compact: () => compact(),
    facts: () => ({ bytes: snapshot.bytes + log.bytes, writtenAt, trouble }),
    reportTo: (reporter: HealthReporter): void => {
      issues = reporter
    },
    /** Closes the files as they are. */
    close,
    /** Writes the pending batch, folds the log into the snapshot, and closes the files. */
    stop: async (): Promise<void> => {
      cancelCheck?.()
      await compacting?.catch(() => {})
      await commit.flush()
      // The last batch can begin one, which writes no snapshot of a clean stop.
      await checkFiles().catch(() => {})
      if (!isOver && (log.hasBatches || !snapshot.isClosed)) await compact({ closes: true }).catch(() => {})
      if (!isBehind && !isOver) trouble = null
      else if (!isOver)
        onWarning(
          `The state file ${path} could not be written to the end: ${trouble}. What happened since ${writtenAt === null ? 'it was opened' : isoOf(writtenAt)} is lost.`,
        )
      const isFolded = !isOver && snapshot.isClosed && !log.hasBatches
      await close()
      if (!isFolded) return
      await nameLog(null)
      await removeBefore(path, log.generation + 1)
    },
  }
}

/** Group commit: what one turn of the event loop brings, and what comes while a batch is written, is one batch. */
const createGroupCommit = (mutex: Semaphore, write: (records: readonly StateRecord[]) => Promise<void>) => {
  let pending: StateRecord[] = []
  let written: Promise<void> | undefined

  const flush = (): Promise<void> =>
    mutex.run(async () => {
      const records = pending
      pending = []
      written = undefined
      if (records.length > 0) await write(records)
    })

  return {
    /** Resolves once the records are written. */
    add: (records: readonly StateRecord[]): Promise<void> => {
      for (const record of records) pending.push(record)
      written ??= nextTurn().then(flush)
      return written
    },
    flush,
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
