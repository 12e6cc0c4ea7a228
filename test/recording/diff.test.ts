import { expect, test } from 'vitest'
import { compareAnswers, differences } from '../../src/recording/diff.js'

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
])('%j and %j', (recorded, now, expected) => expect(differences(recorded, now)).toEqual(expected))

test.each([
  ['/results/0123456789ab/cgt-1/0.mp4', []],
  ['/v1/videos/cgt-1', [{ path: 'connection', recorded: 'silent', now: 'a whole answer' }]],
])('an answer of %s that did not come, and comes in the replay', (path, expected) => {
  const line = { id: 'x', request: { method: 'GET', path }, answer: { broken: 'silent' } }
  const replayed = { status: 200, headers: {}, bytes: 7 }
  expect(compareAnswers(line as never, replayed, { areFilesComparable: true } as never)).toEqual(expected)
})
