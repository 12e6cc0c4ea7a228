import { z } from 'zod'
import type { Snapshot } from '../../accounts/persistence/snapshots.js'
import { timeSlice } from '../../concurrency.js'
import { balanceOf, changeAccountSettings, spentOf } from '../../core/account/account.js'
import { accountIdOf } from '../../core/account/account-id.js'
import { ControlError } from '../../core/errors.js'
import type { Account } from '../../core/model/account.js'
import { type Instant, isoOf } from '../../core/schedule/time.js'
import { limitsSchema } from '../../core/settings.js'
import { accountKeys, action, all, type ControlContext, itemsOf, namedObject, noInput } from '../action.js'
import { clockFields, clockReading } from './clock.js'

const limitsRecord = namedObject(
  'AccountLimits',
  'A number is the maximum; null is no limit.',
  () => limitsSchema.shape,
)

const accountRecord = namedObject(
  'AccountRecord',
  'Balance, agreement, limits and counts of an account.',
  () => ({
    tag: z.string().describe('account id: hash of the API key, shown in its place'),
    balance: z.number().describe('deposits minus `spent`, in the currency of the setting `prices`'),
    spent: z.number().describe('prices of the tasks that have succeeded'),
    agreementAccepted: z.boolean(),
    limits: limitsRecord(),
    ordinal: z.number().describe('creates and uploads accepted so far'),
    tasks: z.number(),
    tasksInFlight: z.number(),
    imagesMade: z.number().describe('images of families A and A2 so far'),
    now: z.string(),
  }),
)

export const accountRecordOf = (account: Account, now: Instant) => ({
  tag: account.id,
  balance: balanceOf(account),
  spent: spentOf(account),
  agreementAccepted: account.agreementAccepted,
  limits: account.limits,
  ordinal: account.sequence,
  tasks: account.tasks.size,
  tasksInFlight: account.tasks.usage.inFlight,
  imagesMade: account.imagesMade,
  now: isoOf(now),
})

const snapshotRecord = namedObject(
  'Snapshot',
  'Accounts as they were at one time; they are in the memory of the emulator under this id.',
  () => ({
    id: z.string(),
    name: z.string().optional().describe('undefined: it was given none'),
    accounts: z.number(),
    tasks: z.number().describe('number of tasks of all these accounts'),
  }),
)

