import { type Account, openAccount } from '../core/account/account.js'
import type { Asset } from '../core/asset/asset.js'
import { isUnreachable } from '../core/bounds/past.js'
import { initialStateOf } from '../core/journal/control.js'
import type { Settings } from '../core/settings.js'
import type { Task } from '../core/task/task.js'
import type { ClockState } from '../core/time/clock.js'
import type { Instant } from '../core/time/timeline.js'
import { catalogue } from '../families/catalogue.js'
import { taskFamilies } from '../families/index.js'
import { createAccountUsage } from '../server/bounds/census.js'
import { createJournalStore } from '../server/journal/recorder.js'
import { createScenarios } from '../server/scenario/scenarios.js'
import { createMemoryStore } from '../server/store/memory.js'
import { createFollowers } from './followers.js'
import type { Ground } from './ground.js'
import type { EmulatorDependencies } from './outside.js'

/** Where paused and on-poll clocks begin, so that ids and dates repeat. */
const STILL_START = Date.UTC(2026, 0, 1)

/** The accounts, what is written down of them, and what follows them through time. */
export type Accounts = ReturnType<typeof createAccounts>

/** @param letGo unpins the files of assets, once the account that had them is gone */
export const createAccounts = (
  ground: Ground,
  outside: EmulatorDependencies,
  letGo: (assets: Iterable<Asset>) => Promise<void>,
) => {
  const { settings, persistence, wall, events, bounds, troubles, onInternalError } = ground
  const usage = createAccountUsage({ settings, bounds, wall, isUnreachable: isPastTask })
  const journals = createJournalStore(settings, events, bounds)
  for (const account of persistence.accounts) journals.opened(account.key, initialStateOf(account))
  persistence.reportTo(troubles)
  const scenarios = createScenarios(catalogue, outside.scenarios ?? [])
  const openNew = (key: string): Account => {
    const account = openAccount(key, settings, openingClock(settings, wall()), scenarios.given)
    journals.opened(key, initialStateOf(account))
    return account
  }
  const store = createMemoryStore(openNew, {
    usage,
    persistence,
    onLeft: ({ key, assets }) => {
      forgetBesides(key)
      void letGo(assets.values()).catch(onInternalError)
    },
  })
  const followers = createFollowers(ground, outside, store)

  /** Everything that is kept of an account outside of it. */
  const forgetBesides = (key: string): void => {
    followers.clock.forget(key)
    followers.callbacks.forget(key)
    followers.inbox.forget(key)
    journals.forget(key)
  }

  return { usage, journals, scenarios, store, ...followers, forgetBesides }
}

const isPastTask = (task: Task, now: Instant): boolean => {
  const family = taskFamilies.find(({ id }) => id === task.family)
  return family !== undefined && isUnreachable(family, task, now)
}

const openingClock = ({ clock, speed, startAt }: Settings, wall: number): ClockState => {
  const begin = startAt === undefined ? (clock === 'live' ? wall : STILL_START) : Date.parse(startAt)
  return { mode: clock, speed, now: begin, wall }
}
