import { copyFile, rename, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Low } from 'lowdb'
import { EmulatorError } from '../../core/errors.js'
import type { Account } from '../../core/model/account.js'
import type { ScenarioRun } from '../../core/model/scenario-run.js'
import type { Scenario } from '../../core/scenario/schema.js'
import { clockAt, readClock } from '../../core/schedule/clock.js'
import type { Settings } from '../../core/settings.js'
import { signingSecretOf } from '../signing-secret.js'
import { accountFrom, idOfScenario, playingNow } from './account-records.js'
import { createStateAdapter, type StateAdapter, type StateData, sweep } from './adapter.js'
import { batchOf } from './batch.js'
import { type ChangeTracker, createChangeTracker } from './change-tracker.js'
import { badState, otherSeed } from './errors.js'
import { acquireLock, type Lock } from './lock.js'
import { createSizes, type Versions } from './parse.js'
import type { LoadedAccount, Persistence } from './port.js'
import { BadRecord } from './read-record.js'
import { nothingSaved, STATE_VERSION, type StoredServer, type StoredState } from './records.js'
import { resumeAccount } from './resume-account.js'
import { createStateWriter, type StateWriter } from './state-writer.js'

/** Puts a state file that cannot be read out of the way, and answers where it is now. */
const moveAside = async (file: string): Promise<string> => {
  const to = await freeName(`${file}.broken`)
  await rename(file, to)
  return to
}

/** Copies a state file of an older version before it is written anew, and answers where the copy is. */
const backUpOlder = async (file: string, version: number): Promise<string> => {
  const to = await freeName(`${file}.version-${version}`)
  await copyFile(file, to)
  return to
}

const freeName = async (base: string): Promise<string> => {
  for (let number = 1; ; number += 1) {
    const name = `${base}-${number}`
    if ((await stat(name).catch(() => undefined)) === undefined) return name
  }
}

/** A state file that has been read, or is about to be begun. */
interface ReadState {
  readonly low: Low<StateData>
  readonly adapter: StateAdapter
  readonly saved: StoredState
  readonly accounts: readonly ReadAccount[]
}

interface ReadAccount {
  /** As it was when it was written down; nothing is in its agenda yet. */
  readonly account: Account
  /** Up to where everything due had happened then. */
  readonly settledTo: number
}

interface ReadingParts {
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

/** Writes a file of an older version anew; a copy of it stays. */
const upgradeFile = async (
  path: string,
  { adapter }: ReadState,
  batches: ChangeTracker,
  { notify, versions }: StateParts,
): Promise<void> => {
  const newest = versions?.newest ?? STATE_VERSION
  const version = adapter.parsed?.version ?? newest
  if (version === newest) return
  const copy = await backUpOlder(path, version)
  batches.countAll()
  await adapter.beginAnew(batches.next().lines)
  notify(`The state file ${path} was of version ${version} and has been written anew; it is kept as ${copy}.`)
}

/** An account of the file, ready to go on. */
interface Revived {
  readonly account: Account
  /** Whether it is another than was written down. */
  readonly isChanged: boolean
}

/** `before`: the names of the scenarios that the settings gave when the account was written. */
const restoreAccount = (
  { account, settledTo }: ReadAccount,
  before: readonly string[],
  { given, settings, wall }: StateParts,
): Revived => {
  // The machine's own clock may have been set back meanwhile; what has happened does not happen again.
  const clock =
    readClock(account.clock, wall()) < settledTo ? clockAt(account.clock, settledTo, wall()) : account.clock
  const now = readClock(clock, wall())
  const playing =
    given === undefined
      ? account.playing
      : playingNow(account.playing, { now: given, before }, settings.seed, now)
  const isChanged =
    playing.length !== account.playing.length ||
    playing.some((play, index) => play !== account.playing[index])
  return { account: resumeAccount({ ...account, clock, playing }, settledTo, now), isChanged }
}

/** Those of the file that somebody plays, and those that nobody does any more. */
const scenariosOf = ({ scenarios }: StoredState, revived: readonly Revived[]) => {
  const played = new Set(
    revived.flatMap(({ account }) => playingIn(account)).map(({ scenario }) => idOfScenario(scenario)),
  )
  return {
    played: [...scenarios.keys()].filter((id) => played.has(id)),
    unused: [...scenarios.keys()].filter((id) => !played.has(id)),
  }
}

const playingIn = ({ playing, callbacks }: Account): ScenarioRun[] => [
  ...playing,
  ...[...callbacks.queues.values()].flatMap(({ guest }) => (guest === undefined ? [] : [guest])),
]

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
  readonly accounts: readonly LoadedAccount[]
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
  const accounts = revived.map((one) => ({ ...one, n: 0 }))
  batches.begin(() => revived.map(({ account }) => account))
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
  begin: batches.begin,
  batchOf,
  append: async (key, _, batch) => {
    batches.append(key, batch)
    return 'done'
  },
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
