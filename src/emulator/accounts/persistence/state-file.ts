import { isDeepStrictEqual } from 'node:util'
import { EmulatorError } from '../../core/errors.js'
import type { Scenario } from '../../core/scenario/schema.js'
import type { Settings } from '../../core/settings.js'
import type { SetTimer } from '../../timers.js'
import { signingSecretOf } from '../signing-secret.js'
import { readAccounts, restoreAccount } from './account-records.js'
import { batchOf } from './batch.js'
import { BadRecord, badState, otherSeed, throwUnusable } from './errors.js'
import { acquireLock } from './lock.js'
import type { Persistence } from './port.js'
import { recordsFor, type StoredServer } from './records.js'
import {
  backUp,
  moveAside,
  moveLogAside,
  readStateFiles,
  realStatePath,
  removeBefore,
  removeUnfinished,
} from './state-files.js'
import { FILE_VERSION } from './state-text.js'
import { createStateWriter } from './state-writer.js'

interface StateFileParts {
  readonly settings: Settings
  /** Scenarios that run for every account, or undefined where what runs stays as it is. */
  readonly given?: readonly Scenario[]
  /** What is wrong with the parameters of a task, as a sentence without a full stop, or undefined where nothing is. */
  readonly checkParams?: Parameters<typeof readAccounts>[2]
  readonly now: () => number
  /** Told a sentence that the user should read. */
  readonly onWarning: (sentence: string) => void
  /** Of the checks of the file; default: real time. */
  readonly setTimer?: SetTimer | undefined
}

/**
 * Persistence in a state file: takes the file for this process alone, and reads it.
 * @throws EmulatorError `state-held`, `bad-state`, `other-seed` or `state-unusable`
 */
export const openStateFile = async (file: string, parts: StateFileParts): Promise<Persistence> => {
  const { settings, now, onWarning, setTimer } = parts
  const path = await realStatePath(file)
  const lock = await acquireLock(path, { takeOver: settings.stateTakeOver })
  try {
    if (lock.takenFrom !== undefined)
      onWarning(`The state file ${path} was held by process ${lock.takenFrom.pid}, and is taken over.`)
    await removeUnfinished(path)
    const { files, accounts } = await read(path, parts, lock.takenFrom?.log)
    const server = serverOf(parts, files.state.server)
    for (const warning of files.warnings) onWarning(warning)
    for (const number of files.strayLogs) onWarning(await moveLogAside(path, number))
    await removeBefore(path, files.generation)
    const fsync = settings.stateFsync
    const writer = await createStateWriter({ path, lock, files, fsync, now, onWarning, setTimer })
    try {
      if (!isDeepStrictEqual(server, files.state.server)) await writer.append([['server', '', '', server]])
      const { version } = files
      const copy = version > 0 && version < FILE_VERSION ? await backUp(path, version) : undefined
      // A file that is new, older or taken over gets a new generation: the log of its former owner is no longer read.
      if (version !== FILE_VERSION || lock.takenFrom !== undefined || files.isTorn) await writer.compact()
      if (copy !== undefined)
        onWarning(
          `The state file ${path} was of version ${version} and has been written anew; it is kept as ${copy}.`,
        )
    } catch (error) {
      // Its timer would write the file and its lock again.
      await writer.close()
      // Without a snapshot nothing reads its logs.
      if (files.version === 0 && lock.isMine()) await removeBefore(path, Number.POSITIVE_INFINITY)
      throw error
    }
    return {
      secret: server.secret,
      mediaFolder: `${path}.media`,
      accounts,
      batchOf,
      append: (key, batch) => writer.append(recordsFor(key, batch)),
      reportTo: (health) => writer.reportTo(health),
      listening: async (url) => void (await lock.update({ url })),
      facts: () => ({ file: path, ...writer.facts() }),
      stop: async () => {
        await writer.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    return throwUnusable(path, error)
  }
}

const read = async (
  path: string,
  parts: StateFileParts,
  lastLog: number | null | undefined,
): ReturnType<typeof readAndRestore> => {
  try {
    return await readAndRestore(path, parts, lastLog)
  } catch (error) {
    if (!parts.settings.stateFresh || !(error instanceof EmulatorError) || error.code !== 'bad-state')
      throw error
    const aside = await moveAside(path)
    parts.onWarning(`${error.sentence} It is kept as ${aside}, and a new one is begun.`)
    return readAndRestore(path, parts)
  }
}

const readAndRestore = async (
  path: string,
  { settings, given, checkParams, now }: StateFileParts,
  lastLog?: number | null,
) => {
  const files = await readStateFiles(path, lastLog)
  const { server } = files.state
  if (server !== undefined && server.seed !== settings.seed) throw otherSeed(path, server.seed, settings.seed)
  try {
    const parts = { seed: settings.seed, given, before: server?.given ?? [], now: now() }
    const read = readAccounts(files.state, settings.callbackLogEntries, checkParams)
    return { files, accounts: read.map((account) => restoreAccount(account, parts)) }
  } catch (error) {
    throw error instanceof BadRecord ? badState(path, error.message) : error
  }
}

const serverOf = ({ settings, given }: StateFileParts, before: StoredServer | undefined): StoredServer => ({
  seed: settings.seed,
  secret: signingSecretOf(settings, before?.secret),
  given: given?.map(({ name }) => name) ?? before?.given ?? [],
})