export const accountActions = {
  'accounts.list': action({
    route: { method: 'GET', path: '/accounts' },
    summary: 'Every account with its API key and its clock, in the order of their opening',
    input: noInput,
    output: () =>
      itemsOf(
        accountRecord().extend({
          key: z.string().describe('the API key, which selects the account as an Authorization header'),
          name: z.string().describe('the key; only its beginning and its end where it is long'),
          ...clockFields(),
        }),
      ),
    run: async ({ store }) => {
      const recordOf = (key: string) =>
        store.read(key, (account, now) => ({
          ...accountRecordOf(account, now),
          ...clockReading(account, now),
          key,
          name: nameOf(key),
        }))
      return { items: await Promise.all((await store.keys()).map(recordOf)) }
    },
  }),
  'account.read': action({
    route: { method: 'GET', path: '/account' },
    summary: 'The balance, the agreement, the limits and the counts of the account',
    input: noInput,
    output: accountRecord,
    run: ({ store }, key) => store.read(key, accountRecordOf),
  }),
  'account.change': action({
    route: { method: 'PATCH', path: '/account' },
    summary:
      'Change the account; fields that are not given stay. A limit of null is no limit (gap Z8). `requests`, from which request ids are counted, is for replays',
    input: z.strictObject({
      requests: z
        .int()
        .min(0)
        .optional()
        .describe('how many calls it has made, from which request ids are counted; for a replay'),
      balance: z.number().optional().describe('in the currency of the setting `prices`'),
      agreementAccepted: z.boolean().optional(),
      limits: limitsSchema
        .partial()
        .strict()
        .optional()
        .describe('those that are undefined stay as they are'),
    }),
    example: { balance: 0, limits: { tasksInFlight: 2 } },
    output: accountRecord,
    run: ({ store }, key, { requests, ...change }) =>
      store.transact(key, (account, now) => {
        changeAccountSettings(account, change)
        if (requests !== undefined) account.requests = requests
        return accountRecordOf(account, now)
      }),
  }),
  reset: action({
    route: { method: 'POST', path: '/reset' },
    summary:
      'The account begins anew: clock, tasks, journal and settings as at the start (gap Z18); with `all`, every account',
    input: z.strictObject({ all }),
    output: () => z.object({ reset: z.string(), accounts: z.number() }),
    recordedAs: 'nothing',
    run: async (context, key, { all }) => {
      const keys = await accountKeys(context, key, all)
      for (const accountKey of keys) await context.forget(accountKey)
      return { reset: all ? 'all' : 'account', accounts: keys.length }
    },
  }),
  'snapshots.take': action({
    route: { method: 'POST', path: '/snapshots' },
    summary: 'Take a snapshot of the account, in memory; with `all`, of every account',
    input: z.strictObject({
      name: z.string().min(1).max(100).optional().describe('what it is called, beside its id'),
      all,
    }),
    example: { name: 'before the import' },
    output: snapshotRecord,
    recordedAs: 'nothing',
    run: async ({ snapshots }, key, { name, all }) =>
      snapshotRecordOf(await snapshots.take(all ? undefined : key, name)),
  }),
  'snapshots.list': action({
    route: { method: 'GET', path: '/snapshots' },
    summary: 'The snapshots of the account, oldest first',
    input: noInput,
    output: () =>
      itemsOf(
        snapshotRecord().extend({
          at: z.string().describe("the time of the account's clock"),
          takenAt: z.string().describe('the time of this machine'),
        }),
      ),
    run: ({ snapshots }, key) => ({
      items: snapshots.list().flatMap((snapshot) => {
        const held = snapshot.accounts.get(key)
        if (held === undefined) return []
        return [{ ...snapshotRecordOf(snapshot), at: isoOf(held.at), takenAt: isoOf(snapshot.takenAt) }]
      }),
    }),
  }),
  'snapshots.remove': action({
    route: { method: 'DELETE', path: '/snapshots/:id' },
    summary: 'Remove a snapshot of the account, or of every account that it was taken with',
    input: z.strictObject({ id: z.string() }),
    output: snapshotRecord,
    recordedAs: 'nothing',
    run: async (context, key, { id }) => {
      const snapshot = context.snapshots.find(id)
      if (snapshot === undefined) throw unknownSnapshot(id, context)
      if (!snapshot.isOfAll && !snapshot.accounts.has(key)) throw otherSnapshot(snapshot, false)
      await context.snapshots.remove(snapshot)
      return snapshotRecordOf(snapshot)
    },
  }),
  'snapshots.restore': action({
    route: { method: 'POST', path: '/snapshots/:id/restore' },
    summary:
      'Restore the account from a snapshot: its advances and callbacks under way end, and its journal begins anew; with `all`, every account, and later accounts are removed',
    input: z.strictObject({ id: z.string(), all }),
    output: snapshotRecord,
    recordedAs: 'nothing',
    run: async (context, key, { id, all }) => {
      const snapshot = context.snapshots.find(id)
      if (snapshot === undefined) throw unknownSnapshot(id, context)
      if (!snapshot.isOfAll && (all || !snapshot.accounts.has(key))) throw otherSnapshot(snapshot, all)
      const keys = all ? new Set([...snapshot.accounts.keys(), ...(await context.store.keys())]) : [key]
      for (const accountKey of keys) {
        await timeSlice()
        const account = context.snapshots.restoredAccount(snapshot, accountKey)
        await (account === undefined ? context.forget(accountKey) : context.replace(account))
      }
      return snapshotRecordOf(snapshot)
    },
  }),
  'state.read': action({
    route: { method: 'GET', path: '/state' },
    summary: 'The account as a document, with its API key; with `all`, every account',
    input: z.strictObject({ all }),
    output: () =>
      z.looseObject({
        backlot: z.literal('state'),
        version: z.int(),
        seed: z.int(),
        accounts: z.array(z.looseObject({ key: z.string() })),
      }),
    run: async (context, key, { all }) => {
      const keys = await accountKeys(context, key, all)
      const read = (accountKey: string) => context.store.read(accountKey, (account): Account => account)
      return context.exportState(await Promise.all(keys.map(read)))
    },
  }),
  'state.write': action({
    route: { method: 'PUT', path: '/state' },
    summary:
      'Put the account of a document in the place of this one: what was under way ends, and its journal begins anew; with `all`, every account of the document, and others are gone',
    input: z.looseObject({ all }),
    example: { backlot: 'state', version: 2, seed: 1, scenarios: {}, accounts: [], media: null, all: true },
    output: () =>
      z.object({
        accounts: z.int(),
        tasks: z.int(),
        missing: z.array(z.string()).describe('assets whose files were neither sent nor there already'),
      }),
    recordedAs: 'nothing',
    run: async (context, key, { all, ...document }) => {
      const { keys, ...imported } = await context.importState(document, all ? undefined : key)
      const others = all ? (await context.store.keys()).filter((other) => !keys.includes(other)) : []
      for (const other of others) {
        await timeSlice()
        await context.forget(other)
      }
      return { accounts: keys.length, ...imported }
    },
  }),
}

/** Maximum length of a key that is shown whole: keys of real services are longer, keys of tests are words. */
const MAX_NAME = 24

const nameOf = (key: string): string => (key.length <= MAX_NAME ? key : `${key.slice(0, 8)}…${key.slice(-4)}`)

const snapshotRecordOf = ({ id, name, accounts }: Snapshot) => ({
  id,
  ...(name === undefined ? {} : { name }),
  accounts: accounts.size,
  tasks: [...accounts.values()].reduce((sum, { account }) => sum + account.tasks.size, 0),
})

const unknownSnapshot = (id: string, { settings }: ControlContext): ControlError =>
  new ControlError(404, 'unknown-snapshot', {
    message: `There is no snapshot ${id}.`,
    hint: `The latest ${settings.maxSnapshots} are kept (setting maxSnapshots), as long as the emulator runs.`,
  })

const otherSnapshot = ({ id, accounts }: Snapshot, isForAll: boolean): ControlError =>
  new ControlError(409, 'other-snapshot', {
    message: isForAll
      ? `The snapshot ${id} is of one account alone (${[...accounts.keys()].map(accountIdOf).join()}), and all were to be restored.`
      : `The snapshot ${id} is not of this account.`,
    hint: 'Restore it with the handles, or the key, with which it was taken.',
  })
