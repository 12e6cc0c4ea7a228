import { expect, test } from 'vitest'
import { outgoingOf } from '../../../../../src/emulator/core/scenario/effects/answer.js'
import { applyEffectsOf, type StepEffects } from '../../../../../src/emulator/core/scenario/effects/index.js'

type Answer = NonNullable<StepEffects['answer']>

const decided = { status: 429, headers: { 'Retry-After': '60' }, body: { code: 'busy' } }
const resultOf = (answer: Answer) => {
  const context = { requestId: 'request-2', raise: () => decided, values: answer }
  const { status, headers, body, bytes } = applyEffectsOf(
    'answer',
    { answer },
    outgoingOf(decided, 'request-1'),
    context,
  )
  return { status, headers, body, text: bytes.toString('utf8') }
}

test.each<[string, Answer, object]>([
  [
    'an error by its name is the family’s own answer',
    { error: 'busy' },
    { status: 429, text: '{"code":"busy"}', headers: { 'Retry-After': '60' } },
  ],
  ['with another time to wait', { error: 'busy', retryAfter: 2 }, { headers: { 'Retry-After': '2' } }],
  [
    'an HTML page',
    { status: 502, contentType: 'text/html', text: '<h1>502</h1>' },
    { status: 502, text: '<h1>502</h1>', headers: { 'Content-Type': 'text/html' } },
  ],
  ['an empty 200', { status: 200 }, { status: 200, text: '', headers: { 'X-Request-Id': 'request-2' } }],
  [
    'a text is plain, and 200 where nothing else is said',
    { text: 'ok' },
    { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' } },
  ],
  [
    'a body is JSON',
    { body: { a: [1] } },
    { text: '{"a":[1]}', headers: { 'Content-Type': 'application/json; charset=utf-8' } },
  ],
  ['null is JSON too', { body: null }, { text: 'null' }],
  [
    'headers alone change the true answer',
    { headers: { 'x-extra': '1' } },
    { status: 429, text: '{"code":"busy"}', headers: { 'x-extra': '1' } },
  ],
  ['a cut of the true answer', { cutAt: 8 }, { status: 429, text: '{"code":' }],
  ['a cut of another', { text: '<html>', cutAt: 3 }, { text: '<ht' }],
  ['a cut behind the end', { cutAt: 800 }, { text: '{"code":"busy"}', body: { code: 'busy' } }],
])('%s', (_, answer, expected) => expect(resultOf(answer)).toMatchObject(expected))

test('a header replaces the one of the same name, however both are written', () => {
  const { headers } = resultOf({ contentType: 'text/html', headers: { 'retry-after': '5' } })
  expect(headers).toEqual({ 'Content-Type': 'text/html', 'X-Request-Id': 'request-1', 'retry-after': '5' })
})

const listed = { status: 200, headers: {}, body: { data: [{ url: 'a' }, { url: 'b' }], usage: null } }
const without = (...paths: string[]): unknown => {
  const answer = { without: paths }
  const context = { requestId: 'request-1', raise: () => decided, values: answer }
  return applyEffectsOf('answer', { answer }, outgoingOf(listed, 'request-1'), context).body
}

test.each<[string, string[], object]>([
  ['a field', ['usage'], { data: listed.body.data }],
  ['a field of an item', ['data[1].url'], { ...listed.body, data: [{ url: 'a' }, {}] }],
  ['an item, and those behind it move up', ['data[0]'], { ...listed.body, data: [{ url: 'b' }] }],
])('a body is sent without %s', (_, paths, expected) => expect(without(...paths)).toEqual(expected))

test.each(['other', 'data[2]', 'data.url', 'data.-1', 'data.length', 'usage.tokens', 'data[0].url.length'])(
  'the path %s leads nowhere, and nothing is dropped',
  (path) => expect(without(path)).toEqual(listed.body),
)

test.each<[string, Answer]>([
  ['a status alone', { status: 200 }],
  ['an empty text', { text: '' }],
])('an empty answer has no type: %s', (_, answer) =>
  expect(resultOf(answer).headers).not.toHaveProperty('Content-Type'),
)

test('a header in capitals replaces the one of the answer', () =>
  expect(resultOf({ headers: { 'RETRY-AFTER': '5' } }).headers).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': 'request-1',
    'RETRY-AFTER': '5',
  }))

test.each([
  [14, '{"code":"busy"'],
  [15, { code: 'busy' }],
])('an answer of 15 bytes that is cut at %i is kept as %j', (cutAt, body) =>
  expect(resultOf({ cutAt }).body).toEqual(body),
)
