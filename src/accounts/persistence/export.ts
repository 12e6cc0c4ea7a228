import { z } from 'zod'
import { EmulatorError } from '../../core/errors.js'
import type { Account } from '../../core/model/account.js'
import type { Asset } from '../../core/model/asset.js'
import { shapeRefusals } from '../../core/request/shape.js'
import { documentOf, type Scenario } from '../../core/scenario/schema.js'
import { clockAt } from '../../core/schedule/clock.js'
import type { Instant } from '../../core/schedule/timeline.js'
import type { BlobStore } from '../../media/files/blob-store.js'
import { accountFrom, idOfScenario, storedCallback, storedHead, storedQueue } from './account-records.js'
import { BadRecord, type Envelope, readRecord } from './read-record.js'
import { nothingSaved, STATE_VERSION, type StoredState, take } from './records.js'
import { resumeAccount } from './resume-account.js'

const records = z.array(z.looseObject({}))

/**
 * Accounts as one document: what `backlot state export` writes and `import` reads. What stands in it meets the schemas of
 * the state file, once it is taken apart into records.
 */
const stateDocumentSchema = z.strictObject({
  backlot: z.literal('state', { error: '"state", with which an exported state begins' }),
  version: z.int().min(0),
  /** The emulator's, on which everything drawn depends. */
  seed: z.int().min(0),
  scenarios: z
    .record(z.string(), z.looseObject({}))
    .describe('those that play, by the names under which accounts have them'),
  accounts: z.array(
    z.strictObject({
      key: z.string().min(1),
      account: z.looseObject({}),
      tasks: records,
      assets: records,
      correspondences: records,
      callbacks: records,
    }),
  ),
  /** The bytes of assets in Base64, by their SHA-256; null where there were too many. */
  media: z.record(z.string(), z.base64()).nullable(),
})
type StateDocument = z.output<typeof stateDocumentSchema>

type StateDocumentOfAccounts = Omit<StateDocument, 'media'>

export const documentOfAccounts = (
  accounts: readonly Account[],
  seed: number,
  wall: Instant,
): StateDocumentOfAccounts => ({
  backlot: 'state',
  version: STATE_VERSION,
  seed,
  scenarios: Object.fromEntries(
    accounts.flatMap(scenariosIn).map((scenario) => [idOfScenario(scenario), plain(documentOf(scenario))]),
  ),
  accounts: accounts.map((account) => {
    const { key, tasks, open, assets, callbacks } = account
    return {
      key,
      account: plain(storedHead(account, wall)),
      // Which moment comes next stands with its task; left out where its life is over.
      tasks: [...tasks.values()].map((task) => plain({ ...task, next: open.get(task.id) })),
      assets: [...assets.values()].map(plain),
      correspondences: [...callbacks.queues.values()].map((one) => plain(storedQueue(account, one))),
      callbacks: [...callbacks.log.values()].map((one) => plain(storedCallback(account, one))),
    }
  }),
})

// As JSON has it: without what is undefined.
const plain = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value))

const scenariosIn = ({ playing, callbacks }: Account): Scenario[] => [
  ...playing.map(({ scenario }) => scenario),
  ...[...callbacks.queues.values()].flatMap(({ guest }) => (guest === undefined ? [] : [guest.scenario])),
]

/**
 * What a document says, each record met by its schema.
 * @throws BadRecord
 */
export const savedIn = (document: StateDocumentOfAccounts): StoredState => {
  if (document.version > STATE_VERSION)
    throw new BadRecord(
      `found version ${document.version}, which a newer Backlot has written; this one reads up to ${STATE_VERSION}`,
    )
  const saved = nothingSaved()
  for (const written of recordsIn(document)) {
    const record = readRecord(written, document.version)
    if (record !== undefined) take(saved, record)
  }
  return saved
}

function* recordsIn({ scenarios, accounts }: StateDocumentOfAccounts): Generator<Envelope> {
  for (const [id, scenario] of Object.entries(scenarios)) yield ['scenario', '', id, scenario]
  for (const { key, account, tasks, assets, correspondences, callbacks } of accounts) {
    yield ['account', key, '', account]
    for (const { next, ...task } of tasks) {
      yield ['task', key, nameOf(task.id), task]
      if (next !== undefined) yield ['next', key, nameOf(task.id), next]
    }
    for (const asset of assets) yield ['asset', key, nameOf(asset.id), asset]
    for (const one of correspondences) yield ['correspondence', key, nameOf(one.taskId), one]
    for (const callback of callbacks) yield ['callback', key, nameOf(callback.id), callback]
  }
}

// One without a name is refused by its schema.
const nameOf = (id: unknown): string => (typeof id === 'string' ? id : '')

