import { expect, test } from 'vitest'
import { openLibrary } from './library.js'

test('on an on-poll clock the first poll finds the job done, without a key', async () => {
  const { emulator, upload, resolve } = openLibrary({ clock: 'on-poll', timing: 'realistic' })
  const { body } = await upload('first-frame.png')
  const { body: polled } = await resolve(body.data.task_id)
  expect(polled).toMatchObject({ code: 200, data: { status: 'Active' } })
  const { now } = await emulator.store.run('my-key', ({ clock }) => clock)
  expect(now - Date.UTC(2026, 0, 1)).toBeGreaterThanOrEqual(5_000)
  expect(now - Date.UTC(2026, 0, 1)).toBeLessThanOrEqual(20_000)
})

test('a poll moves the clock of the owner alone', async () => {
  const { emulator, upload, resolve } = openLibrary({ clock: 'on-poll' })
  const { body } = await upload('first-frame.png')
  await upload('first-frame.png', { key: 'other' })
  await resolve(body.data.task_id, 'Bearer other')
  const stood = (key: string) => emulator.store.run(key, ({ clock }) => clock.now - Date.UTC(2026, 0, 1))
  expect(await stood('my-key')).toBeGreaterThan(0)
  expect(await stood('other')).toBe(0)
  expect(await stood('default')).toBe(0)
})

test('a job that is done moves the clock no further', async () => {
  const { emulator, upload, resolve } = openLibrary({ clock: 'on-poll' })
  const { body } = await upload('first-frame.png')
  await resolve(body.data.task_id)
  const { now } = await emulator.store.run('my-key', ({ clock }) => clock)
  await resolve(body.data.task_id)
  expect((await emulator.store.run('my-key', ({ clock }) => clock)).now).toBe(now)
})

test('with instant timing the first look finds it done (Z17)', async () => {
  const { upload, resolve } = openLibrary({ timing: 'instant' })
  const { body } = await upload('first-frame.png')
  expect((await resolve(body.data.task_id)).body.code).toBe(200)
})
