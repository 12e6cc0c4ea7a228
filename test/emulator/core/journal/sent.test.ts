import { expect, test } from 'vitest'
import { sentOf, withoutMedia } from '../../../../src/emulator/core/journal/sent.js'
import type { ResolvedMedia } from '../../../../src/emulator/core/media/input.js'

const facts = { kind: 'image', format: 'png', bytes: 3, width: 1, height: 2 } as const
const read: ResolvedMedia = { state: 'read', facts, blob: 'a'.repeat(64), origin: 'x' }
const png = (data = 'QUJD') => `data:image/png;base64,${data}`
const taken = (body: unknown, found: Record<string, ResolvedMedia> = {}) =>
  withoutMedia(body, new Map(Object.entries(found)))

test('Base64 becomes a reference with what was found', () =>
  expect(taken({ image: png() }, { [png()]: read })).toEqual({
    value: { image: 'data:image/png;base64,{medium 1}' },
    media: [{ is: 'data:image/png;base64,{medium 1}', sha256: 'a'.repeat(64), facts }],
  }))

test('a medium that is sent twice is listed once', () =>
  expect(taken([png(), png('REVG'), png()]).value).toEqual([
    'data:image/png;base64,{medium 1}',
    'data:image/png;base64,{medium 2}',
    'data:image/png;base64,{medium 1}',
  ]))

test('a medium that was not probed keeps its length', () =>
  expect(taken(png()).media).toEqual([{ is: 'data:image/png;base64,{medium 1}', characters: 4 }]))

test('a medium that was cut out of a large body keeps its length', () =>
  expect(taken('data:image/png;base64,@0:123456:').media).toEqual([
    { is: 'data:image/png;base64,{medium 1}', characters: 123_456 },
  ]))

test('a URL stays, with what was found behind it', () => {
  const url = 'http://127.0.0.1:1/a.png'
  expect(taken({ url }, { [url]: { state: 'refused', reason: 'unreachable', detail: 'gone' } })).toEqual({
    value: { url },
    media: [{ is: url, refused: 'unreachable', detail: 'gone' }],
  })
})

test.each([
  ['asset://asset-1', read],
  ['https://h.test/_backlot/fixtures/square.png', read],
  ['https://h.test/a.png', { state: 'unseen', origin: 'a.png' }],
  ['nonsense', { state: 'refused', reason: 'form', detail: 'it is no URL' }],
] as const)('%s is found again by itself', (url, found) =>
  expect(taken([url], { [url]: found })).toEqual({ value: [url], media: [] }),
)

const bare = 'aB3'.repeat(100)

test.each([
  ['bare Base64', bare, [{ is: '{medium 1}', characters: 300 }]],
  [
    'Base64 in a data URL that does not say so',
    `data:image/png,${bare}`,
    [{ is: 'data:image/png,{medium 1}', characters: 300 }],
  ],
  ['a prompt that begins like a data URL', 'Data: a bar chart, blue', []],
  ['a run of 255 letters', bare.slice(0, 255), []],
  ['a run of 256 letters', bare.slice(0, 256), [{ is: '{medium 1}', characters: 256 }]],
  ['bare Base64 with two signs at its end', `${bare}==`, [{ is: '{medium 1}', characters: 302 }]],
  ['bare Base64 that begins alike', `${'a'.repeat(300)}B3`, [{ is: '{medium 1}', characters: 302 }]],
  [
    'a data URL in capitals',
    'DATA:image/png;BASE64,QUJD',
    [{ is: 'DATA:image/png;BASE64,{medium 1}', characters: 4 }],
  ],
  ['a run of one letter', 'x'.repeat(801), []],
  ['prose', `${bare} and more`, []],
  ['bare Base64 before the end of a line', `${bare}=\r\n`, [{ is: '{medium 1}', characters: 303 }]],
  // With a pattern that backtracks, this would take hours.
  ['line ends before another sign', `aB3${'\n'.repeat(1_000_000)}!`, []],
])('%s', (_, text, media) => expect(taken(text).media).toEqual(media))

test('a medium whose form is unknown keeps its length', () =>
  expect(taken(png(), { [png()]: { state: 'refused', reason: 'form', detail: 'it is none' } }).media).toEqual(
    [{ is: 'data:image/png;base64,{medium 1}', characters: 4 }],
  ))

const found = new Map([[png(), read]])
const kept = (body: unknown, bytes: number, maxBytes: number) =>
  sentOf(
    {
      ...{ begunAt: 0, hasKey: true, origin: 'http://backlot.test', query: '', found },
      body: { kind: 'json', value: body, attachments: [new Uint8Array(3)] },
    },
    bytes,
    maxBytes,
  )

test('a body of as many bytes as are kept is kept with its media in it, but without their bytes', () =>
  expect(kept({ image: png() }, 100, 100)).toMatchObject({
    body: { kind: 'json', value: { image: png() } },
    found,
  }))

test('the bytes of media are not kept with a body', () =>
  expect(kept({ image: png() }, 100, 100).body).toEqual({ kind: 'json', value: { image: png() } }))

test('of a larger body the media are taken out and listed', () => {
  const { body, media, found } = kept({ image: png() }, 101, 100)
  expect(body).toEqual({ kind: 'json', value: { image: 'data:image/png;base64,{medium 1}' } })
  expect(media).toEqual([{ is: 'data:image/png;base64,{medium 1}', sha256: read.blob, facts }])
  expect(found.size).toBe(0)
})

test('a body that is larger without its media is not kept, and says so', () => {
  const value = { note: 'a'.repeat(90) }
  const length = JSON.stringify(value).length
  expect(kept(value, length + 1, length).body).toEqual({ kind: 'json', value })
  const { body, found, media } = kept(value, length, length - 1)
  expect(body).toEqual({
    kind: 'lost',
    why: `it has ${length} bytes without its media, more than the journal keeps (setting journalBodyBytes)`,
  })
  expect([found.size, media]).toEqual([0, undefined])
})

test('a body that is no JSON is kept as it is', () => {
  const given = { begunAt: 0, hasKey: true, origin: '', query: '', found, body: { kind: 'none' } } as const
  expect(sentOf(given, 200, 100)).toEqual(given)
})
