import { z } from 'zod'
import type { Account } from '../../../core/account/account.js'
import { action } from '../action.js'

/** This account as a document, for `state.write`. With `all`, every account. Keys stand in it. */
export const readState = action({
  route: { method: 'GET', path: '/state' },
  input: z.strictObject({ all: z.string().optional() }),
  run: async ({ store, settings, wall, blobs }, key, { all }) => {
    const { exportState } = await import('../../state/transfer.js')
    const keys = all === undefined ? [key] : await store.keys()
    const accounts = await Promise.all(keys.map((one) => store.run(one, (account): Account => account)))
    return exportState(accounts, { seed: settings.seed, wall: wall(), blobs })
  },
})

/**
 * Puts the account of a document in the place of this one: what was under way ends, and its journal begins anew. With
 * `all`, every account of the document, and those that are not in it go.
 */
export const writeState = action({
  route: { method: 'PUT', path: '/state' },
  input: z.looseObject({ all: z.string().optional() }),
  run: async (emulator, key, { all, ...document }) => {
    const { importState } = await import('../../state/transfer.js')
    const { settings, wall, blobs, replace } = emulator
    const place = {
      seed: settings.seed,
      wall: wall(),
      callbacksMost: settings.callbackLogEntries,
      blobs,
      replace,
    }
    const { keys, ...imported } = await importState(document, place, all === undefined ? key : undefined)
    const others = all === undefined ? [] : (await emulator.store.keys()).filter((one) => !keys.includes(one))
    for (const one of others) await emulator.forget(one)
    return { accounts: keys.length, ...imported }
  },
})
