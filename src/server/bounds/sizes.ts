import type { Account } from '../../core/account/account.js'
import type { Quotas } from './bounds.js'
import type { Counted } from './counted.js'

/** Says how large what accounts have is: of all of them, and of the one that has most. */
export const measure = (
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
