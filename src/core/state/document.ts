import { z } from 'zod'
import type { Account } from '../account/account.js'
import type { Scenario } from '../scenario/scenario.js'
import { documentOf } from '../scenario/scenario.js'
import type { Instant } from '../time/timeline.js'
import { BadRecord, type Envelope, readRecord } from './read-record.js'
import { STATE_VERSION } from './record.js'
import { storedCallback, storedHead, storedQueue } from './save.js'
import { nothingSaved, type StoredState, take } from './saved.js'
import { idOfScenario } from './scenarios.js'

const records = z.array(z.looseObject({}))

/**
 * Accounts as one document: what `backlot state export` writes and `import` reads. What stands in it meets the schemas of
 * the state file, once it is taken apart into records.
 */
export const stateDocumentSchema = z.strictObject({
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
export type StateDocument = z.output<typeof stateDocumentSchema>

export type StateDocumentOfAccounts = Omit<StateDocument, 'media'>

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
      correspondences: [...callbacks.correspondences.values()].map((one) => plain(storedQueue(account, one))),
      callbacks: [...callbacks.log.values()].map((one) => plain(storedCallback(account, one))),
    }
  }),
})

// As JSON has it: without what is undefined.
const plain = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value))

const scenariosIn = ({ playing, callbacks }: Account): Scenario[] => [
  ...playing.map(({ scenario }) => scenario),
  ...[...callbacks.correspondences.values()].flatMap(({ guest }) =>
    guest === undefined ? [] : [guest.scenario],
  ),
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
