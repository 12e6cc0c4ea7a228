import { describe, expect, test } from 'vitest'
import { builtIn } from '../../src/emulator/families/index.js'
import { compareAnswers, differences } from '../../src/recording/diff.js'
import { createSanitizers } from '../../src/recording/sanitise.js'

test.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, [{ path: 'a', recorded: 1, now: 2 }]],
  [{ a: 1 }, {}, [{ path: 'a', recorded: 1 }]],
  [{}, { a: 1 }, [{ path: 'a', now: 1 }]],
  [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } }, [{ path: 'a.b[1].c', recorded: 2, now: 3 }]],
  [[1, 2], [1], [{ path: '[1]', recorded: 2 }]],
  [{ a: [] }, { a: {} }, [{ path: 'a', recorded: [], now: {} }]],
  [{ a: null }, { a: 0 }, [{ path: 'a', recorded: null, now: 0 }]],
  ['x', 'y', [{ path: '', recorded: 'x', now: 'y' }]],
  [{ constructor: 1 }, {}, [{ path: 'constructor', recorded: 1 }]],
])('%j and %j', (recorded, now, expected) => expect(differences(recorded, now)).toEqual(expected))

test.each([
  ['/results/0123456789ab/cgt-1/0.mp4', 'results.download', []],
  ['/v1/videos/cgt-1/content', 'c-video.content', []],
  ['/v1/videos/cgt-1', 'c-video.read', [{ path: 'connection', recorded: 'silent', now: 'a whole answer' }]],
])('an answer of %s that did not come, and comes in the replay', (path, operation, expected) => {
  const line = { id: 'x', operation, request: { method: 'GET', path }, answer: { broken: 'silent' } }
  const replayed = { status: 200, headers: {}, bytes: 7 }
  expect(
    compareAnswers(line as never, replayed, {
      areFilesComparable: true,
      fileOperations: builtIn.fileOperations,
    } as never),
  ).toEqual(expected)
})

const differing = (request: object, answer: object, now: object, areFilesComparable = false) => {
  const line = {
    id: 'x',
    request: { method: 'GET', path: '/results/0123456789ab/cgt-1/0.mp4', ...request },
    answer,
  }
  const replayed = { headers: { 'x-request-id': 'x' }, bytes: 7, ...now }
  const sanitizer = createSanitizers()({ origin: 'http://127.0.0.1:1' })
  const differences = compareAnswers(line as never, replayed as never, {
    sanitizer,
    areFilesComparable,
    fileOperations: [],
  })
  return differences.map(({ path }) => path)
}

describe('parts of files that have other bytes', () => {
  const part = { headers: { range: 'bytes=0-9' } }

  test.each(['range', 'if-match', 'if-none-match'])('are not compared: %s', (name) =>
    expect(differing({ headers: { [name]: 'x' } }, { status: 206, bytes: 10 }, { status: 416 })).toEqual([]),
  )

  test('keep the request id', () =>
    expect(
      differing(part, { status: 206, bytes: 10 }, { status: 416, headers: { 'x-request-id': 'y' } }),
    ).toEqual(['headers.x-request-id']))

  test('are refused as they were', () => {
    expect(differing(part, { status: 206, bytes: 10 }, { status: 403, text: 'no' })).toEqual(['status'])
    expect(differing(part, { status: 403, text: 'no' }, { status: 206 })).toEqual(['status', 'body'])
  })

  test('are no JSON, which is compared whatever its headers', () =>
    expect(differing(part, { status: 200, json: { a: 1 } }, { status: 200, text: '{"a":2}' })).toEqual(['a']))
})

test('a header that says when to come back is compared where it was not recorded', () =>
  expect(
    differing(
      {},
      { status: 429, json: {} },
      {
        ...{ status: 429, text: '{}' },
        headers: { 'x-request-id': 'x', 'retry-after': '7' },
      },
    ),
  ).toEqual(['headers.retry-after']))

test('only the length and the ETag of files depend on their bytes', () => {
  const file = { status: 200, bytes: 7, headers: { ETag: '"a"', 'Content-Type': 'video/mp4' } }
  const other = {
    status: 200,
    bytes: 8,
    headers: { 'x-request-id': 'x', etag: '"b"', 'content-type': 'image/png' },
  }
  expect(differing({}, file, other)).toEqual(['headers.content-type'])
  expect(differing({}, file, other, true)).toEqual(['headers.etag', 'headers.content-type', 'bytes'])
})

test.each([
  ['a text', { text: 'yes' }, { text: 'no' }],
  ['JSON that is none any more', { json: {} }, { text: '<html>' }],
  ['JSON with other spaces', { json: { a: 1 } }, { text: '{ "a": 1 }' }],
])('a body that differs is told: %s', (_, answer, now) =>
  expect(differing({}, { status: 200, ...answer }, { status: 200, ...now })).toEqual(['body']),
)

test('a body that was not kept is compared by its status alone', () => {
  const request = { lost: 'It was too large.' }
  expect(differing(request, { status: 200, json: { a: 1 } }, { status: 200, text: '{"a":2}' })).toEqual([])
  expect(differing(request, { status: 200, json: { a: 1 } }, { status: 400, text: '{}' })).toEqual(['status'])
})

test.each([
  [
    'of a medium',
    'x://<id>, found "data:image/png;base64,… (664 characters)"',
    'x://<id>, found "data:image/png;base64,{medium 1}"',
  ],
  [
    'that is cut before a URL',
    'found [{"text":"A street… (287 characters)',
    'found [{"text":"A street… (291 characters)',
  ],
])('a quotation %s is the same with what a recording has in its place', (_, recorded, now) =>
  expect(
    differing(
      {},
      { status: 400, json: { message: recorded } },
      { status: 400, text: JSON.stringify({ message: now }) },
    ),
  ).toEqual([]),
)
