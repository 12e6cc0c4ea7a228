import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEmulator, startEmulator } from '../../../src/index.js'
import { bodies, paths } from '../../emulator.js'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused' })
})
afterAll(() => emulator.stop())

test('every account is listed with its key, its clock and what it is worth', async () => {
  const long = 'sk-0123456789abcdef0123456789abcdef'
  await emulator.account('alice').change({ balance: 7 })
  await emulator.account(long).clock.advance('1h')
  const response = await fetch(`${emulator.url}/_backlot/accounts`)
  const { items } = (await response.json()) as { items: Record<string, unknown>[] }
  const { tag } = await emulator.account('alice').read()
  expect(items.find(({ key }) => key === 'alice')).toMatchObject({
    ...{ tag, name: 'alice', balance: 7, mode: 'paused', now: '2026-01-01T00:00:00.000Z', next: null },
  })
  expect(items.find(({ key }) => key === long)).toMatchObject({
    ...{ name: 'sk-01234…cdef', now: '2026-01-01T01:00:00.000Z' },
  })
})

test.each([
  ['24 characters', 'a-key-that-is-shown-whol', 'a-key-that-is-shown-whol'],
  ['25 characters', 'a-key-that-is-shown-in-pa', 'a-key-th…n-pa'],
])('the name of an account whose key has %s', async (_, key, name) => {
  const { tag } = await emulator.account(key).read()
  const response = await fetch(`${emulator.url}/_backlot/accounts`)
  const { items } = (await response.json()) as { items: Record<string, unknown>[] }
  expect(items.find((one) => one.tag === tag)).toMatchObject({ name })
})

test('an account counts what was accepted, its images, its tasks and those that have not ended', async () => {
  const account = emulator.account('counted')
  const call = (path: string, body: object) =>
    fetch(emulator.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer counted' },
      body: JSON.stringify(body),
    })
  await call(paths.image, bodies.image())
  await call(paths.tasks, bodies.task())
  await account.clock.advance({ to: 'idle' })
  await call(paths.tasks, bodies.task())
  await call(paths.tasks, {})
  expect(await account.read()).toMatchObject({ ordinal: 3, imagesMade: 1, tasks: 3, tasksInFlight: 1 })
})
