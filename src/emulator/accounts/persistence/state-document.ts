import { z } from 'zod'
import { timeSlice } from '../../concurrency.js'
import { MAX_DIAGNOSTICS, textOfDiagnostic } from '../../core/diagnostics.js'
import { EmulatorError } from '../../core/errors.js'
import type { Account } from '../../core/model/account.js'
import type { Task } from '../../core/model/task.js'
import { shapeRefusals } from '../../core/request.js'
import type { Catalogue } from '../../core/scenario/selector.js'
import { validateScenario } from '../../core/scenario/validate.js'
import type { Instant } from '../../core/schedule/time.js'
import { readAccounts } from './account-records.js'
import { batchOf, everythingIn } from './batch.js'
import { BadRecord } from './errors.js'
import { checkedRecord } from './read-record.js'
import {
  applyRecord,
  emptyState,
  recordsFor,
  runningScenarios,
  STATE_VERSION,
  type StoredState,
} from './records.js'
import { continueAccount } from './resume-account.js'
import { checkVersion } from './state-text.js'

/** Array schema that stops at the twentieth mistake. */
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(z.unknown()).transform((values, context): z.output<T>[] => {
    const read: z.output<T>[] = []
    for (const [index, value] of values.entries()) {
      const parsed = item.safeParse(value)
      if (parsed.success) read.push(parsed.data)
      else
        for (const issue of parsed.error.issues) context.addIssue({ ...issue, path: [index, ...issue.path] })
      if (context.issues.length >= MAX_DIAGNOSTICS) break
    }
    return read
  })

const records = listOf(z.looseObject({}))

/** Exported state: accounts as one document, taken apart into the records of the state file to be checked. */
const stateDocumentSchema = z.strictObject({
  backlot: z.literal('state', { error: '"state", with which an exported state begins' }),
  version: z.number(),
  /** Seed of the emulator: ids and results depend on it. */
  seed: z.int().min(0),
  scenarios: z
    .record(z.string(), z.looseObject({}))
    .describe('those that play, by the names under which accounts have them'),
  accounts: listOf(
    z.strictObject({
      key: z.string().min(1),
      account: z.looseObject({}),
      tasks: records,
      assets: records,
      correspondences: records,
      callbacks: records,
    }),
  ),
  /** The bytes of assets in Base64, by their SHA-256; null: there were too many. */
  media: z.record(z.string(), z.base64()).nullable(),
})
export type StateDocument = z.output<typeof stateDocumentSchema>

/** Maximum size of the files of assets in a document, together. */
const MAX_MEDIA_BYTES = 32 * 2 ** 20

interface ExportParts {
  readonly seed: number
  readonly blobs: { read(hash: string): Promise<Uint8Array | undefined> }
}

/** Exports accounts as one document, with the files of their assets where these are not too large. */
export const exportState = async (
  accounts: readonly Account[],
  { systemNow, ...parts }: ExportParts & { readonly systemNow: Instant },
): Promise<StateDocument> => {
  const state = emptyState()
  for (const account of accounts) {
    await timeSlice()
    storedStateOf(account, systemNow, state)
  }
  return exportStoredState(state, parts)
}

/** State document of a state that was read from a file. */
export const exportStoredState = async (
  state: StoredState,
  { seed, blobs }: ExportParts,
): Promise<StateDocument> => ({ ...documentOf(state, seed), media: await mediaOf(state, blobs) })

/** Stored state of a live account, added to that of others. `now` is of the system. */
export const storedStateOf = (account: Account, now: Instant, others = emptyState()): StoredState => {
  for (const record of recordsFor(account.key, batchOf(everythingIn(account, now))))
    applyRecord(others, record)
  return others
}

/** State document of one live account, without the files of its assets. `now` is of the system. */
export const documentOfAccount = (account: Account, now: Instant, seed: number) =>
  documentOf(storedStateOf(account, now), seed)

/** State document without the files of assets. */
export const documentOf = (state: StoredState, seed: number): Omit<StateDocument, 'media'> => ({
  backlot: 'state',
  version: STATE_VERSION,
  seed,
  scenarios: Object.fromEntries(runningScenarios(state)),
  accounts: [...state.accounts].map(([key, { head, task, next, asset, correspondence, callback }]) => ({
    key,
    account: { ...head },
    // `next`: the index of the moment that comes next, or undefined where the task has ended.
    tasks: Array.from(task.values(), (stored) => ({ ...stored, next: next.get(stored.id) })),
    assets: Array.from(asset.values(), (stored) => ({ ...stored })),
    correspondences: Array.from(correspondence.values(), (stored) => ({ ...stored })),
    callbacks: Array.from(callback.values(), (stored) => ({ ...stored })),
  })),
})

const mediaOf = async ({ accounts }: StoredState, blobs: ExportParts['blobs']) => {
  const sizes = new Map<string, number>()
  for (const account of accounts.values())
    for (const { blob, bytes } of account.asset.values()) sizes.set(blob, bytes)
  if ([...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) > MAX_MEDIA_BYTES) return null
  const media: Record<string, string> = {}
  for (const blob of sizes.keys()) {
    const bytes = await blobs.read(blob)
    if (bytes !== undefined) media[blob] = Buffer.from(bytes).toString('base64')
  }
  return media
}

