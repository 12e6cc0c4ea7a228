import { writeFile } from 'node:fs/promises'
import { DEFAULT_KEY } from '../core/account/account.js'
import type { Finished } from '../generated/control-api.js'
import { withValidation } from './arguments.js'
import { type AccountHandles, createHandles, type Transport } from './handles.js'

/**
 * The handles of an emulator, wherever it runs. Its own are those of one account, `default` unless another is named; only
 * `requests.save` writes the journals of all accounts, and `snapshot` and `restore` are of all accounts too.
 */
export interface EmulatorHandles extends AccountHandles {
  /** `http://127.0.0.1:41234`, without a slash at its end. */
  readonly url: string
  /** The same handles for the account of an API key. */
  account(key: string): AccountHandles
  /** All accounts begin anew. */
  resetAll(): Promise<void>
  /**
   * As `finish` of an account, with the calls and callbacks of all accounts; all of them begin anew.
   * @param key the account whose unused steps are looked at
   */
  finishAll(key: string): Promise<Finished>
}

/** @param key the account of the emulator's own handles */
export const createEmulatorHandles = (
  url: string,
  invokeAs: (key: string) => Transport,
  key: string = DEFAULT_KEY,
): EmulatorHandles => {
  const account = (of: string) => createHandles(of, invokeAs(of), url)
  const own = account(key)
  return withValidation({
    ...own,
    // What happened to an emulator is what happened to all of its accounts.
    requests: {
      ...own.requests,
      save: async (file) =>
        writeFile(file, await invokeAs(key)('recording.read', { format: 'replay', all: 'true' })),
    },
    snapshot: () => invokeAs(key)('snapshots.take', { all: 'true' }),
    restore: async ({ id }) => void (await invokeAs(key)('snapshots.restore', { id, all: 'true' })),
    url,
    account,
    resetAll: async () => void (await invokeAs(key)('reset', { all: 'true' })),
    finishAll: (of) => invokeAs(of)('finish', { all: 'true' }),
  })
}
