import { DEFAULT_KEY } from '../account/account.js'
import { replayKey } from './key-nature.js'
import type { Placed } from './recording.js'

/**
 * The key that plays each account of a recording, by the tag of the account. The account `default` plays itself where
 * nobody else uses it.
 */
export const replayKeys = (lines: readonly Placed[], isOwn: boolean): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>()
  for (const { line } of lines)
    if (line.kind === 'account')
      keys.set(
        line.account,
        line.key.is === 'default' && isOwn ? DEFAULT_KEY : replayKey(line.key, line.account),
      )
  return keys
}
