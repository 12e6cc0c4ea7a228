import type { Account } from '../../core/account/account.js'
import type { QuotaExceeded, QuotaName } from '../../core/bounds/bounds.js'
import { compactSchedule, evictTasks, hasEnded, hasEndedTask } from '../../core/bounds/forget.js'
import { bytesOfTask } from '../../core/bounds/task-bytes.js'
import type { Settings } from '../../core/settings.js'
import type { Task } from '../../core/task/task.js'
import { readClock } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import type { Quotas } from './bounds.js'
import { type Counted, FEW, inOrderOf, shareOf } from './counted.js'
import { shortage } from './shortage.js'

/** Keeps the tasks of each account, and of all of them together, within their bounds. */
export interface TaskQuota {
  readonly total: number
  /** That they take, estimated. */
  readonly bytes: number
  count(counted: Counted): void
  leave(counted: Counted): void
  /** Why a new task of an account would have no room, though everything that can go has gone. */
  shortageFor(account: Readonly<Account>, task: Task): QuotaExceeded | undefined
}

export interface TaskRoomParts {
  readonly settings: Settings
  readonly bounds: Quotas
  readonly accounts: ReadonlyMap<string, Counted>
  readonly wall: () => number
  readonly isUnreachable: (task: Task, now: Instant) => boolean
}

export const createTaskQuota = ({
  settings,
  bounds,
  accounts,
  wall,
  isUnreachable,
}: TaskRoomParts): TaskQuota => {
  const { tasksPerAccount, tasksInAll, taskBytes } = settings
  let [total, bytes] = [0, 0]

  const count = (counted: Counted): void => {
    if (counted.account.agenda.size > counted.agendaToSift) sift(counted)
    const { tasks, taskBytes: held } = counted.account
    if (tasks.size === counted.tasks && held === counted.bytes) return
    recount(counted)
    bounds.saw('tasks-in-all', total)
    bounds.saw('task-bytes', bytes)
    if (counted.tasks > Math.min(counted.tasksToSweep, tasksPerAccount)) sweep(counted)
    if (counted.tasks > tasksPerAccount) makeRoomIn(counted, 'tasks-per-account', tasksPerAccount)
    if (total > tasksInAll) makeRoomForAll()
    if (bytes > taskBytes) makeRoomInBytes()
  }

  const recount = (counted: Counted): void => {
    total += counted.account.tasks.size - counted.tasks
    counted.tasks = counted.account.tasks.size
    bytes += counted.account.taskBytes - counted.bytes
    counted.bytes = counted.account.taskBytes
  }

  /** Forgets what nobody can ask for any more. How many are left says when it is worth doing again. */
  const sweep = (counted: Counted): void => {
    const now = readClock(counted.account.clock, wall())
    evictTasks(counted.account, Number.POSITIVE_INFINITY, (task) => isUnreachable(task, now))
    recount(counted)
    counted.tasksToSweep = Math.max(FEW, 2 * counted.tasks)
    sift(counted)
  }

  const sift = (counted: Counted): void => {
    compactSchedule(counted.account)
    counted.agendaToSift = Math.max(FEW, 2 * counted.account.agenda.size)
  }

  const makeRoomForAll = (): void => {
    for (const counted of accounts.values()) sweep(counted)
    // The account with most gives first, so that a busy one does not push out what others have.
    for (const counted of inOrderOf(accounts.values(), ({ tasks }) => tasks))
      if (total > tasksInAll) makeRoomIn(counted, 'tasks-in-all', tasksInAll)
  }

  const makeRoomInBytes = (): void => {
    for (const counted of accounts.values()) sweep(counted)
    const [before, wanted] = [total, taskBytes - shareOf(taskBytes)]
    if (bytes <= taskBytes) return
    for (const counted of inOrderOf(accounts.values(), (one) => one.bytes)) {
      const least = counted.bytes - (bytes - wanted)
      evictTasks(counted.account, Number.POSITIVE_INFINITY, () => counted.account.taskBytes > least)
      recount(counted)
      if (bytes <= wanted) break
    }
    if (total < before) bounds.hit('task-bytes')
  }

  const makeRoomIn = (counted: Counted, name: QuotaName, most: number): void => {
    const excess = (name === 'tasks-in-all' ? total : counted.tasks) - most
    if (evictTasks(counted.account, excess - 1 + shareOf(most)) === 0) return
    recount(counted)
    bounds.hit(name)
  }

  /** How many bytes tasks that have ended would give back; it looks no further than to the number that is needed. */
  const bytesToGive = (needed: number): number => {
    let given = 0
    for (const { account } of accounts.values()) {
      if (account.open.size === account.tasks.size) continue
      for (const task of account.tasks.values()) {
        if (given >= needed) return given
        if (hasEnded(account, task)) given += bytesOfTask(task)
      }
    }
    return given
  }

  const shortageOfBytes = (more: number): QuotaExceeded | undefined => {
    const excess = bytes + more - taskBytes
    if (excess <= 0) return undefined
    const given = bytesToGive(excess)
    if (given >= excess) return undefined
    const why = `the task takes about ${more} bytes, and those of all accounts that have not ended ${bytes - given}`
    return shortage('task-bytes', 'taskBytes', taskBytes, bytes - given + more, why)
  }

  const shortageFor = (account: Readonly<Account>, task: Task): QuotaExceeded | undefined => {
    const { size } = account.tasks
    if (size >= tasksPerAccount && !hasEndedTask(account)) {
      const why = `the account has ${size} tasks, none of which has ended`
      return shortage('tasks-per-account', 'tasksPerAccount', tasksPerAccount, size, why)
    }
    const isFull = total >= tasksInAll && ![...accounts.values()].some((one) => hasEndedTask(one.account))
    if (!isFull) return shortageOfBytes(bytesOfTask(task))
    const why = `all accounts together have ${total} tasks, none of which has ended`
    return shortage('tasks-in-all', 'tasksInAll', tasksInAll, total, why)
  }

  return {
    get total() {
      return total
    },
    get bytes() {
      return bytes
    },
    count,
    leave: (counted) => {
      total -= counted.tasks
      bytes -= counted.bytes
    },
    shortageFor,
  }
}
