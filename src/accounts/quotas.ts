import type { EventEmitter } from 'node:events'
import { DEFAULT_KEY } from '../core/account/account.js'
import { bytesOfTask, evictTasks, hasEnded, hasEndedTask, isIdle } from '../core/account/eviction.js'
import type { Events } from '../core/events.js'
import type { Account } from '../core/model/account.js'
import type { QuotaName } from '../core/model/quota-name.js'
import type { Task } from '../core/model/task.js'
import { bounds, type QuotaExceeded, type QuotaHit, type QuotaSpec } from '../core/quotas.js'
import { readClock } from '../core/schedule/clock.js'
import { compactSchedule } from '../core/schedule/run-due.js'
import type { Instant } from '../core/schedule/timeline.js'
import type { Settings } from '../core/settings.js'

/** A bound and how things stand with it. */
export interface QuotaStatus {
  readonly name: QuotaName
  readonly of: string
  readonly settings: readonly string[]
  readonly most: number
  readonly per: QuotaSpec['per']
  /** How much there is now; null where nothing is kept. */
  readonly size: number | null
  /** The largest size that was seen; null where nothing is kept. */
  readonly peak: number | null
  /** How often there was no room for one more, and in how many of these cases somebody was refused. */
  readonly hits: number
  readonly refused: number
  readonly kind: QuotaSpec['kind']
  readonly atBound: string
}

/** Knows of every bound how much there is, and how often it was met. */
export interface Quotas {
  /** There was no room for one more. Listeners are told at the first, tenth, hundredth … time. */
  hit(name: QuotaName): void
  /** There was no room for one more, and somebody was told so. */
  refuse(name: QuotaName): void
  /** There is so much now; for what is counted where it grows, so that no peak is missed. */
  saw(name: QuotaName, size: number): void
  /** Says how a size is found out when somebody looks. */
  measure(sizes: Readonly<Partial<Record<QuotaName, () => number>>>): void
  read(): readonly QuotaStatus[]
}

/** Null quotas, for parts that run on their own. */
export const noQuotas: Quotas = {
  hit: () => {},
  refuse: () => {},
  saw: () => {},
  measure: () => {},
  read: () => [],
}

interface Standing {
  hits: number
  refused: number
  peak: number
  /** The number of hits at which listeners are told next. */
  tellAt: number
}

const names = Object.keys(bounds) as QuotaName[]

/** `defaults`: those that the settings leave to the machine. */
export const createQuotas = (
  settings: Settings,
  events: EventEmitter<Events>,
  defaults: Readonly<Partial<Record<QuotaName, number>>> = {},
): Quotas => {
  const standing = Object.fromEntries(
    names.map((name) => [name, { hits: 0, refused: 0, peak: 0, tellAt: 1 }]),
  ) as Record<QuotaName, Standing>
  const sizes: Partial<Record<QuotaName, () => number>> = {}
  const mostOf = (name: QuotaName): number => defaults[name] ?? Number(settings[bounds[name].settings[0]])

  const saw = (name: QuotaName, size: number): void => {
    if (size > standing[name].peak) standing[name].peak = size
  }

  const hit = (name: QuotaName): void => {
    const stands = standing[name]
    stands.hits += 1
    if (stands.hits < stands.tellAt) return
    // A full journal hits its limit with every call: the event is emitted at the 1st, 10th, 100th … hit.
    stands.tellAt *= 10
    events.emit('bound', hitOf(name, stands.hits))
  }

  const hitOf = (name: QuotaName, hits: number): QuotaHit => {
    const { of, settings: named, atBound } = bounds[name]
    const limits = named.map((one) => `${one} ${settings[one] ?? mostOf(name)}`).join(', ')
    const says = `There is no room for more ${of} (${limits}): ${atBound}.`
    return { name, setting: named[0], most: mostOf(name), hits, says }
  }

  const reading = (name: QuotaName): QuotaStatus => {
    const { of, settings: named, per, kind, atBound } = bounds[name]
    const size = sizes[name]?.() ?? null
    if (size !== null) saw(name, size)
    const { hits, refused, peak } = standing[name]
    const most = mostOf(name)
    return {
      ...{ name, of, settings: named, most, per, size, peak: per === 'call' ? null : peak },
      ...{ hits, refused, kind, atBound },
    }
  }

  return {
    hit,
    refuse: (name) => {
      standing[name].refused += 1
      hit(name)
    },
    saw,
    measure: (more) => void Object.assign(sizes, more),
    read: () => names.map(reading),
  }
}

