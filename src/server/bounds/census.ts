import { type Account, DEFAULT_KEY } from '../../core/account/account.js'
import type { QuotaExceeded } from '../../core/bounds/bounds.js'
import { isIdle } from '../../core/bounds/forget.js'
import type { Settings } from '../../core/settings.js'
import type { Task } from '../../core/task/task.js'
import { readClock } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import { noQuotas, type Quotas } from './bounds.js'
import { type Counted, countedFrom, inOrderOf, shareOf } from './counted.js'
import { createCallbackLogQuota } from './log-room.js'
import { shortage } from './shortage.js'
import { measure } from './sizes.js'
import { createTaskQuota } from './task-room.js'

/**
 * Who is there, and how much all of them have. It keeps them within bounds: what nobody can ask for any more goes without
 * a word, before anything else; then what has ended, or is idle. What is live stays, and there is a shortage.
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

export interface CensusParts {
  readonly settings: Settings
  readonly bounds?: Quotas
  readonly wall: () => number
  /** Whether nobody can ask for a task any more; left out: somebody always can. */
  readonly isUnreachable?: (task: Task, now: Instant) => boolean
}

export const createAccountUsage = ({
  settings,
  bounds = noQuotas,
  wall,
  isUnreachable = () => false,
}: CensusParts): AccountUsage => {
  const { accountsMost, assetsInAll } = settings
  const accounts = new Map<string, Counted>()
  const tasks = createTaskQuota({ settings, bounds, accounts, wall, isUnreachable })
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
    !isConfigured(account.key) && isIdle(account, readClock(account.clock, wall()))

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
      if (accounts.size < accountsMost) return []
      const evictionCandidates: string[] = []
      for (const counted of inOrderOf(accounts.values(), ({ calledAt }) => -calledAt)) {
        if (evictionCandidates.length === shareOf(accountsMost)) break
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
      if (size < accountsMost || accounts.has(key) || isConfigured(key)) return undefined
      if ([...accounts.values()].some(mayLeave)) return undefined
      const busy = `there are ${size} accounts, and none of them that could go is idle`
      return shortage('accounts', 'accountsMost', accountsMost, size, busy)
    },
  }
}
