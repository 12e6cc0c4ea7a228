import { expect, test } from 'vitest'
import { createPosters, type LoadedPoster, type PosterRef } from '../../../src/ui/state/posters.js'

const refTo = (task: string): PosterRef => ({ task, index: 0, stamp: '' })

/** Posters whose loads end when they are told to, with what was begun and revoked. */
const openPosters = (limits: { readonly maxKept?: number; readonly maxAtOnce?: number } = {}) => {
  const begun: string[] = []
  const revoked: string[] = []
  const ends = new Map<string, { resolve: (url: string) => void; reject: (error: unknown) => void }>()
  const posters = createPosters({
    ...limits,
    load: ({ task }) => {
      begun.push(task)
      return new Promise((resolve, reject) => ends.set(task, { resolve, reject }))
    },
    revoke: (url) => revoked.push(url),
  })
  const shown: Record<string, LoadedPoster> = {}
  const want = (task: string) => posters.want(refTo(task), (loaded) => (shown[task] = loaded))
  const end = async (task: string): Promise<void> => {
    ends.get(task)?.resolve(`blob:${task}`)
    await Promise.resolve()
    await Promise.resolve()
  }
  const fail = async (task: string, error: unknown): Promise<void> => {
    ends.get(task)?.reject(error)
    await Promise.resolve()
    await Promise.resolve()
  }
  return { begun, revoked, shown, want, end, fail }
}

test('two are loaded at once, and then the one that was asked for last', async () => {
  const { begun, shown, want, end } = openPosters()
  for (const task of ['a', 'b', 'c', 'd']) want(task)
  expect(begun).toEqual(['a', 'b'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'd'])
  expect(shown).toEqual({ a: { url: 'blob:a' } })
})

test('one that nothing shows any more is not loaded, unless something else shows it too', async () => {
  const { begun, want, end } = openPosters({ maxAtOnce: 1 })
  want('a')
  const leave = want('b')
  const leaveFirst = want('c')
  want('c')
  leave()
  leaveFirst()
  await end('a')
  expect(begun).toEqual(['a', 'c'])
  await end('c')
  expect(begun).toEqual(['a', 'c'])
})

test('one that is kept is there at once; the one that was not shown for longest is revoked', async () => {
  const { begun, revoked, shown, want, end } = openPosters({ maxKept: 2 })
  for (const task of ['a', 'b']) {
    want(task)
    await end(task)
  }
  delete shown.a
  want('a')
  expect([begun, shown.a]).toEqual([['a', 'b'], { url: 'blob:a' }])
  want('c')
  await end('c')
  expect(revoked).toEqual(['blob:b'])
})

test('one that fails says why, is asked for again, and holds up no other', async () => {
  const { begun, shown, want, fail } = openPosters({ maxAtOnce: 1 })
  want('a')
  want('b')
  await fail('a', 'gone')
  expect([begun, shown.a]).toEqual([['a', 'b'], { error: 'gone' }])
  want('a')
  await fail('b', 'gone')
  expect(begun).toEqual(['a', 'b', 'a'])
})
