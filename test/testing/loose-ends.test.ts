import { expect, onTestFinished, test, vi } from 'vitest'
import { accountIdOf } from '../../src/emulator/core/account/account-id.js'
import type { Finished } from '../../src/generated/control-api.js'
import type { TimelineItem } from '../../src/index.js'
import { looseEndsText, timelineText } from '../../src/testing/loose-ends.js'

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

/** Lines about loose ends of one kind. */
const linesAbout = (kind: keyof Finished, ends: readonly object[]): string[] => {
  const none = {
    unexpectedCalls: [],
    undeliveredCallbacks: [],
    unusedSteps: [],
    abandonedTasks: [],
    verdict: [],
  }
  const text = looseEndsText({ ...none, timeline: [], [kind]: ends } as Finished, ['mine'], 'test') ?? ''
  return (text.split('\n\n')[0] ?? '').split('\n').slice(1)
}

test.each([
  [
    'one that was given up',
    { state: 'failed', reason: 'It was tried 4 times.', attempts: [{ status: 500 }] },
    'failed. It was tried 4 times.',
  ],
  ['one without an answer', { attempts: [] }, 'not answered yet.'],
  [
    'one that was refused',
    { attempts: [{ error: 'Not reached.' }, { status: 500 }] },
    'the receiver answered 500. It is tried again when the clock is advanced.',
  ],
  [
    'one that did not arrive',
    { attempts: [{ status: 500 }, { error: 'Not reached.' }] },
    'Not reached. It is tried again when the clock is advanced.',
  ],
])('a callback that is not accepted: %s', (_, facts, says) => {
  const callback = {
    taskId: 'T',
    kind: 'delivery',
    status: 'queued',
    url: 'http://a/hook',
    state: 'waiting',
    ...facts,
  }
  expect(linesAbout('undeliveredCallbacks', [callback])).toEqual([`  queued of T to http://a/hook: ${says}`])
})

test.each([
  ['no call came near', { says: 'refuses the third', seen: 0 }, ' (refuses the third): no call fitted it.'],
  ['one call fitted', { says: null, seen: 1 }, ': 1 call fitted it.'],
  ['several calls fitted', { says: null, seen: 2 }, ': 2 calls fitted it.'],
  ['the last call missed it', { says: null, seen: 2, lastMiss: 'wants the third' }, ': wants the third'],
])('a required step that has not acted: %s', (_, facts, says) =>
  expect(linesAbout('unusedSteps', [{ scenario: 's', step: 2, lastMiss: null, ...facts }])).toEqual([
    `  step 2 of s${says}`,
  ]),
)
