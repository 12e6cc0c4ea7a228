import { expect, test } from 'vitest'
import { type JournalEntry, redactedEntry, wholeEntry } from '../../../../src/emulator/core/journal/entry.js'

const KEY = 'my-own-name-1'

const entry = (parts: Partial<JournalEntry>): JournalEntry => ({
  id: 'request-1',
  account: KEY,
  at: 0,
  method: 'GET',
  path: '/v1/videos/a',
  query: '',
  headers: {},
  requestBody: null,
  requestBytes: 0,
  status: 400,
  responseBody: {},
  refusedBy: [],
  ignored: [],
  warnings: [],
  ...parts,
})

test.each<[string, Partial<JournalEntry>]>([
  [
    'the sentence of a refusal',
    { refusedBy: [{ error: 'Bad', rule: 'b.bad', place: 'gap B9', message: `found ${KEY}` }] },
  ],
  ['a field that was ignored', { ignored: [KEY] }],
  ['a warning', { warnings: [`${KEY} was not read`] }],
])('the key of the account is not shown in %s', (_, parts) => {
  const text = JSON.stringify({ ...redactedEntry(entry(parts)), account: undefined })
  expect(text).toContain('(key)')
  expect(text).not.toContain(KEY)
})

test('a long name in the path of a call on its own is shown, though it looks like Base64', () => {
  const path = `/v1/videos/${'aB3'.repeat(20)}`
  expect(redactedEntry(entry({ path })).path).toBe('… (71 characters)')
  expect(wholeEntry(entry({ path })).path).toBe(path)
})
