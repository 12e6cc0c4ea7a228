import { expect, test } from 'vitest'
import { boundLine, happeningLine, requestLine } from '../../../src/cli/output/screen/event-lines.js'
import { type Paint, paintFor } from '../../../src/cli/output/screen/paint.js'
import { callback, change, request } from './happened.js'

const met = {
  name: 'waits',
  setting: 'waitsAtOnce',
  most: 1,
  says: 'There is no room for more waits.',
} as const

test.each([
  [1, 'There is no room for more waits.'],
  [10, 'There is no room for more waits. (10 times)'],
])('a bound that was met %d times is a line', (hits, line) =>
  expect(boundLine({ ...met, hits }, plain)).toBe(line),
)

const plain: Paint = (_, text) => text

test.each([
  ['a call', request({ task: 'cgt-1' }), '12:00:00Z  POST /v1/videos  200  c-video.create  cgt-1'],
  [
    'a call that a rule refused',
    request({
      status: 400,
      refusedBy: [{ rule: 'r', place: 'p', error: 'e', message: 'seconds must be 4 to 15, found "3"' }],
    }),
    '12:00:00Z  POST /v1/videos  400  c-video.create  seconds must be 4 to 15, found "3"',
  ],
  [
    'a call that nothing answers to',
    request({
      method: 'GET',
      path: '/v1/video',
      status: 404,
      operation: undefined,
      responseBody: { error: { message: 'Invalid URL' } },
    } as never),
    '12:00:00Z  GET  /v1/video  404  no such operation  Invalid URL',
  ],
])('%s is a line', (_, entry, line) => expect(requestLine(entry, plain)).toBe(line))

test.each([
  ['a task', change('running'), '12:00:00Z  task cgt-1  running  videoa-2-0-260128'],
  [
    'a delivery',
    callback('delivered'),
    '12:00:00Z  callback cgt-1-2  delivered  running to https://hooks.test/in  204',
  ],
  [
    'a challenge that failed',
    callback('failed', { status: null, kind: 'challenge', reason: 'It gave back something else.' }),
    '12:00:00Z  callback cgt-1-2  failed  challenge to https://hooks.test/in  It gave back something else.',
  ],
])('what became of %s is a line', (_, happening, line) => expect(happeningLine(happening, plain)).toBe(line))

test('what a client sends does not steer the terminal', () => {
  const line = requestLine(request({ path: '/v1/\u001b[2Jvideos\u009b1m\n' }), plain)
  expect(line).toContain('/v1/�[2Jvideos�1m�')
})

test('a long path is cut', () => {
  expect(requestLine(request({ path: `/${'x'.repeat(5_000)}` }), plain).length).toBeLessThan(300)
})

test.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['a pipe', {}, {}, false],
  ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
  ['a terminal that knows no colour', { isTTY: true }, { TERM: 'dumb' }, false],
])('%s has colour: %j %j %j', (_, stream, environment, isColoured) => {
  const painted = paintFor(stream, environment)('red', 'x')
  expect(painted).toBe(isColoured ? '\u001b[31mx\u001b[39m' : 'x')
})
