import { expect, test } from 'vitest'
import { b, f, type Playing, startPlaying, type VideoFamily } from './play.js'

/** One call in a word: its status, or that there was no answer. */
const outcomeOf = async (call: Promise<{ status: number; body: unknown }>): Promise<string> =>
  call.then(
    ({ status, body }) => `${status}${body === undefined ? ' unreadable' : ''}`,
    () => 'reset',
  )

const creates = async ({ ask }: Playing, family: VideoFamily, count: number): Promise<string[]> => {
  const seen: string[] = []
  for (let left = count; left > 0; left -= 1)
    seen.push(await outcomeOf(ask('POST', family.create, family.body())))
  return seen
}

test('seeded-chaos: a few creates in a hundred fail, in more than one way', async () => {
  const seen = await creates(await startPlaying('seeded-chaos'), b, 200)
  const failed = seen.filter((what) => what !== '200')
  expect(failed.length).toBeGreaterThan(3)
  expect(failed.length).toBeLessThan(40)
  expect(new Set(failed)).toEqual(new Set(['502 unreadable', 'reset']))
})

test('seeded-chaos: queries are slow, reset or cut', async () => {
  const playing = await startPlaying('seeded-chaos')
  await creates(playing, f, 5)
  const id = (await playing.account.tasks.list())[0]?.id ?? ''
  const seen: string[] = []
  for (let left = 200; left > 0; left -= 1) seen.push(await outcomeOf(playing.ask('GET', f.query(id))))
  expect(new Set(seen)).toEqual(new Set(['200', '200 unreadable', '502 unreadable', 'reset']))
  expect(playing.waited.length).toBeGreaterThan(5)
})

test('seeded-chaos: the same seed goes wrong at the same places, another one at others', async () => {
  const run = async (seed: number) => creates(await startPlaying('seeded-chaos', { seed }), b, 60)
  expect(await run(1)).toEqual(await run(1))
  expect(await run(1)).not.toEqual(await run(2))
})
