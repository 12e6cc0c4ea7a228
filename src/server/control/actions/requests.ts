import { z } from 'zod'
import { tagOf } from '../../../core/account/account.js'
import type { Entry } from '../../../core/journal/entry.js'
import { explain } from '../../../core/journal/explain.js'
import { readable } from '../../../core/journal/readable.js'
import { playedOf } from '../../../core/scenario/played.js'
import { viewAt } from '../../../core/task/task.js'
import { readClock } from '../../../core/time/clock.js'
import { action, type Controlled } from '../action.js'
import { ControlError } from '../control-error.js'
import { isoOf } from '../iso.js'
import { refuseUnknownNames } from '../known-names.js'
import { shownTask } from './tasks.js'

/** An entry as it may be shown: no credentials, no Base64. */
export const shownEntry = (kept: Entry) => shown(readable(kept))

const shown = (entry: Entry) => ({
  id: entry.id,
  account: tagOf(entry.account),
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
  scenario: entry.played === undefined ? null : playedOf(entry.played),
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
    await refuseUnknownNames(emulator, filter)
    const journal = emulator.recorder.journalOf(key)
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
    const entry = emulator.recorder.journalOf(key).get(id)
    if (entry === undefined)
      throw new ControlError(
        404,
        'no-such-request',
        `The journal of this account has no request ${id}.`,
        'Old entries are evicted (setting journalEntries); the Authorization header selects the account.',
      )
    return {
      ...shownEntry(entry),
      explanation: explain(readable(entry), emulator.routes),
      followed: await whatFollowed(emulator, key, entry),
    }
  },
})

const whatFollowed = async ({ store, wall, recorder }: Controlled, key: string, entry: Entry) => {
  const task = await store.run(key, (account) => {
    const record = account.tasks.get(entry.task ?? '')
    return record === undefined ? null : shownTask(viewAt(record, readClock(account.clock, wall())))
  })
  const downloads = recorder
    .journalOf(key)
    .list({ operation: 'results.download' })
    .filter((one) => entry.task !== undefined && one.task === entry.task)
    .map(({ id, at, status }) => ({ id, at: isoOf(at), status }))
  return { task, downloads }
}
