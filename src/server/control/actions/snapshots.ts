import { z } from 'zod'
import { accountIdOf } from '../../../core/account/account.js'
import type { Snapshot } from '../../state/snapshots.js'
import { action, type ControlContext } from '../action.js'
import { ControlError } from '../control-error.js'

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
