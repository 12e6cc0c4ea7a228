import { expect, onTestFinished, test, vi } from 'vitest'
import { accountIdOf } from '../../src/core/account/account-id.js'
import type { TimelineItem } from '../../src/index.js'
import { timelineText } from '../../src/testing/loose-ends.js'

const item = (ms: number, kind: TimelineItem['kind'], says: string, key = 'mine'): TimelineItem => ({
  at: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(),
  account: accountIdOf(key),
  kind,
  id: says,
  says,
})

test('a line for each thing, with the time since the first; what follows from calls stands further in', () => {
  const items = [item(0, 'request', 'POST /a → 200'), item(90_000, 'task', 'task T running')]
  expect(timelineText(items, ['mine'])).toBe(
    [
      'What happened on the account mine, from 2026-01-01T00:00:00.000Z on its clock:',
      '     +0ms  POST /a → 200',
      '  +1m 30s    task T running',
    ].join('\n'),
  )
})

test('in a page, the setting without which preflights are refused', () => {
  vi.stubGlobal('location', { origin: 'http://localhost:3000' })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(timelineText([], ['mine'])).toBe(
    'Nothing has happened on the account mine. Calls of the page at http://localhost:3000 are refused unless the setting corsOrigins names it.',
  )
})

test('each account by itself, those of the test by their keys', () => {
  const items = [item(0, 'request', 'one', 'default'), item(0, 'request', 'two', 'other')]
  const text = timelineText(items, ['mine'])
  expect(text).toContain('Nothing has happened on the account mine.')
  expect(text).toContain('What happened on the account of calls without a key, from')
  expect(text).toContain(`What happened on another account (${accountIdOf('other')}), from`)
})

test('the latest of many', () => {
  const items = Array.from({ length: 61 }, (_, n) => item(0, 'request', `call ${n}.`))
  const text = timelineText(items, ['mine'])
  expect(text).toContain('… 1 lines before these')
  expect(text).not.toContain('call 0.')
})

test('the same again and again takes one line, which says how often and until when', () => {
  const poll = (ms: number) => item(ms, 'request', 'GET /a → 200')
  const items = [poll(0), poll(0), poll(0), item(0, 'task', 'task T running'), poll(0), poll(60_000)]
  expect(timelineText(items, ['mine']).split('\n').slice(1)).toEqual([
    '  +0ms  GET /a → 200, 3 times',
    '  +0ms    task T running',
    '  +0ms  GET /a → 200, 2 times until +1m',
  ])
})
