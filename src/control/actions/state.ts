import { z } from 'zod'
import type { Snapshot } from '../../accounts/persistence/snapshots.js'
import { ControlError } from '../../core/control-error.js'
import { type Account, accountIdOf } from '../../core/model/account.js'
import { action, type ControlContext } from '../action.js'

/** Remembers this account as it is now, in memory. With `all`, every account. */
export const takeSnapshot = action({
  route: { method: 'POST', path: '/snapshots' },
  input: z.strictObject({ all: z.string().optional() }),
  run: async ({ snapshots }, key, { all }) =>
    shown(await snapshots.take(all === undefined ? key : undefined)),
})

/**
 * This account is again as it was; what was under way ends, and its journal begins anew. With `all`, every account, and
 * those that were not there are gone.
 */
export const restoreSnapshot = action({
  route: { method: 'POST', path: '/snapshots/:id/restore' },
  input: z.strictObject({ id: z.string(), all: z.string().optional() }),
  run: async (emulator, key, { id, all }) => {
    const snapshot = emulator.snapshots.find(id)
    if (snapshot === undefined) throw unknownSnapshot(id, emulator)
    const isOfThis = snapshot.isOfAll || (all === undefined && snapshot.held.has(key))
    if (!isOfThis) throw ofAnother(snapshot, all !== undefined)
    const keys =
      all === undefined ? [key] : new Set([...snapshot.held.keys(), ...(await emulator.store.keys())])
    for (const one of keys) await restore(emulator, snapshot, one)
    return shown(snapshot)
  },
})

const restore = async (emulator: ControlContext, snapshot: Snapshot, key: string): Promise<void> => {
  const account = emulator.snapshots.again(snapshot, key)
  if (account === undefined) await emulator.forget(key)
  else await emulator.replace(account)
}

const shown = ({ id, held }: Snapshot) => ({
  id,
  accounts: held.size,
  tasks: [...held.values()].reduce((sum, { account }) => sum + account.tasks.size, 0),
})

const unknownSnapshot = (id: string, { settings }: ControlContext): ControlError =>
  new ControlError(
    404,
    'unknown-snapshot',
    `There is no snapshot ${id}.`,
    `The latest ${settings.snapshotsMost} are kept (setting snapshotsMost), as long as the emulator runs.`,
  )

const ofAnother = ({ id, held }: Snapshot, isForAll: boolean): ControlError =>
  new ControlError(
    409,
    'other-snapshot',
    isForAll
      ? `The snapshot ${id} is of one account alone (${[...held.keys()].map(accountIdOf).join()}), and all were to be restored.`
      : `The snapshot ${id} is not of this account.`,
    'Restore it with the handles, or the key, with which it was taken.',
  )

/** This account as a document, for `state.write`. With `all`, every account. Keys stand in it. */
export const readState = action({
  route: { method: 'GET', path: '/state' },
  input: z.strictObject({ all: z.string().optional() }),
  run: async ({ store, settings, wall, blobs }, key, { all }) => {
    const { exportState } = await import('../../accounts/persistence/export.js')
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
    const { importState } = await import('../../accounts/persistence/export.js')
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
