import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { jsonLines, printerOf, subscribe } from '../../src/cli/reporter.js'
import type { Started } from '../../src/command/child-process.js'
import type { Events, HealthIssue } from '../../src/emulator/core/events.js'
import { version } from '../../src/emulator/version.js'
import { callback, change, request } from './happened.js'

const started = { url: 'http://127.0.0.1:9', port: 9, emulator: { settings: { seed: 3 } } } as Started

/** What is printed while `happen` runs. */
const printed = (happen: (events: EventEmitter<Events>) => void, begun = started, isQuiet = false) => {
  const lines: string[] = []
  const events = new EventEmitter<Events>()
  const reporter = jsonLines((line) => lines.push(line), { isQuiet })
  reporter.started(begun)
  subscribe(events, reporter)
  happen(events)
  if (isQuiet) reporter.stopped()
  return lines
}

const nothing = () => {}

test('the first line says where it is, in this order', () => {
  const ready = `{"event":"ready","url":"http://127.0.0.1:9","port":9,"pid":${process.pid},"version":"${version}","seed":3}`
  expect(printed(nothing)).toEqual([ready])
})

test('the first line says a control token that was made', () => {
  const made = { ...started, emulator: { ...started.emulator, madeToken: 't' } }
  expect(JSON.parse(printed(nothing, made)[0] ?? '')).toMatchObject({ event: 'ready', controlToken: 't' })
})

test('a fault of the surroundings is an event', () => {
  const trouble: HealthIssue = {
    ...{ need: 'videos', state: 'begun', code: 'ffmpeg-missing', says: 'There is none.', hint: '', times: 1 },
  }
  expect(last((events) => events.emit('trouble', trouble))).toEqual({ event: 'trouble', ...trouble })
})

const last = (happen: (events: EventEmitter<Events>) => void) => JSON.parse(printed(happen)[1] ?? '')

test('a request is an event', () => {
  const event = last((events) => events.emit('request', request({ task: 'cgt-1' })))
  expect(event).toEqual({
    ...{ event: 'request', at: '2026-01-01T12:00:00.000Z', id: 'req-1', account: expect.any(String) },
    ...{ method: 'POST', path: '/v1/videos', status: 200, connection: null },
    ...{ operation: 'c-video.create', task: 'cgt-1', problem: null },
  })
})

test.each([
  ['the flat body', { code: 'x', message: 'No.' }],
  ['the nested one', { error: { message: 'No.' } }],
  ['the one of the asset library', { code: 400, msg: 'No.' }],
])('a refusal outside of the rules is told in the words of the answer: %s', (_, responseBody) =>
  expect(last((events) => events.emit('request', request({ status: 401, responseBody })))).toMatchObject({
    problem: 'No.',
  }),
)

test('a task is an event', () => {
  const event = last((events) => events.emit('happening', change('succeeded')))
  expect(event).toMatchObject({ event: 'task', id: 'cgt-1', status: 'succeeded', family: 'c-video' })
})

test('a callback is an event', () => {
  const event = last((events) => events.emit('happening', callback('delivered')))
  expect(event).toMatchObject({
    ...{ event: 'callback', id: 'cgt-1-2', task: 'cgt-1', status: 'delivered', about: 'running' },
    ...{ url: 'https://hooks.test/in', attempts: 1, answer: 204, reason: null },
  })
})

test('a callback that is tried again has the reason of its last attempt', () => {
  const attempt = { at: 0, durationMs: 3 }
  const attempts = [
    { ...attempt, outcome: 'answered', status: 500 },
    { ...attempt, outcome: 'timeout', error: 'No whole answer came within 5 s.' },
  ] as const
  const event = last((events) =>
    events.emit('happening', callback('retrying', { attempts, state: 'waiting' })),
  )
  expect(event).toMatchObject({
    ...{ status: 'retrying', attempts: 2, answer: null },
    reason: 'No whole answer came within 5 s.',
  })
})

test('no credentials are printed', () => {
  const lines = printed((events) => {
    events.emit('request', request())
    events.emit('happening', change('running'))
    events.emit('happening', callback('delivered'))
  })
  expect(lines).toHaveLength(4)
  expect(lines.join('\n')).not.toContain('secret')
})

test('a key that a refusal quotes is not printed', () => {
  const refusedBy = [{ rule: 'r', place: 'p', error: 'e', message: 'must be short, found "secret-key"' }]
  const { problem } = last((events) => events.emit('request', request({ status: 400, refusedBy })))
  expect(problem).toMatch(/^must be short, found "/)
  expect(problem).not.toContain('secret-key')
})

test('a key that the reason of a callback quotes is not printed', () => {
  const reason = 'The receiver has no "secret-key".'
  const event = last((events) => events.emit('happening', callback('failed', { reason })))
  expect(event.reason).toMatch(/^The receiver has no "/)
  expect(event.reason).not.toContain('secret-key')
})

test('when quiet, the first line is the only one', () => {
  expect(printed((events) => events.emit('request', request()), started, true)).toHaveLength(1)
})

test('the lines of one turn of the event loop go out in one write', async () => {
  const written: string[] = []
  const stream = new Writable({
    write: (chunk, _, done) => {
      written.push(String(chunk))
      done()
    },
  })
  const print = printerOf(stream)
  for (const line of ['one', 'two', 'three']) print(line)
  await nextTurn()
  print('four')
  await nextTurn()
  expect(written).toEqual(['one\ntwo\nthree\n', 'four\n'])
})

test('without a reader, a bounded part of the output waits, and the rest is counted', async () => {
  const written: string[] = []
  let release = () => {}
  const stream = new Writable({
    write: (chunk, _, done) => {
      written.push(String(chunk))
      release = done
    },
  })
  const print = printerOf(stream)
  for (let line = 0; line < 100; line += 1) print('x'.repeat(2 ** 20))
  await nextTurn()
  expect(stream.writableLength).toBeLessThan(6 * 2 ** 20)
  while (stream.writableLength > 0) {
    release()
    await nextTurn()
  }
  print('again')
  await nextTurn()
  expect(written.at(-1)).toMatch(/^\(9\d lines were dropped.*\)\nagain\n$/)
})
