import type { Store } from '../accounts/store.js'
import { resend, unknownCallback } from '../core/callback/queue.js'
import {
  type Callback,
  type CallbackRecord,
  type CallbackState,
  shownCallback,
} from '../core/model/account.js'
import type { CallbackDispatcher } from './dispatcher.js'

/** Filter of the callback log; undefined parts match everything. */
export interface CallbackFilter {
  readonly taskId?: string
  readonly kind?: CallbackRecord['kind']
  readonly state?: CallbackState
}

/** Callback log of each account, to read and to send again. */
export interface Callbacks {
  /** Newest first, with the number of entries that were evicted (setting callbackLogEntries). */
  list(key: string, filter?: CallbackFilter): Promise<{ items: CallbackRecord[]; evicted: number }>
  get(key: string, id: string): Promise<CallbackRecord | undefined>
  /**
   * Sends a callback again now, once, whatever became of it; resolves with the record when it was answered or failed.
   * @throws EmulatorError `unknown-callback`, or `callback-waiting` if its turn has not come yet
   */
  redeliver(key: string, id: string): Promise<CallbackRecord>
  /** Resolves when nothing of the account is in flight; attempts that a clock has yet to reach do not count. */
  idle(key: string): Promise<void>
}

export const createCallbacks = (
  store: Pick<Store, 'read' | 'transact'>,
  dispatcher: Pick<CallbackDispatcher, 'settled' | 'drained'>,
): Callbacks => {
  const get = async (key: string, id: string): Promise<CallbackRecord | undefined> => {
    const callback = await store.read(key, ({ callbacks }) => callbacks.log.get(id))
    return callback === undefined ? undefined : shownCallback(callback)
  }

  return {
    list: (key, filter = {}) =>
      store.read(key, ({ callbacks: { log, evicted } }) => ({
        items: [...log.values()].filter(matching(filter)).map(shownCallback).reverse(),
        evicted,
      })),
    get,
    redeliver: async (key, id) => {
      await store.transact(key, (account, now, effects) => resend(account, id, now, effects))
      await dispatcher.settled(key, id)
      const record = await get(key, id)
      if (record === undefined) throw unknownCallback(id)
      return record
    },
    idle: (key) => dispatcher.drained(key, 0),
  }
}

const matching =
  ({ taskId, kind, state }: CallbackFilter) =>
  (callback: Callback): boolean =>
    (taskId === undefined || callback.taskId === taskId) &&
    (kind === undefined || callback.kind === kind) &&
    (state === undefined || callback.state === state)
