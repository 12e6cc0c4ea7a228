import { abandonAttempt, type SharedLog } from '../emulator/surface/persistence.js'
import { clearTimeout, EmulatorError, type Store, setTimeout } from '../emulator/surface/records.js'
import type { InFlight } from './account-reader.js'

interface TakeoverParts {
  readonly log: SharedLog
  readonly attemptMs: number
  readonly transact: Store['transact']
  inspect(key: string): Promise<{
    /** The replica that appended the latest entry of the account. */
    readonly writer: string
    readonly inFlight: InFlight
    /** When others have to look after the account; null: never. */
    readonly dueAt: number | null
  }>
}

/** Time for which an account is overdue before other replicas take it over. */
const OVERDUE_MS = 1_000
const CHECK_INTERVAL_MS = 500
/** How many overdue accounts are asked for at once. */
const PAGE = 100
/** How long an account that cannot be read is left alone: it has lost a part of its log, or a later version has written it. */
const UNREADABLE_MS = 10_000

/**
 * Takeover of the work of a replica whose lease is over: moments of live clocks, and attempts to deliver callbacks without a
 * result. The store lists the accounts whose moment or time limit has passed; they are checked twice a second.
 */
export interface Takeover {
  start(): void
  stop(): void
}

export const createTakeover = ({ log, attemptMs, transact, inspect }: TakeoverParts): Takeover => {
  let timer: NodeJS.Timeout | undefined

  const isGone = async (writer: string): Promise<boolean> =>
    writer !== log.replica && (writer === '' || !(await log.isAlive(writer)))

  /** Does for an account what its replica has left undone. Resolves with when others have to look after it. */
  const takeOver = async (key: string): Promise<number | null> => {
    const { writer, inFlight, dueAt } = await inspect(key)
    const gone = new Set<string>()
    for (const replica of new Set([writer, ...Array.from(inFlight.values(), (attempt) => attempt.writer)]))
      if (await isGone(replica)) gone.add(replica)
    if (writer !== log.replica && gone.size === 0) return dueAt
    const before = log.now() - attemptMs
    await transact(key, (account, now, { events }) => {
      for (const [taskId, { entry, writer: sender, since }] of inFlight) {
        const isSame = account.callbacks.queues.get(taskId)?.entry === entry
        if (isSame && gone.has(sender) && since <= before)
          events.push(...abandonAttempt(account, taskId, now))
      }
    })
    const after = (await inspect(key)).dueAt
    await log.watch(key, after)
    return after
  }

  /** Accounts that could not be read, with when they are tried again. */
  const unreadable = new Map<string, number>()

  /** Whether an account is no longer overdue. One that cannot be read is left alone for a while. */
  const isTakenOver = async (key: string, before: number): Promise<boolean> => {
    if (unreadable.has(key)) return false
    try {
      const dueAt = await takeOver(key)
      return dueAt === null || dueAt > before
    } catch (error) {
      // A store that is away says nothing of the account.
      if (!isUnavailable(error)) unreadable.set(key, log.now() + UNREADABLE_MS)
      return false
    }
  }

  const takeOverOverdue = async (): Promise<void> => {
    const before = log.now() - OVERDUE_MS
    for (const [key, until] of unreadable) if (until <= log.now()) unreadable.delete(key)
    for (let left = 0; ; ) {
      const keys = await log.overdue(before, { skip: left, max: PAGE })
      // Those that stay overdue stay in the list, and must not keep the others from being looked at.
      for (const key of keys) if (!(await isTakenOver(key, before))) left += 1
      if (keys.length < PAGE || timer === undefined) return
    }
  }

  const scheduleCheck = (): void => {
    timer = setTimeout(async () => {
      await takeOverOverdue().catch(() => {})
      if (timer !== undefined) scheduleCheck()
    }, CHECK_INTERVAL_MS).unref()
  }

  return {
    start: () => {
      if (timer === undefined) scheduleCheck()
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof EmulatorError && error.code === 'store-unavailable'
