import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Account } from '../../core/account/account.js'
import { EmulatorError } from '../../core/emulator-error.js'
import { readSettings } from '../../core/read-settings.js'
import { createBlobStore } from '../../server/media/blobs/index.js'
import { acquireLock } from '../../server/state/lock/lock.js'
import { openState } from '../../server/state/open-state.js'
import { readState } from '../../server/state/read-state.js'
import { exportState, importState, stateDocument } from '../../server/state/transfer.js'
import { warn } from '../start/warn.js'
import type { StateTarget, Written } from './state.js'

/** The state in a file that no emulator holds: of one account, or of all where none is named. */
export const fileTarget = (file: string, key: string | undefined): StateTarget => ({
  read: () => readFrom(resolve(file), key),
  write: (document) => writeInto(resolve(file), document, key),
})

const blobsOf = (path: string) =>
  createBlobStore({ folder: `${path}.media`, maxBytes: Number.MAX_SAFE_INTEGER, isKept: true })

const readFrom = async (path: string, key: string | undefined): Promise<object> => {
  if (!(await isThere(path)))
    throw new EmulatorError(`There is no state file ${path}.`, { code: 'no-such-file' })
  const lock = await acquireLock(path, { onLost: () => {} })
  const blobs = blobsOf(path)
  try {
    const { saved, accounts } = await readState(path, {
      callbacksMost: Infinity,
      isFresh: false,
      notify: warn,
    })
    const wanted = accounts
      .map(({ account }) => account)
      .filter((one) => key === undefined || one.key === key)
    return await exportState(wanted, { seed: saved.server?.seed ?? 1, wall: Date.now(), blobs })
  } finally {
    await blobs.stop()
    await lock.release()
  }
}

// The file is written as an emulator would write it that had these accounts.
const writeInto = async (path: string, document: object, key: string | undefined): Promise<Written> => {
  const { seed } = stateDocument(document)
  const settings = readSettings({ seed })
  const persistence = await openState(path, { settings, wall: Date.now, notify: warn })
  const blobs = blobsOf(path)
  const replace = async (account: Account): Promise<void> => {
    persistence.forgotten(account.key)
    persistence.keep(account)
  }
  try {
    const place = { seed, wall: Date.now(), callbacksMost: settings.callbackLogEntries, blobs, replace }
    const { keys, ...imported } = await importState(document, place, key)
    const others = key === undefined ? persistence.accounts.filter((one) => !keys.includes(one.key)) : []
    for (const other of others) persistence.forgotten(other.key)
    return { accounts: keys.length, ...imported }
  } finally {
    await blobs.stop()
    await persistence.stop()
  }
}

const isThere = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
