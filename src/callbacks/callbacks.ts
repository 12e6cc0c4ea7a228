import type { ClockScheduler } from '../accounts/clock.js'
import type { Store } from '../accounts/store.js'
import { resend, unknownCallback } from '../core/callback/queue.js'
import {
  type Callback,
  type CallbackRecord,
  type CallbackState,
  shownCallback,
} from '../core/model/callback.js'
import { readClock } from '../core/schedule/clock.js'
import { runDue } from '../core/schedule/run-due.js'
import type { CallbackDispatcher } from './dispatcher.js'

/** What is looked for; every part that is left out matches everything. */
export interface CallbackFilter {
  readonly taskId?: string
  readonly kind?: CallbackRecord['kind']
  readonly state?: CallbackState
}

/** The callback log of each account, for those who look at it and send again. */
export interface Callbacks {
  /** Newest first, with how many had to go to keep the bound (setting callbackLogEntries). */
  list(key: string, filter?: CallbackFilter): Promise<{ items: CallbackRecord[]; evicted: number }>
  get(key: string, id: string): Promise<CallbackRecord | undefined>
  /**
   * Sends one again now, once, whatever became of it; resolves with the record when it was answered or failed.
   * @throws EmulatorError `unknown-callback`, or `callback-waiting` where its turn has not come yet
   */
  redeliver(key: string, id: string): Promise<CallbackRecord>
  /** Resolves when nothing of the account is on its way; attempts that a clock has yet to reach are not waited for. */
  idle(key: string): Promise<void>
  /** Breaks off what is on its way for an account. Its log goes with the account itself. */
  forget(key: string): void
  stop(): void
}

export interface CallbacksParts {
  readonly store: Store
  readonly clock: ClockScheduler
  readonly dispatcher: CallbackDispatcher
  readonly wall: () => number
}

export const createCallbacks = ({ store, clock, dispatcher, wall }: CallbacksParts): Callbacks => {
  const get = async (key: string, id: string): Promise<CallbackRecord | undefined> => {
    const callback = await store.run(key, (account) => account.callbacks.log.get(id))
    return callback === undefined ? undefined : shownCallback(callback)
  }

  return {
    list: (key, filter = {}) =>
      store.run(key, ({ callbacks: { log, evicted } }) => ({
        items: [...log.values()].filter(matching(filter)).map(shownCallback).reverse(),
        evicted,
      })),
    get,
    redeliver: async (key, id) => {
      const { happenings, nextAt } = await store.run(key, (account) => {
        const now = readClock(account.clock, wall())
        const sent = resend(account, id, now)
        return { happenings: [...sent, ...runDue(account, now)], nextAt: account.agenda.peek()?.at }
      })
      clock.noticed(key, happenings, nextAt)
      await dispatcher.settledOne(key, id)
      const record = await get(key, id)
      if (record === undefined) throw unknownCallback(id)
      return record
    },
    idle: (key) => dispatcher.drained(key, 0),
    forget: dispatcher.forget,
    stop: dispatcher.stop,
  }
}

const matching =
  ({ taskId, kind, state }: CallbackFilter) =>
  (callback: Callback): boolean =>
    (taskId === undefined || callback.taskId === taskId) &&
    (kind === undefined || callback.kind === kind) &&
    (state === undefined || callback.state === state)
