import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { EmulatorError } from '../../core/errors.js'
import type { Account } from '../../core/model/account.js'
import type { Registry } from '../../families/registry.js'
import { FolderBlobStore } from '../../media/files/blob-store.js'
import { readSettings } from '../../settings.js'
import { batchOf, everythingIn } from './batch.js'
import { acquireLock } from './lock.js'
import {
  exportStoredState,
  type Imported,
  importState,
  parseStateDocument,
  type StateDocument,
} from './state-document.js'
import { openStateFile } from './state-file.js'
import { readStateFiles, realStatePath } from './state-files.js'

interface TransferOptions {
  /** Key of the account that is exported or imported, or undefined for all of them. */
  readonly key: string | undefined
  /** Receives sentences for the user, such as that a file ends in the middle of a batch. */
  readonly onWarning: (sentence: string) => void
}

/**
 * Exports a state file that no emulator holds as a document. Changes nothing in the file.
 * @throws EmulatorError `no-such-file`, `no-such-account`, `bad-state`, `state-unusable`, or `state-held` where an emulator holds the file
 */
export const exportStateFile = async (
  file: string,
  { key, onWarning }: TransferOptions,
): Promise<StateDocument> => {
  if (!existsSync(file))
    throw new EmulatorError(`There is no state file ${resolve(file)}.`, { code: 'no-such-file' })
  const path = await realStatePath(file)
  const lock = await acquireLock(path)
  const blobs = blobsOf(path)
  try {
    const { state, warnings } = await readStateFiles(path)
    for (const warning of warnings) onWarning(warning)
    if (key !== undefined) {
      if (!state.accounts.has(key)) throw noSuchAccount()
      for (const other of [...state.accounts.keys()]) if (other !== key) state.accounts.delete(other)
    }
    return await exportStoredState(state, { seed: state.server?.seed ?? 1, blobs })
  } finally {
    await blobs.stop()
    await lock.release()
  }
}

/** The key that an export was asked for has no account. */
export const noSuchAccount = (): EmulatorError =>
  new EmulatorError('No account has this key.', {
    code: 'no-such-account',
    hint: 'Without --key, every account is exported.',
  })

/**
 * Imports an exported state into a state file that no emulator holds, which is made where it is missing. Without a key, the
 * file has the accounts of the document and no others afterwards.
 * @throws EmulatorError as `importState` and `openStateFile` do; `state-unwritten` where the file could not be written
 */
export const importStateFile = async (
  file: string,
  document: unknown,
  { key, registry, onWarning }: TransferOptions & { readonly registry: Registry },
): Promise<Imported> => {
  const { seed } = parseStateDocument(document)
  // The file is written as an emulator writes it that has these accounts.
  const settings = readSettings({ seed })
  const checkParams: Registry['paramsProblem'] = (task) => registry.paramsProblem(task)
  const persistence = await openStateFile(file, { settings, checkParams, now: Date.now, onWarning })
  const blobs = blobsOf(persistence.facts().file)
  const replace = async (account: Account): Promise<void> => {
    const batch = batchOf(everythingIn(account, Date.now()))
    await persistence.append(account.key, [['account', '', null], ...batch])
  }
  let imported: Imported
  try {
    const maxCallbacks = settings.callbackLogEntries
    const { catalogue } = registry
    const target = { seed, systemNow: Date.now(), maxCallbacks, blobs, catalogue, checkParams, replace }
    imported = await importState(document, target, key)
    if (key === undefined)
      for (const { account } of persistence.accounts)
        if (!imported.keys.includes(account.key))
          await persistence.append(account.key, [['account', '', null]])
  } finally {
    await blobs.stop()
    await persistence.stop()
  }
  // Appending never rejects.
  const { trouble } = persistence.facts()
  if (trouble === null) return imported
  throw new EmulatorError(`Not everything was imported: ${trouble}.`, {
    code: 'state-unwritten',
    hint: 'Import again once the state file can be written, on a full disk once there is room.',
  })
}

const blobsOf = (path: string) =>
  new FolderBlobStore({ folder: `${path}.media`, maxBytes: Number.MAX_SAFE_INTEGER, isKept: true })
