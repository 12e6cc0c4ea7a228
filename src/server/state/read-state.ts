import type { Low } from 'lowdb'
import type { Account } from '../../core/account/account.js'
import { EmulatorError } from '../../core/emulator-error.js'
import { accountFrom } from '../../core/state/load.js'
import { BadRecord } from '../../core/state/read-record.js'
import { nothingSaved, type StoredState } from '../../core/state/saved.js'
import { badState } from './errors.js'
import { createStateAdapter, type StateAdapter, type StateData } from './file/adapter.js'
import type { Versions } from './file/parse.js'
import { moveAside } from './set-aside.js'

/** A state file that has been read, or is about to be begun. */
export interface ReadState {
  readonly low: Low<StateData>
  readonly adapter: StateAdapter
  readonly saved: StoredState
  readonly accounts: readonly ReadAccount[]
}

export interface ReadAccount {
  /** As it was when it was written down; nothing is in its agenda yet. */
  readonly account: Account
  /** Up to where everything due had happened then. */
  readonly settledTo: number
}

export interface ReadingParts {
  readonly callbacksMost: number
  /** Whether a file that cannot be read is put out of the way. */
  readonly isFresh: boolean
  readonly notify: (sentence: string) => void
  /** What can be read; left out, what this version can. */
  readonly versions?: Versions | undefined
}

/**
 * Reads a state file. Nothing in it is changed, and one that is not there is not made.
 * @throws EmulatorError `bad-state` or `state-unusable`
 */
export const readState = async (path: string, parts: ReadingParts): Promise<ReadState> => {
  try {
    return await readNow(path, parts)
  } catch (error) {
    if (!parts.isFresh || !(error instanceof EmulatorError) || error.code !== 'bad-state') throw error
    const aside = await moveAside(path)
    parts.notify(`${error.message} It is kept as ${aside}, and a new one is begun.`)
    return readNow(path, parts)
  }
}

const readNow = async (
  path: string,
  { callbacksMost, notify, versions }: ReadingParts,
): Promise<ReadState> => {
  const adapter = createStateAdapter(path, versions)
  const { Low } = await import('lowdb')
  const low = new Low<StateData>(adapter, { saved: nothingSaved(), batch: [] })
  await low.read()
  const { saved } = low.data
  const accounts = accountsOf(path, saved, callbacksMost)
  const cutOff = adapter.parsed?.cutOff ?? 0
  if (cutOff > 0)
    notify(
      `The state file ${path} ends in the middle of a batch, as when a process is killed; its last ${cutOff} bytes are left out.`,
    )
  return { low, adapter, saved, accounts }
}

const accountsOf = (path: string, saved: StoredState, callbacksMost: number): ReadAccount[] => {
  try {
    return [...saved.accounts].map(([key, one]) => ({
      account: accountFrom(key, one, saved.scenarios, callbacksMost),
      settledTo: one.head?.settledTo ?? 0,
    }))
  } catch (error) {
    throw error instanceof BadRecord ? badState(path, error.message) : error
  }
}