/** The files of assets are in a document as long as they have no more bytes than this together. */
export const MOST_MEDIA_BYTES = 32 * 2 ** 20

/** Accounts as one document, with the files of their assets where these are not too large. */
export const exportState = async (
  accounts: readonly Account[],
  {
    seed,
    wall,
    blobs,
  }: { readonly seed: number; readonly wall: number; readonly blobs: Pick<BlobStore, 'read'> },
): Promise<StateDocument> => ({
  ...documentOfAccounts(accounts, seed, wall),
  media: await mediaOf(accounts, blobs),
})

const mediaOf = async (
  accounts: readonly Account[],
  blobs: Pick<BlobStore, 'read'>,
): Promise<StateDocument['media']> => {
  const assets = new Map(
    accounts.flatMap((account) => [...account.assets.values()]).map((one) => [one.blob, one]),
  )
  if ([...assets.values()].reduce((sum, { bytes }) => sum + bytes, 0) > MOST_MEDIA_BYTES) return null
  const media: Record<string, string> = {}
  for (const blob of assets.keys()) {
    const bytes = await blobs.read(blob)
    if (bytes !== undefined) media[blob] = Buffer.from(bytes).toString('base64')
  }
  return media
}

/** What accounts are put into. */
export interface Place {
  readonly seed: number
  readonly wall: number
  readonly callbacksMost: number
  readonly blobs: Pick<BlobStore, 'put' | 'has'>
  replace(account: Account): Promise<void>
}

/** What came of it. */
export interface Imported {
  readonly keys: readonly string[]
  readonly tasks: number
  /** The ids of assets whose files were neither in the document nor there already. */
  readonly missing: readonly string[]
}

/**
 * Puts the accounts of a document in the place of those under the same keys. Their clocks go on from where they stood.
 * @param only the account that is meant; left out, all of them
 * @throws EmulatorError `bad-state`, `other-seed` or `not-in-state`; nothing has changed then
 */
export const importState = async (given: unknown, place: Place, only?: string): Promise<Imported> => {
  const { media, ...document } = stateDocument(given)
  if (document.seed !== place.seed) throw otherSeed(document.seed, place.seed)
  const accounts = accountsIn(document, place).filter(({ key }) => only === undefined || key === only)
  if (only !== undefined && accounts.length === 0) throw notInState()
  for (const text of Object.values(media ?? {})) await place.blobs.put(Buffer.from(text, 'base64'))
  for (const account of accounts) await place.replace(account)
  return {
    keys: accounts.map(({ key }) => key),
    tasks: accounts.reduce((sum, { tasks }) => sum + tasks.size, 0),
    missing: await missingOf(
      accounts.flatMap(({ assets }) => [...assets.values()]),
      place,
    ),
  }
}

/** What was given as a document. @throws EmulatorError `bad-state` */
export const stateDocument = (given: unknown): StateDocument => {
  const shape = stateDocumentSchema.safeParse(given)
  if (shape.success) return shape.data
  throw badDocument(
    shapeRefusals(shape.error.issues, given)
      .map(({ message }) => message)
      .join('; '),
  )
}

const accountsIn = (
  document: Omit<StateDocument, 'media'>,
  { callbacksMost, wall }: Place,
): readonly Account[] => {
  try {
    const saved = savedIn(document)
    return [...saved.accounts].map(([key, one]) => {
      const account = accountFrom(key, one, saved.scenarios, callbacksMost)
      const stood = one.head?.settledTo ?? account.clock.now
      return resumeAccount({ ...account, clock: clockAt(account.clock, stood, wall) }, stood, stood)
    })
  } catch (error) {
    throw error instanceof BadRecord ? badDocument(error.message) : error
  }
}

const missingOf = async (assets: readonly Asset[], { blobs }: Place): Promise<string[]> => {
  const missing: string[] = []
  for (const { id, blob } of assets) if (!(await blobs.has(blob))) missing.push(id)
  return missing
}

const badDocument = (wrong: string): EmulatorError =>
  new EmulatorError(`The state cannot be read: ${wrong}.`, {
    code: 'bad-state',
    hint: 'Give it as `backlot state export` or GET /_backlot/state has written it.',
  })

const otherSeed = (found: number, here: number): EmulatorError =>
  new EmulatorError(`The state is of an emulator with the seed ${found}, and this one has ${here}.`, {
    code: 'other-seed',
    hint: `Start one with --seed ${found}.`,
  })

const notInState = (): EmulatorError =>
  new EmulatorError('The state holds accounts, but not the one of this key.', {
    code: 'not-in-state',
    hint: 'Ask with a key that is in it, or with ?all for all of them.',
  })
