import { resolve } from 'node:path'
import type { Account } from '../../core/account/account.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import type { Settings } from '../../core/settings.js'
import type { StoredServer } from '../../core/state/saved.js'
import { signingSecretOf } from '../results/signing-secret.js'
import { type ChangeTracker, createChangeTracker } from './batch.js'
import { createStateWriter, type StateWriter } from './diary.js'
import { otherSeed } from './errors.js'
import { sweep } from './file/disk.js'
import type { Versions } from './file/parse.js'
import { createSizes } from './file/sizes.js'
import type { Persistence } from './keeping.js'
import { acquireLock, type Lock } from './lock/lock.js'
import { type ReadState, readState } from './read-state.js'
import { upgradeFile } from './renew.js'
import { restoreAccount, scenariosOf } from './revive.js'

export interface StateParts {
  readonly settings: Settings
  /** The scenarios that play for every account; left out, what plays stays as it is. */
  readonly given?: readonly Scenario[]
  readonly wall: () => number
  /** Told in a sentence of what the user should know. */
  readonly notify: (sentence: string) => void
  /** What can be read; left out, what this version can. */
  readonly versions?: Versions
}

/**
 * Takes a state file for this process alone, and reads it.
 * @throws EmulatorError `state-held`, `bad-state`, `other-seed` or `state-unusable`
 */
export const openState = async (file: string, parts: StateParts): Promise<Persistence> => {
  const path = resolve(file)
  const { notify } = parts
  let writer: StateWriter | undefined
  const lock = await acquireLock(path, {
    onLost: () => {
      writer?.abandon()
      notify(`The state file ${path} has been taken over by another Backlot; nothing more is written to it.`)
    },
  })
  try {
    if (lock.takenFrom !== undefined)
      notify(`The state file ${path} was held by process ${lock.takenFrom.pid}, which is gone.`)
    await sweep(path)
    const read = await readState(path, reading(parts))
    const begun = await begin(path, read, parts)
    writer = begun.writer
    return keepingOf(path, lock, begun)
  } catch (error) {
    await lock.release()
    throw error
  }
}

const reading = ({ settings, notify, versions }: StateParts) => ({
  callbacksMost: settings.callbackLogEntries,
  isFresh: settings.stateFresh,
  notify,
  versions,
})

interface Begun {
  readonly read: ReadState
  readonly server: StoredServer
  readonly accounts: readonly Account[]
  readonly batches: ChangeTracker
  readonly writer: StateWriter
}

const begin = async (path: string, read: ReadState, parts: StateParts): Promise<Begun> => {
  const { adapter, low, saved } = read
  const { settings, wall, notify } = parts
  if (saved.server !== undefined && saved.server.seed !== settings.seed)
    throw otherSeed(path, saved.server.seed, settings.seed)
  const server = serverOf(parts, saved.server)
  const revived = read.accounts.map((one) => restoreAccount(one, saved.server?.given ?? [], parts))
  const sizes = adapter.parsed?.sizes ?? createSizes()
  let writer: StateWriter | undefined
  const batches = createChangeTracker({
    server: ['server', '', '', server],
    isServerWritten: JSON.stringify(server) === JSON.stringify(saved.server),
    scenarios: scenariosOf(saved, revived),
    sizes,
    wall,
    onChange: () => writer?.touch(),
  })
  const accounts = revived.map(({ account }) => batches.keep(account, false))
  for (const { account, isChanged } of revived) if (isChanged) batches.ran(account.key)
  await upgradeFile(path, read, batches, parts)
  await adapter.open()
  const delayMs = settings.stateDelayMs
  writer = createStateWriter({ file: path, adapter, low, batches, sizes, delayMs, wall, notify })
  if (!batches.isEmpty) writer.touch()
  return { read, server, accounts, batches, writer }
}

const serverOf = ({ settings, given }: StateParts, before: StoredServer | undefined): StoredServer => ({
  seed: settings.seed,
  secret: signingSecretOf(settings, before?.secret),
  given: given?.map(({ name }) => name) ?? before?.given ?? [],
})

const keepingOf = (
  path: string,
  lock: Lock,
  { read, server, accounts, batches, writer }: Begun,
): Persistence => ({
  secret: server.secret,
  mediaFolder: `${path}.media`,
  accounts,
  keep: (account) => batches.keep(account, true),
  ran: batches.ran,
  forgotten: batches.forgotten,
  reportTo: writer.reportTo,
  listening: (url) => lock.listening(url),
  facts: () => ({
    file: path,
    bytes: read.adapter.length,
    writtenAt: writer.writtenAt,
    trouble: writer.trouble,
  }),
  stop: async () => {
    await writer.stop()
    await lock.release()
  },
})
