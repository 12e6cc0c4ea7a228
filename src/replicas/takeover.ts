import { abandonAttempt, type SharedLog } from '../emulator/surface/persistence.js'
import { clearTimeout, type Store, setTimeout } from '../emulator/surface/records.js'
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

/**
 * Takeover of the work of a replica whose lease is over: moments of live clocks, and attempts to deliver callbacks without a
 * result. The store lists the accounts whose moment or time limit has passed; they are checked twice a second.
 */
export const createTakeover = ({ log, attemptMs, transact, inspect }: TakeoverParts) => {
  let timer: NodeJS.Timeout | undefined

  const isGone = async (writer: string): Promise<boolean> =>
    writer !== log.replica && (writer === '' || !(await log.isAlive(writer)))

  const takeOver = async (key: string): Promise<void> => {
    const { writer, inFlight } = await inspect(key)
    const gone = new Set<string>()
    for (const replica of new Set([writer, ...Array.from(inFlight.values(), (attempt) => attempt.writer)]))
      if (await isGone(replica)) gone.add(replica)
    if (writer !== log.replica && gone.size === 0) return
    const before = log.now() - attemptMs
    await transact(key, (account, now, { events }) => {
      for (const [taskId, { entry, writer: sender, since }] of inFlight) {
        const isSame = account.callbacks.queues.get(taskId)?.entry === entry
        if (isSame && gone.has(sender) && since <= before)
          events.push(...abandonAttempt(account, taskId, now))
      }
    })
    await log.watch(key, (await inspect(key)).dueAt)
  }

  const takeOverOverdue = async (): Promise<void> => {
    // An account that cannot be read does not keep others waiting.
    for (const key of await log.overdue(log.now() - OVERDUE_MS)) await takeOver(key).catch(() => {})
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