/** Lets in so many at a time, and turns others away. */
export interface Gate {
  /** What is to be called in the end; undefined where there is no room. */
  enter(): (() => void) | undefined
}

export const createGate = (name: QuotaName, most: number, bounds: Quotas): Gate => {
  let inside = 0
  bounds.measure({ [name]: () => inside })
  return {
    enter: () => {
      if (inside >= most) {
        bounds.refuse(name)
        return undefined
      }
      inside += 1
      bounds.saw(name, inside)
      return () => {
        inside -= 1
      }
    },
  }
}

/** How much of something each account has. */
interface Scales {
  readonly total: number
  /** A negative amount takes away. */
  add(key: string, amount: number): void
  forget(key: string): void
  /** The account that has most; undefined: no account has anything. */
  largest(): string | undefined
}

export const createScales = (): Scales => {
  const amounts = new Map<string, number>()
  let total = 0
  return {
    get total() {
      return total
    },
    add: (key, amount) => {
      amounts.set(key, (amounts.get(key) ?? 0) + amount)
      total += amount
    },
    forget: (key) => {
      total -= amounts.get(key) ?? 0
      amounts.delete(key)
    },
    largest: () => {
      let found: string | undefined
      let most = 0
      for (const [key, amount] of amounts) {
        if (amount <= most) continue
        found = key
        most = amount
      }
      return found
    },
  }
}

/** @param why a clause that says what exists already */
const shortage = (
  bound: QuotaExceeded['bound'],
  setting: QuotaExceeded['setting'],
  most: number,
  found: number,
  why: string,
): QuotaExceeded => ({
  bound,
  setting,
  most,
  found,
  says: `The emulator has no more room: ${why}, and the setting ${setting} is ${most}`,
})

/** An account with what was counted of it last. */
export interface Counted {
  readonly account: Account
  tasks: number
  /** Of its tasks. */
  bytes: number
  assets: number
  /** Callbacks in its log, and how many had to leave it. */
  logged: number
  evicted: number
  requests: number
  /** The number of its latest call among those of all accounts. */
  calledAt: number
  /** Sweep thresholds: the numbers of tasks and of schedule entries from which a search for stale ones is worthwhile. */
  tasksToSweep: number
  agendaToSift: number
}

/** Below this many, looking for what can go is not worth it. */
const FEW = 1_000

const countedFrom = (account: Account, calledAt: number): Counted => ({
  account,
  tasks: 0,
  bytes: 0,
  assets: 0,
  logged: 0,
  evicted: account.callbacks.evicted,
  requests: account.requests,
  calledAt,
  // One that comes with many, out of a state file, has just been looked through.
  tasksToSweep: Math.max(FEW, 2 * account.tasks.size),
  agendaToSift: Math.max(FEW, 2 * account.schedule.size),
})

/** The accounts in an order: that with most, or longest ago, first. */
const inOrderOf = (all: Iterable<Counted>, number: (counted: Counted) => number): Counted[] =>
  [...all].sort((one, other) => number(other) - number(one))

/** What goes at once: a share of a bound, so that one look through everything makes room for many. */
const shareOf = (most: number): number => Math.ceil(most / 50)

/**
 * Account usage: tracks usage per account and enforces the quotas. Unreachable tasks are evicted first, silently; then
 * ended tasks and idle accounts. Live ones are never evicted: a new one is refused instead.
 */
export interface AccountUsage {
  readonly accounts: ReadonlyMap<string, Counted>
  /** Whom to forget before one more account is opened. */
  evictionCandidates(): readonly string[]
  enter(account: Account): Counted
  leave(key: string): void
  /** After anything was done to an account. */
  count(counted: Counted): void
  /** Why a new task or an asset of an account would have no room. */
  shortageOf(what: Task | 'asset', account: Readonly<Account>): QuotaExceeded | undefined
  /** Why an account that is not open yet cannot be opened. */
  shortageFor(key: string): QuotaExceeded | undefined
}

