import { expect, test } from 'vitest'
import { openLibrary } from './library.js'

const { emulator, upload, resolve } = openLibrary()

const jobOf = async (key: string): Promise<string> => (await upload('square.png', { key })).body.data.task_id

test.each([
  ['no key', undefined],
  ['its own key', 'Bearer owner'],
  ['the key of another', 'Bearer stranger'],
  ['a key that is invalid', 'invalid'],
])('a job is resolved with %s (§Authentication 4)', async (_, authorization) => {
  const { status, body } = await resolve(await jobOf('owner'), authorization)
  expect([status, body.code]).toEqual([200, 202])
})

test('a job goes by the clock of its own account', async () => {
  const [early, late] = [await jobOf('early'), await jobOf('late')]
  await emulator.clock.advanceTo('early', Date.UTC(2026, 0, 2))
  expect((await resolve(early)).body.code).toBe(200)
  expect((await resolve(late)).body.code).toBe(202)
})

test('jobs of many accounts in one second of their clocks have ids of their own', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `many-${index}`)
  const threeOf = async (key: string) => [await jobOf(key), await jobOf(key), await jobOf(key)]
  const jobs = (await Promise.all(keys.map(threeOf))).flat()
  expect(new Set(jobs).size).toBe(120)
})

test('resolving is written into the journal of the owner', async () => {
  const job = await jobOf('told')
  const { headers } = await resolve(job)
  expect(emulator.journals.journalOf('told').get(headers['x-request-id'] as string)).toMatchObject({
    operation: 'd-assets.resolve',
    task: job,
  })
})

test('a reset forgets assets and their jobs (D8, Z18)', async () => {
  const job = await jobOf('reset')
  await emulator.forget('reset')
  const { status, body } = await resolve(job)
  expect([status, body]).toEqual([
    404,
    { code: 404, data: null, msg: 'task not found', message: 'task not found' },
  ])
})

test('after a reset the same uploads have the same ids', async () => {
  const before = await jobOf('again')
  await emulator.forget('again')
  expect(await jobOf('again')).toBe(before)
})
