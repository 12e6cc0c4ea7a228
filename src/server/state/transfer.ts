import type { Account } from '../../core/account/account.js'
import type { Asset } from '../../core/asset/asset.js'
import { EmulatorError } from '../../core/emulator-error.js'
import { shapeRefusals } from '../../core/request/shape-refusals.js'
import {
  documentOfAccounts,
  type StateDocument,
  savedIn,
  stateDocumentSchema,
} from '../../core/state/document.js'
import { accountFrom } from '../../core/state/load.js'
import { BadRecord } from '../../core/state/read-record.js'
import { resumeAccount } from '../../core/state/resume.js'
import { clockAt } from '../../core/time/clock.js'
import type { BlobStore } from '../media/blobs/index.js'

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