interface CensusParts {
  readonly settings: Settings
  readonly bounds?: Quotas
  readonly systemNow: () => number
  /** Whether no query can reach a task any more; default: every task is reachable. */
  readonly isUnreachable?: (task: Task, now: Instant) => boolean
}

export const createAccountUsage = ({
  settings,
  bounds = noQuotas,
  systemNow,
  isUnreachable = () => false,
}: CensusParts): AccountUsage => {
  const { maxAccounts, assetsInAll } = settings
  const accounts = new Map<string, Counted>()
  const tasks = createTaskQuota({ settings, bounds, accounts, systemNow, isUnreachable })
  const logs = createCallbackLogQuota({ settings, bounds, accounts })
  let assets = 0
  let calls = 0
  measure(bounds, accounts, {
    tasks: () => tasks.total,
    bytes: () => tasks.bytes,
    logs: () => logs.total,
    assets: () => assets,
  })

  const isConfigured = (key: string): boolean =>
    key === DEFAULT_KEY || settings.account.some((one) => (typeof one === 'string' ? one : one.key) === key)

  const mayLeave = ({ account }: Counted): boolean =>
    !isConfigured(account.key) && isIdle(account, readClock(account.clock, systemNow()))

  const countCalls = (counted: Counted): void => {
    if (counted.account.requests === counted.requests) return
    counted.requests = counted.account.requests
    calls += 1
    counted.calledAt = calls
  }

  const countAssets = (counted: Counted): void => {
    assets += counted.account.assets.size - counted.assets
    counted.assets = counted.account.assets.size
  }

  const shortageOfAssets = (): QuotaExceeded | undefined => {
    if (assets < assetsInAll) return undefined
    return shortage(
      'assets-in-all',
      'assetsInAll',
      assetsInAll,
      assets,
      `all accounts together have ${assets} assets`,
    )
  }

  return {
    accounts,
    evictionCandidates: () => {
      if (accounts.size < maxAccounts) return []
      const evictionCandidates: string[] = []
      for (const counted of inOrderOf(accounts.values(), ({ calledAt }) => -calledAt)) {
        if (evictionCandidates.length === shareOf(maxAccounts)) break
        if (mayLeave(counted)) evictionCandidates.push(counted.account.key)
      }
      if (evictionCandidates.length > 0) bounds.hit('accounts')
      return evictionCandidates
    },
    enter: (account) => {
      calls += 1
      const counted = countedFrom(account, calls)
      accounts.set(account.key, counted)
      bounds.saw('accounts', accounts.size)
      return counted
    },
    leave: (key) => {
      const counted = accounts.get(key)
      if (counted === undefined) return
      tasks.leave(counted)
      logs.leave(counted)
      assets -= counted.assets
      accounts.delete(key)
    },
    count: (counted) => {
      countCalls(counted)
      countAssets(counted)
      tasks.count(counted)
      logs.count(counted)
    },
    shortageOf: (what, account) => (what === 'asset' ? shortageOfAssets() : tasks.shortageFor(account, what)),
    shortageFor: (key) => {
      const { size } = accounts
      if (size < maxAccounts || accounts.has(key) || isConfigured(key)) return undefined
      if ([...accounts.values()].some(mayLeave)) return undefined
      const busy = `there are ${size} accounts, and none of them that could go is idle`
      return shortage('accounts', 'maxAccounts', maxAccounts, size, busy)
    },
  }
}

/** Keeps the tasks of each account, and of all of them together, within their bounds. */
interface TaskQuota {
  readonly total: number
  /** That they take, estimated. */
  readonly bytes: number
  count(counted: Counted): void
  leave(counted: Counted): void
  /** Why a new task of an account would have no room, though everything that can go has gone. */
  shortageFor(account: Readonly<Account>, task: Task): QuotaExceeded | undefined
}

