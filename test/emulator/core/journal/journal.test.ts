import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../../src/emulator/core/journal/entry.js'
import {
  createCallList,
  createJournal,
  factsOf,
  JournalItem,
} from '../../../../src/emulator/core/journal/journal.js'
import { shorten } from '../../../../src/emulator/core/journal/redact.js'

const entry = (parts: Partial<JournalEntry> & { id: string }): JournalEntry => ({
  account: 'test-key',
  at: 0,
  operation: 'b-video-task.create',
  method: 'POST',
  path: '/provB/api/v3/contents/generations/tasks',
  query: '',
  headers: {},
  requestBody: null,
  requestBytes: 0,
  status: 200,
  responseBody: {},
  refusedBy: [],
  ignored: [],
  warnings: [],
  ...parts,
})

/** @param entries oldest first */
const journalOf = (entries: readonly JournalEntry[]) => {
  const list = createCallList<JournalItem>()
  for (const one of entries) list.add(new JournalItem(one), factsOf(one))
  return createJournal(list)
}
const ids = (entries: readonly JournalEntry[]) => entries.map(({ id }) => id)

test('the newest call comes first', () =>
  expect(ids(journalOf([entry({ id: 'a' }), entry({ id: 'b' })]).list())).toEqual(['b', 'a']))

test('a call is found by its id', () => {
  const journal = journalOf([entry({ id: 'a', status: 201 })])
  expect(journal.get('a')?.status).toBe(201)
  expect(journal.get('b')).toBeUndefined()
})

test('a page has the calls that match, newest first, and says how many there are', () => {
  const journal = journalOf(['a', 'b', 'c', 'd'].map((id) => entry({ id, status: 404 })))
  expect(journal.page({ status: 404 }, 1, 2)).toMatchObject({ items: [{ id: 'c' }, { id: 'b' }], total: 4 })
  expect(journal.page({ path: 'none' }, 0, 10)).toEqual({ items: [], total: 0 })
})

test('calls that differ in their status, or in one more rule, are told apart', () => {
  const rules = ['a.one', 'a.two'].map((rule) => ({ error: 'InvalidParameter', rule, place: 'gap' }))
  const journal = journalOf([
    entry({ id: 'good' }),
    entry({ id: 'bad', status: 500 }),
    entry({ id: 'one', status: 400, refusedBy: rules.slice(0, 1) }),
    entry({ id: 'both', status: 400, refusedBy: rules }),
  ])
  expect(ids(journal.list({ status: 500 }))).toEqual(['bad'])
  expect(ids(journal.list({ problem: 'a.two' }))).toEqual(['both'])
})

test('records that are no calls are skipped', () => {
  const list = createCallList<JournalItem>()
  list.add(new JournalItem(undefined), undefined)
  const call = entry({ id: 'a' })
  list.add(new JournalItem(call), factsOf(call))
  list.add(new JournalItem(undefined), undefined)
  const journal = createJournal(list)
  expect(journal.page({}, 0, 10)).toEqual({ items: [call], total: 1 })
  expect(journal.get('a')).toBe(call)
  expect(ids(journal.list({ path: 'provB' }))).toEqual(['a'])
})

const refusal = { error: 'InvalidParameter', rule: 'b-video-task.role-counts', place: 'gap B9' }
const all = journalOf([
  entry({ id: 'create' }),
  entry({ id: 'refused', status: 400, refusedBy: [{ ...refusal, rule: 'b-video-task.schema' }, refusal] }),
  entry({
    id: 'read',
    operation: 'b-video-task.read',
    path: '/provB/api/v3/contents/generations/tasks/cgt-1',
  }),
  entry({ id: 'image', operation: 'a-image.create', path: '/provA/x' }),
  entry({ id: 'nowhere', operation: undefined, path: '/nowhere', status: 404 }),
])

test.each<[string, Parameters<ReturnType<typeof createJournal>['list']>[0], string[]]>([
  ['nothing', {}, ['nowhere', 'image', 'read', 'refused', 'create']],
  ['an operation', { operation: 'b-video-task.create' }, ['refused', 'create']],
  ['all operations of a family', { operation: 'b-video-task.*' }, ['read', 'refused', 'create']],
  ['the beginning of a family name', { operation: 'b-video.*' }, []],
  ['an operation without a call', { operation: 'b-video-task' }, []],
  ['a status', { status: 400 }, ['refused']],
  ['a part of the path', { path: 'cgt-1' }, ['read']],
  ['any refusal', { problem: 'any' }, ['refused']],
  ['a rule, though not the first that refused', { problem: 'b-video-task.role-counts' }, ['refused']],
  ['the beginning of a rule', { problem: 'b-video-task.role' }, ['refused']],
  ['a rule that refused nothing', { problem: 'b-video-task.media-form' }, []],
  ['several at once', { operation: 'b-video-task.create', status: 200 }, ['create']],
])('looking for %s', (_, filter, found) => expect(ids(all.list(filter))).toEqual(found))

test('short values are kept as they are', () => {
  const value = { a: 'x'.repeat(256), b: [1, null, true, { c: 'd' }] }
  expect(shorten(value)).toEqual(value)
})

test('long texts are cut and say how long they were', () =>
  expect(shorten({ a: ['x'.repeat(257)] })).toEqual({ a: [`${'x'.repeat(256)}… (257 characters)`] }))

test('Base64 media keep their type alone', () =>
  expect(shorten('data:image/png;base64,AAAA')).toBe('data:image/png;base64,… (4 characters)'))

test('very deep values are cut', () => {
  const deep = Array.from({ length: 50 }).reduce<unknown>((inner) => ({ inner }), 'bottom')
  expect(JSON.stringify(shorten(deep))).toContain('deeper levels are not kept')
})
