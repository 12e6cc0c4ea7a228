import type { Low } from 'lowdb'
import { type HealthReporter, noHealthReporter } from '../../core/health-issue.js'
import type { StateAdapter, StateData } from './adapter.js'
import type { Batch, ChangeTracker } from './change-tracker.js'
import { notWritten, reasonOf } from './errors.js'
import type { Sizes } from './parse.js'
import { nothingSaved } from './records.js'

interface WasteParts {
  readonly adapter: Pick<StateAdapter, 'length' | 'compact'>
  readonly batches: ChangeTracker
  readonly sizes: Sizes
}

/** Below this, a file may hold as much that is over as it likes. */
const SMALL_BYTES = 4 * 2 ** 20

/** Writes the state file anew where more than half of it is over. */
const createWaste = ({ adapter, batches, sizes }: WasteParts) => {
  const ended = new AbortController()
  let isCompacting = false
  let looksAt = SMALL_BYTES

  const compact = async (): Promise<void> => {
    isCompacting = true
    // Where it cannot be done, for want of room, it is tried again when the file has grown.
    await adapter.compact(ended.signal).catch(() => {})
    isCompacting = false
    looksAt = adapter.length * 1.25 + SMALL_BYTES
  }

  return {
    /** To be asked after each batch. */
    look: (): void => {
      if (isCompacting || adapter.length <= looksAt) return
      if (adapter.length < 2 * neededBytes(batches, sizes)) looksAt = adapter.length * 1.25
      else void compact()
    },
    /** Ends what has been begun, and nothing has changed then. */
    stop: (): void => ended.abort(),
  }
}

const neededBytes = (batches: ChangeTracker, sizes: Sizes): number => {
  let bytes = 0
  for (const { tasks, open, assets, callbacks } of batches.accounts())
    bytes +=
      sizes.bytesOf('account', 1) +
      sizes.bytesOf('task', tasks.size) +
      sizes.bytesOf('next', open.size) +
      sizes.bytesOf('asset', assets.size) +
      sizes.bytesOf('correspondence', callbacks.queues.size) +
      sizes.bytesOf('callback', callbacks.log.size)
  return bytes
}

interface StateWriterParts {
  readonly file: string
  readonly adapter: StateAdapter
  readonly low: Low<StateData>
  readonly batches: ChangeTracker
  readonly sizes: Sizes
  /** How long a change may wait. */
  readonly delayMs: number
  readonly wall: () => number
  readonly notify: Notify
}

/** Told in a sentence of what the user should know. */
type Notify = (sentence: string) => void

/** Writes down what changes: soon, in one piece, and as often as it takes. */
export interface StateWriter {
  /** Something has changed. */
  touch(): void
  readonly writtenAt: number | null
  readonly trouble: string | null
  reportTo(health: HealthReporter): void
  /** Writes nothing any more: the file belongs to somebody else. */
  abandon(): void
  /** Writes what there is, and closes the file. */
  stop(): Promise<void>
}

/** How long it waits after it could not write. */
const RETRY_MS = 500

const LOOKS_AFTER_MS = 1_000

export const createStateWriter = (parts: StateWriterParts): StateWriter => {
  const { file, adapter, low, batches, sizes, delayMs, wall, notify } = parts
  const waste = createWaste({ adapter, batches, sizes })
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isOver = false
  let looking: NodeJS.Timeout | undefined
  let isLost = false
  let writtenAt: number | null = null
  let trouble: string | null = null
  let health: HealthReporter = noHealthReporter

  const touch = (): void => {
    if (timer !== undefined || writing !== undefined || isOver) return
    timer = setTimeout(begin, trouble === null ? delayMs : RETRY_MS)
    timer.unref()
  }

  const begin = (): void => {
    timer = undefined
    writing = write().finally(() => {
      writing = undefined
      if (!batches.isEmpty) touch()
    })
  }

  const write = async (): Promise<void> => {
    const batch = batches.next()
    if (batch.lines.length === 0) return
    const isAnew = isLost
    try {
      await (isAnew ? adapter.beginAnew(batch.lines) : add(batch))
      // It may have been lost while this was written.
      if (isAnew) isLost = false
      written()
    } catch (error) {
      batch.undo()
      failed(error)
    }
  }

  // Some time after each batch, as two questions to the file system before it are a good part of what writing costs.
  const lookForFile = async (): Promise<void> => {
    clearTimeout(looking)
    looking = undefined
    if (isLost || !(await adapter.isLost().catch(() => false))) return
    isLost = true
    notify(`The state file ${file} was moved or removed; it is written anew.`)
    batches.countAll()
    touch()
  }

  const add = (batch: Batch): Promise<void> => {
    low.data = { saved: nothingSaved(), batch: batch.lines }
    return low.write()
  }

  const written = (): void => {
    writtenAt = wall()
    looking ??= setTimeout(lookForFile, LOOKS_AFTER_MS).unref()
    trouble = null
    health.resolve('state')
    waste.look()
  }

  const failed = (error: unknown): void => {
    trouble = reasonOf(error)
    health.report('state', notWritten(file, error))
  }

  return {
    touch,
    get writtenAt() {
      return writtenAt
    },
    get trouble() {
      return trouble
    },
    reportTo: (those) => {
      health = those
    },
    abandon: () => {
      isOver = true
      clearTimeout(timer)
      clearTimeout(looking)
    },
    stop: async () => {
      clearTimeout(timer)
      waste.stop()
      await writing
      if (!isOver) await lookForFile()
      if (!isOver) await write()
      if (!isOver && trouble !== null)
        notify(
          `The state file ${file} could not be written to the end: ${trouble}. What happened last is lost.`,
        )
      isOver = true
      clearTimeout(timer)
      clearTimeout(looking)
      await adapter.close()
    },
  }
}
