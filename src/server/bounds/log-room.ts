import type { Settings } from '../../core/settings.js'
import type { Quotas } from './bounds.js'
import { type Counted, inOrderOf, shareOf } from './counted.js'

/** Keeps the callback logs of all accounts together within their bound; that of each keeps itself. */
export interface CallbackLogQuota {
  readonly total: number
  count(counted: Counted): void
  leave(counted: Counted): void
}

export interface LogRoomParts {
  readonly settings: Settings
  readonly bounds: Quotas
  readonly accounts: ReadonlyMap<string, Counted>
}

export const createCallbackLogQuota = ({ settings, bounds, accounts }: LogRoomParts): CallbackLogQuota => {
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
