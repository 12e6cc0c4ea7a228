import { z } from 'zod'
import { ControlError } from '../../core/control-error.js'
import type { JournalEntry } from '../../core/journal/entry.js'
import { explain } from '../../core/journal/explain.js'
import { redactedEntry } from '../../core/journal/redact.js'
import { accountIdOf } from '../../core/model/account.js'
import { scenarioResultOf } from '../../core/scenario/explain.js'
import { readClock } from '../../core/schedule/clock.js'
import { isoOf } from '../../core/schedule/iso.js'
import { viewAt } from '../../core/task/timeline.js'
import { action, type ControlContext } from '../action.js'
import { validateFilters } from '../rules.js'
import { shownTask } from './tasks.js'

/** An entry as it may be shown: no credentials, no Base64. */
export const shownEntry = (kept: JournalEntry) => shown(redactedEntry(kept))

const shown = (entry: JournalEntry) => ({
  id: entry.id,
  account: accountIdOf(entry.account),
  at: isoOf(entry.at),
  operation: entry.operation ?? null,
  method: entry.method,
  path: entry.path,
  query: entry.query,
  headers: entry.headers,
  body: entry.requestBody,
  bytes: entry.requestBytes,
  status: entry.status,
  answer: entry.responseBody,
  refusedBy: entry.refusedBy,
  ignored: entry.ignored,
  warnings: entry.warnings,
  task: entry.task ?? null,
  scenario: entry.played === undefined ? null : scenarioResultOf(entry.played),
})

export const filterSchema = z.strictObject({
  operation: z.string().optional(),
  status: z.coerce.number().int().min(100).max(599).optional(),
  path: z.string().optional(),
  problem: z.string().optional(),
})

export const listRequests = action({
  route: { method: 'GET', path: '/requests' },
  input: filterSchema.extend({
    limit: z.coerce.number().int().min(1).default(100),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  run: async (emulator, key, { limit, offset, ...filter }) => {
    await validateFilters(emulator, filter)
    const journal = emulator.journals.journalOf(key)
    const entries = journal.list(filter)
    return {
      items: entries.slice(offset, offset + limit).map(shownEntry),
      total: entries.length,
      evicted: journal.evicted,
    }
  },
})

/** The whole entry, why it was answered so, and what followed from it. */
export const readRequest = action({
  route: { method: 'GET', path: '/requests/:id' },
  input: z.strictObject({ id: z.string() }),
  run: async (emulator, key, { id }) => {
    const entry = emulator.journals.journalOf(key).get(id)
    if (entry === undefined)
      throw new ControlError(
        404,
        'no-such-request',
        `The journal of this account has no request ${id}.`,
        'Old entries are evicted (setting journalEntries); the Authorization header selects the account.',
      )
    return {
      ...shownEntry(entry),
      explanation: explain(redactedEntry(entry), emulator.routes),
      followed: await whatFollowed(emulator, key, entry),
    }
  },
})

const whatFollowed = async ({ store, wall, journals }: ControlContext, key: string, entry: JournalEntry) => {
  const task = await store.run(key, (account) => {
    const record = account.tasks.get(entry.task ?? '')
    return record === undefined ? null : shownTask(viewAt(record, readClock(account.clock, wall())))
  })
  const downloads = journals
    .journalOf(key)
    .list({ operation: 'results.download' })
    .filter((one) => entry.task !== undefined && one.task === entry.task)
    .map(({ id, at, status }) => ({ id, at: isoOf(at), status }))
  return { task, downloads }
}

/** The journal of this account as a recording, which `backlot replay` runs again. With `all`, of every account. */
export const readRecording = action({
  route: { method: 'GET', path: '/requests' },
  claims: ({ format }) => format !== undefined,
  input: z.strictObject({ format: z.literal('replay'), all: z.string().optional() }),
  run: async (emulator, key, { all }) => {
    // Few emulators are asked for one, and every start would pay for it.
    const { savedRecording } = await import('../../recording/record.js')
    return savedRecording(emulator, all === undefined ? [key] : await emulator.store.keys())
  },
})