/** Target of an import: the emulator or the file that gets the accounts. */
interface ImportTarget {
  readonly seed: number
  readonly systemNow: Instant
  readonly maxCallbacks: number
  readonly blobs: { put(bytes: Uint8Array): Promise<string>; has(hash: string): Promise<boolean> }
  /** Names that scenarios may use. */
  readonly catalogue: Catalogue
  /** What is wrong with the parameters of a task, or undefined where nothing is. */
  readonly checkParams?: ((task: Task) => string | undefined) | undefined
  replace(account: Account): Promise<void>
}

export interface Imported {
  readonly keys: readonly string[]
  readonly tasks: number
  /** Ids of assets whose files were neither in the document nor there already. */
  readonly missing: readonly string[]
}

/**
 * Imports the accounts of a document in place of those under the same keys. Their clocks continue from the stored time.
 * @param only the account to import, or undefined for all of them
 * @throws EmulatorError `bad-state`, `other-seed` or `not-in-state`; nothing has changed then
 */
export const importState = async (input: unknown, target: ImportTarget, only?: string): Promise<Imported> => {
  const document = parseStateDocument(input)
  if (document.seed !== target.seed) throw otherSeed(document.seed, target.seed)
  checkScenarios(document, target.catalogue)
  const accounts = accountsIn(document, target).filter(({ key }) => only === undefined || key === only)
  if (only !== undefined && accounts.length === 0) throw notInState()
  for (const text of Object.values(document.media ?? {})) await target.blobs.put(Buffer.from(text, 'base64'))
  for (const account of accounts) {
    await timeSlice()
    await target.replace(account)
  }
  const assets = accounts.flatMap((account) => [...account.assets.values()])
  const missing: string[] = []
  for (const { id, blob } of assets) if (!(await target.blobs.has(blob))) missing.push(id)
  return {
    keys: accounts.map(({ key }) => key),
    tasks: accounts.reduce((sum, { tasks }) => sum + tasks.size, 0),
    missing,
  }
}

/** Parses an exported state. @throws EmulatorError `bad-state` */
export const parseStateDocument = (input: unknown): StateDocument => {
  const shape = stateDocumentSchema.safeParse(input)
  if (shape.success) return shape.data
  if ((input as Partial<StateDocument> | null)?.backlot !== 'state')
    throw badDocument('it is no exported state, which begins with backlot: "state"')
  const wrong = shapeRefusals(shape.error.issues.slice(0, MAX_DIAGNOSTICS), input).map(
    ({ message }) => message,
  )
  throw badDocument(wrong.join('; '))
}

// A file is written by the emulator, which has validated them; a document may be edited, or be of another version.
const checkScenarios = ({ scenarios }: StateDocument, catalogue: Catalogue): void => {
  for (const [id, scenario] of Object.entries(scenarios)) {
    const validated = validateScenario(scenario, catalogue)
    if ('diagnostics' in validated)
      throw badDocument(`in the scenario ${id}, ${validated.diagnostics.map(textOfDiagnostic).join('; ')}`)
  }
}

const accountsIn = (
  document: StateDocument,
  { maxCallbacks, systemNow, checkParams }: ImportTarget,
): readonly Account[] => {
  try {
    return readAccounts(stateIn(document), maxCallbacks, checkParams).map(({ account, settledTo }) =>
      continueAccount(account, settledTo, systemNow),
    )
  } catch (error) {
    throw error instanceof BadRecord ? badDocument(error.message) : error
  }
}

/** The state that a document describes, each record checked by its schema. @throws BadRecord */
export const stateIn = (document: Omit<StateDocument, 'media'>): StoredState => {
  checkVersion(document.version, STATE_VERSION)
  const state = emptyState()
  for (const written of recordsIn(document)) applyRecord(state, checkedRecord(written, document.version))
  return state
}

function* recordsIn({ scenarios, accounts }: Omit<StateDocument, 'media'>): Generator<readonly unknown[]> {
  for (const [id, scenario] of Object.entries(scenarios)) yield ['scenario', '', id, scenario]
  for (const { key, account, tasks, assets, correspondences, callbacks } of accounts) {
    yield ['account', key, '', account]
    for (const { next, ...task } of tasks) {
      yield ['task', key, nameOf(task.id), task]
      if (next !== undefined) yield ['next', key, nameOf(task.id), next]
    }
    for (const asset of assets) yield ['asset', key, nameOf(asset.id), asset]
    for (const queue of correspondences) yield ['correspondence', key, nameOf(queue.taskId), queue]
    for (const callback of callbacks) yield ['callback', key, nameOf(callback.id), callback]
  }
}

// A record without an id is refused by its schema.
const nameOf = (id: unknown): string => (typeof id === 'string' ? id : '')

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
    hint: 'Name a key that is in it, or import all of them: with ?all, or without --key in a command.',
  })
