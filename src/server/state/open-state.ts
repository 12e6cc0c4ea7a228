import { resolve } from 'node:path'
import type { Account } from '../../core/account/account.js'
import type { Playing } from '../../core/scenario/playing.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import type { Settings } from '../../core/settings.js'
import { STATE_VERSION } from '../../core/state/record.js'
import { resumed } from '../../core/state/resume.js'
import type { SavedServer, SavedState } from '../../core/state/saved.js'
import { idOfScenario, playingNow } from '../../core/state/scenarios.js'
import { clockAt, readClock } from '../../core/time/clock.js'
import { signingSecretOf } from '../results/signing-secret.js'
import { type Batches, createBatches } from './batch.js'
import { createDiary, type Diary } from './diary.js'
import { otherSeed } from './errors.js'
import { sweep } from './file/adapter.js'
import type { Versions } from './file/parse.js'
import { createSizes } from './file/sizes.js'
import type { Keeping } from './keeping.js'
import { type Lock, takeLock } from './lock/lock.js'
import { type ReadAccount, type ReadState, readState } from './read-state.js'
import { keepOlder } from './set-aside.js'

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
export const openState = async (file: string, parts: StateParts): Promise<Keeping> => {
  const path = resolve(file)
  const { notify } = parts
  let diary: Diary | undefined
  const lock = await takeLock(path, {
    onLost: () => {
      diary?.abandon()
      notify(`The state file ${path} has been taken over by another Backlot; nothing more is written to it.`)
    },
  })
  try {
    if (lock.takenFrom !== undefined)
      notify(`The state file ${path} was held by process ${lock.takenFrom.pid}, which is gone.`)
    await sweep(path)
    const read = await readState(path, reading(parts))
    const begun = await begin(path, read, parts)
    diary = begun.diary
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
  readonly server: SavedServer
  readonly accounts: readonly Account[]
  readonly batches: Batches
  readonly diary: Diary
}

const begin = async (path: string, read: ReadState, parts: StateParts): Promise<Begun> => {
  const { adapter, low, saved } = read
  const { settings, wall, notify } = parts
  if (saved.server !== undefined && saved.server.seed !== settings.seed)
    throw otherSeed(path, saved.server.seed, settings.seed)
  const server = serverOf(parts, saved.server)
  const revived = read.accounts.map((one) => revive(one, saved.server?.given ?? [], parts))
  const sizes = adapter.parsed?.sizes ?? createSizes()
  let diary: Diary | undefined
  const batches = createBatches({
    server: ['server', '', '', server],
    isServerWritten: JSON.stringify(server) === JSON.stringify(saved.server),
    scenarios: scenariosOf(saved, revived),
    sizes,
    wall,
    onChange: () => diary?.touch(),
  })
  const accounts = revived.map(({ account }) => batches.keep(account, false))
  for (const { account, isChanged } of revived) if (isChanged) batches.ran(account.key)
  await renew(path, read, batches, parts)
  await adapter.open()
  const delayMs = settings.stateDelayMs
  diary = createDiary({ file: path, adapter, low, batches, sizes, delayMs, wall, notify })
  if (!batches.isEmpty) diary.touch()
  return { read, server, accounts, batches, diary }
}

const serverOf = ({ settings, given }: StateParts, before: SavedServer | undefined): SavedServer => ({
  seed: settings.seed,
  secret: signingSecretOf(settings, before?.secret),
  given: given?.map(({ name }) => name) ?? before?.given ?? [],
})

interface Revived {
  readonly account: Account
  /** Whether it is another than was written down. */
  readonly isChanged: boolean
}

const revive = (
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
  return { account: resumed({ ...account, clock, playing }, settledTo, now), isChanged }
}

/** Those of the file that somebody plays, and those that nobody does any more. */
const scenariosOf = ({ scenarios }: SavedState, revived: readonly Revived[]) => {
  const played = new Set(
    revived.flatMap(({ account }) => playingIn(account)).map(({ scenario }) => idOfScenario(scenario)),
  )
  return {
    played: [...scenarios.keys()].filter((id) => played.has(id)),
    unused: [...scenarios.keys()].filter((id) => !played.has(id)),
  }
}

/** Writes a file of an older version anew; a copy of it stays. */
const renew = async (
  path: string,
  { adapter }: ReadState,
  batches: Batches,
  { notify, versions }: StateParts,
): Promise<void> => {
  const newest = versions?.newest ?? STATE_VERSION
  const version = adapter.parsed?.version ?? newest
  if (version === newest) return
  const copy = await keepOlder(path, version)
  batches.countAll()
  await adapter.beginAnew(batches.next().lines)
  notify(`The state file ${path} was of version ${version} and has been written anew; it is kept as ${copy}.`)
}

const playingIn = ({ playing, callbacks }: Account): Playing[] => [
  ...playing,
  ...[...callbacks.correspondences.values()].flatMap(({ guest }) => (guest === undefined ? [] : [guest])),
]

const keepingOf = (path: string, lock: Lock, { read, server, accounts, batches, diary }: Begun): Keeping => ({
  secret: server.secret,
  mediaFolder: `${path}.media`,
  accounts,
  keep: (account) => batches.keep(account, true),
  ran: batches.ran,
  forgotten: batches.forgotten,
  reportTo: diary.reportTo,
  listening: (url) => lock.listening(url),
  facts: () => ({
    file: path,
    bytes: read.adapter.length,
    writtenAt: diary.writtenAt,
    trouble: diary.trouble,
  }),
  stop: async () => {
    await diary.stop()
    await lock.release()
  },
})
