import { type Account, openAccount } from '../core/account/account.js'
import type { Asset } from '../core/asset/asset.js'
import { isPast } from '../core/bounds/past.js'
import { openingOf } from '../core/journal/control.js'
import type { Settings } from '../core/settings.js'
import type { Task } from '../core/task/task.js'
import type { ClockState } from '../core/time/clock.js'
import type { Instant } from '../core/time/timeline.js'
import { catalogue } from '../families/catalogue.js'
import { taskFamilies } from '../families/index.js'
import { createCensus } from '../server/bounds/census.js'
import { createRecorder } from '../server/journal/recorder.js'
import { createScenarios } from '../server/scenario/scenarios.js'
import { createMemoryStore } from '../server/store/memory.js'
import { createFollowers } from './followers.js'
import type { Ground } from './ground.js'
import type { Outside } from './outside.js'

/** Where paused and on-poll clocks begin, so that ids and dates repeat. */
const STILL_START = Date.UTC(2026, 0, 1)

/** The accounts, what is written down of them, and what follows them through time. */
export type Accounts = ReturnType<typeof createAccounts>

/** @param letGo unpins the files of assets, once the account that had them is gone */
export const createAccounts = (
  ground: Ground,
  outside: Outside,
  letGo: (assets: Iterable<Asset>) => Promise<void>,
) => {
  const { settings, keeping, wall, events, bounds, troubles, onBug } = ground
  const census = createCensus({ settings, bounds, wall, isPast: isPastTask })
  const recorder = createRecorder(settings, events, bounds)
  for (const account of keeping.accounts) recorder.opened(account.key, openingOf(account))
  keeping.reportTo(troubles)
  const scenarios = createScenarios(catalogue, outside.scenarios ?? [])
  const openNew = (key: string): Account => {
    const account = openAccount(key, settings, openingClock(settings, wall()), scenarios.given)
    recorder.opened(key, openingOf(account))
    return account
  }
  const store = createMemoryStore(openNew, {
    census,
    keeping,
    onLeft: ({ key, assets }) => {
      forgetBesides(key)
      void letGo(assets.values()).catch(onBug)
    },
  })
  const followers = createFollowers(ground, outside, store)

  /** Everything that is kept of an account outside of it. */
  const forgetBesides = (key: string): void => {
    followers.clock.forget(key)
    followers.callbacks.forget(key)
    followers.inbox.forget(key)
    recorder.forget(key)
  }

  return { census, recorder, scenarios, store, ...followers, forgetBesides }
}

const isPastTask = (task: Task, now: Instant): boolean => {
  const family = taskFamilies.find(({ id }) => id === task.family)
  return family !== undefined && isPast(family, task, now)
}

const openingClock = ({ clock, speed, startAt }: Settings, wall: number): ClockState => {
  const begin = startAt === undefined ? (clock === 'live' ? wall : STILL_START) : Date.parse(startAt)
  return { mode: clock, speed, now: begin, wall }
}