interface TaskRoomParts {
  readonly settings: Settings
  readonly bounds: Quotas
  readonly accounts: ReadonlyMap<string, Counted>
  readonly systemNow: () => number
  readonly isUnreachable: (task: Task, now: Instant) => boolean
}

const createTaskQuota = ({
  settings,
  bounds,
  accounts,
  systemNow,
  isUnreachable,
}: TaskRoomParts): TaskQuota => {
  const { tasksPerAccount, tasksInAll, taskBytes } = settings
  let [total, bytes] = [0, 0]

  const count = (counted: Counted): void => {
    if (counted.account.schedule.size > counted.agendaToSift) sift(counted)
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

  /** Removes unreachable tasks, and derives the next sweep threshold from the number that remain. */
  const sweep = (counted: Counted): void => {
    const now = readClock(counted.account.clock, systemNow())
    evictTasks(counted.account, Number.POSITIVE_INFINITY, (task) => isUnreachable(task, now))
    recount(counted)
    counted.tasksToSweep = Math.max(FEW, 2 * counted.tasks)
    sift(counted)
  }

  const sift = (counted: Counted): void => {
    compactSchedule(counted.account)
    counted.agendaToSift = Math.max(FEW, 2 * counted.account.schedule.size)
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

/** Keeps the callback logs of all accounts together within their bound; that of each keeps itself. */
interface CallbackLogQuota {
  readonly total: number
  count(counted: Counted): void
  leave(counted: Counted): void
}

interface LogRoomParts {
  readonly settings: Settings
  readonly bounds: Quotas
  readonly accounts: ReadonlyMap<string, Counted>
}

const createCallbackLogQuota = ({ settings, bounds, accounts }: LogRoomParts): CallbackLogQuota => {
  const { callbacksLoggedInAll: most } = settings
  let total = 0

  const count = (counted: Counted): void => {
    const { log, evicted } = counted.account.callbacks
    if (log.size === counted.logged && evicted === counted.evicted) return
    if (evicted !== counted.evicted) bounds.hit('callback-log')
    total += log.size - counted.logged
    counted.logged = log.size
    counted.evicted = evicted
    if (total > most) makeRoom(total - most - 1 + shareOf(most))
  }

  const makeRoom = (wanted: number): void => {
    bounds.hit('callback-logs')
    let left = wanted
    for (const counted of inOrderOf(accounts.values(), ({ logged }) => logged)) left -= shorten(counted, left)
  }

  const shorten = (counted: Counted, by: number): number => {
    const { callbacks } = counted.account
    const before = callbacks.log.size
    for (const id of callbacks.log.keys()) {
      if (before - callbacks.log.size >= by) break
      callbacks.log.delete(id)
    }
    const gone = before - callbacks.log.size
    callbacks.evicted += gone
    counted.evicted += gone
    counted.logged -= gone
    total -= gone
    return gone
  }

  return {
    get total() {
      return total
    },
    count,
    leave: ({ logged }) => {
      total -= logged
    },
  }
}

/** Says how large what accounts have is: of all of them, and of the one that has most. */
const measure = (
  bounds: Quotas,
  accounts: ReadonlyMap<string, Counted>,
  totals: Readonly<Record<'tasks' | 'bytes' | 'assets' | 'logs', () => number>>,
): void => {
  const most = (size: (account: Account) => number) => () => {
    let found = 0
    for (const { account } of accounts.values()) found = Math.max(found, size(account))
    return found
  }
  bounds.measure({
    accounts: () => accounts.size,
    'tasks-in-all': totals.tasks,
    'task-bytes': totals.bytes,
    'assets-in-all': totals.assets,
    'callback-logs': totals.logs,
    'tasks-per-account': most(({ tasks }) => tasks.size),
    'assets-per-account': most(({ assets }) => assets.size),
    'asset-bytes-per-account': most(bytesOfAssets),
    'callback-log': most(({ callbacks }) => callbacks.log.size),
    scenarios: most(({ playing }) => playing.length),
  })
}

const bytesOfAssets = ({ assets }: Account): number => {
  let sum = 0
  for (const { bytes } of assets.values()) sum += bytes
  return sum
}
