import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Low } from 'lowdb'
import { createMutex } from '../../concurrency.js'
import { systemReason } from '../../core/errors.js'
import { type HealthReporter, noHealthReporter } from '../../core/events.js'
import { notWritten } from './errors.js'
import type { StateLock } from './lock.js'
import { applyRecord, recordsOf, type StateRecord } from './records.js'
import {
  createSnapshotAdapter,
  logPath,
  removeBefore,
  type Snapshot,
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
}

/** Delay before a failed write is tried again. */
const RETRY_MS = 500
/** Delay after a batch before the files are checked. */
const CHECK_MS = 1_000
/** Minimum size of a log that is compacted while the emulator runs. */
const SMALL_BYTES = 4 * 2 ** 20

/** Writer of a state file: a write-ahead log with group commit, and the snapshots that it is folded into. */
export const createStateWriter = async (parts: StateWriterParts) => {
  const { path, lock, fsync, now, onWarning } = parts
  const { state } = parts.files
  const mutex = createMutex()
  let { id, generation, isClosed, bytes: snapshotBytes } = parts.files
  /** Id of the snapshot that is there: a log of another id is not read with it. */
  let snapshotId = id
  let log =
    parts.files.log === undefined
      ? await beginLog(path, id, generation, fsync)
      : await continueLog(path, parts.files.log, fsync)
  let fileId = await stat(path).then(fileIdOf, () => undefined)
  let pending: StateRecord[] = []
  let headIndexes = new Map<string, number>()
  let resolves: (() => void)[] = []
  let flushing: Promise<void> | undefined
  let compacting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  /** The files lack changes, since one could not be written or another program changed them: only a snapshot mends that. */
  let isBehind = false
  let writtenAt: number | null = null
  let trouble: string | null = null
  let issues: HealthReporter = noHealthReporter

  /** Adds records; resolves once they are written. A failed attempt is a health issue, and resolves too. */
  const append = (records: readonly StateRecord[]): Promise<void> => {
    for (const record of records) applyRecord(state, record)
    // The next snapshot has them, and answers do not wait for it.
    if (isOver || isBehind || records.length === 0) return Promise.resolve()
    for (const record of records) add(record)
    return new Promise((resolve) => {
      resolves.push(resolve)
      flushing ??= flushSoon()
    })
  }

  // Of an account's own record the last one of a batch holds, and every call changes it.
  const add = (record: StateRecord): void => {
    const [kind, key, , value] = record
    const known = kind === 'account' && value !== null ? headIndexes.get(key) : undefined
    if (known !== undefined) pending[known] = record
    else {
      if (kind === 'account' && value !== null) headIndexes.set(key, pending.length)
      if (kind === 'account' && value === null) headIndexes.delete(key)
      pending.push(record)
    }
  }

  // Group commit: what one turn of the event loop brings, and what comes while a batch is written, is one batch.
  const flushSoon = async (): Promise<void> => {
    while (resolves.length > 0) {
      await new Promise(setImmediate)
      await mutex.run(flush)
    }
    flushing = undefined
  }

  const flush = async (): Promise<void> => {
    const records = pending
    const done = resolves
    pending = []
    resolves = []
    headIndexes = new Map()
    try {
      if (records.length > 0 && !isOver && !isBehind) await write(records)
    } catch (error) {
      isBehind = true
      failed(error)
    }
    for (const resolve of done) resolve()
  }

  const write = async (records: readonly StateRecord[]): Promise<void> => {
    await log.write(records.map((record) => JSON.stringify(record)))
    if (id === snapshotId) succeeded()
    scheduleCheck(CHECK_MS)
    if (log.bytes > SMALL_BYTES && log.bytes > 2 * snapshotBytes) void compact().catch(() => {})
  }

  const succeeded = (): void => {
    writtenAt = now()
    trouble = null
    issues.resolve('state')
  }

  const failed = (error: unknown): void => {
    trouble = systemReason(error)
    issues.report('state', notWritten(path, error))
    clearTimeout(timer)
    timer = undefined
    scheduleCheck(RETRY_MS)
  }

  const scheduleCheck = (ms: number): void => {
    if (isOver) return
    timer ??= setTimeout(() => {
      timer = undefined
      void checkFiles().catch(() => {})
    }, ms).unref()
  }

  /** Checks that the files still belong to this process and are unchanged, and writes a snapshot where they lack something. */
  const checkFiles = async (): Promise<void> => {
    if (isOver || compacting !== undefined) return
    if (!(await lock.update())) return abandon()
    if (!isBehind) {
      const isIntact = await mutex.run(async () => (await log.isIntact()) && (await isSnapshotIntact()))
      if (isIntact) return
      isBehind = true
      onWarning(
        `The state file ${path} was moved, removed or changed by another program; it is written anew.`,
      )
    }
    await compact().then(succeeded, failed)
  }

  const isSnapshotIntact = async (): Promise<boolean> => {
    const found = await stat(path).catch(() => undefined)
    return found !== undefined && fileIdOf(found) === fileId && found.size === snapshotBytes
  }

  const abandon = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    onWarning(`The state file ${path} has been taken over by another Backlot; nothing more is written to it.`)
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
    const next = await mutex.run(beginNext)
    const snapshot = { id, generation: next, isClosed: closes, records: recordsOf(state) }
    try {
      await new Low<Snapshot>(adapter, snapshot).write()
    } catch (error) {
      if (id !== snapshotId) await discardLog()
      throw error
    }
    snapshotId = id
    generation = next
    isClosed = closes
    const written = await stat(path)
    fileId = fileIdOf(written)
    snapshotBytes = written.size
    await lock.update({ file: fileId })
    await removeBefore(path, generation)
  }

  // A log that lacks changes is not continued: the next one belongs to the next snapshot alone.
  const beginNext = async (): Promise<number> => {
    const nextId = isBehind ? randomUUID() : id
    const fresh = await beginLog(path, nextId, Math.max(generation, log.generation) + 1, fsync)
    await log.close()
    log = fresh
    id = nextId
    isBehind = false
    return log.generation
  }

  const discardLog = async (): Promise<void> => {
    id = snapshotId
    isBehind = true
    if (lock.isMine()) await rm(logPath(path, log.generation), { force: true })
  }

  const adapter = createSnapshotAdapter(path, randomUUID(), async () => {
    await mutex.run(flush)
    if (isBehind) throw new Error(trouble ?? 'the log cannot be written')
    if (!lock.isMine()) throw new Error('the lock is held by another process')
  })

  return {
    append,
    /** Writes a snapshot and begins the next generation of files. @throws where it cannot be written */
    compact: () => compact(),
    facts: () => ({ bytes: snapshotBytes + log.bytes, writtenAt, trouble }),
    reportTo: (reporter: HealthReporter): void => {
      issues = reporter
    },
    /** Writes the pending batch, folds the log into the snapshot, and closes the files. */
    stop: async (): Promise<void> => {
      clearTimeout(timer)
      await flushing
      await compacting?.catch(() => {})
      await mutex.run(flush)
      await checkFiles().catch(() => {})
      if (!isOver && (log.hasBatches || !isClosed)) await compact({ closes: true }).catch(() => {})
      if (!isOver && isBehind)
        onWarning(
          `The state file ${path} could not be written to the end: ${trouble}. What happened last is lost.`,
        )
      const isFolded = !isOver && isClosed && !log.hasBatches
      isOver = true
      clearTimeout(timer)
      await log.close()
      if (isFolded) await removeBefore(path, log.generation + 1)
    },
  }
}

const fileIdOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`
