import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEmulator, startEmulator } from '../../src/index.js'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused' })
})
afterAll(() => emulator.stop())

const TASKS = '/provB/api/v3/contents/generations/tasks'

const callsOf = (key: string) => {
  const call = async (method: string, path: string, sent?: object) => {
    const response = await fetch(emulator.url + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: answers of any operation
    return { status: response.status, body: (await response.json()) as any }
  }
  const create = async () => {
    const content = [{ type: 'text', text: 'a lighthouse' }]
    return (await call('POST', TASKS, { model: 'videoa-2-0-260128', content })).body.id as string
  }
  return { call, create }
}

test('an advance lists as many events as it is asked for, and counts all of them by kind', async () => {
  const { call, create } = callsOf('advance')
  await create()
  await create()
  const { body } = await call('POST', '/_backlot/clock/advance', { to: 'idle', limit: 1 })
  expect(body.happened).toHaveLength(1)
  expect(body.totals).toEqual({ task: 4, asset: 0, callback: 0 })
  expect((await call('POST', '/_backlot/clock/advance', { to: 'idle', limit: -1 })).status).toBe(400)
})

test('lists of an account that is restored are those of the snapshot', async () => {
  const { call, create } = callsOf('restore')
  const ids = [await create(), await create(), await create()]
  await call('DELETE', `${TASKS}/${ids[1]}`)
  const lists = () =>
    Promise.all(
      [
        '',
        '?filter.status=queued',
        '?filter.status=cancelled',
        '?filter.status=succeeded',
        '?page_size=1&page_num=2',
      ]
        .map((query) => `${TASKS}${query}`)
        .concat('/_backlot/tasks?status=queued')
        .map(async (path) => (await call('GET', path)).body),
    )
  const before = await lists()
  expect(before.map(({ total }) => total)).toEqual([3, 2, 1, 0, 3, 2])
  const { body: snapshot } = await call('POST', '/_backlot/snapshots')
  await call('POST', '/_backlot/clock/advance', { to: 'idle' })
  await create()
  expect((await lists()).map(({ total }) => total)).toEqual([4, 1, 1, 2, 4, 1])
  await call('POST', `/_backlot/snapshots/${snapshot.id}/restore`)
  const after = await lists()
  expect(after.map(({ items }) => items.map(({ id }: { id: string }) => id))).toEqual(
    before.map(({ items }) => items.map(({ id }: { id: string }) => id)),
  )
  await call('POST', '/_backlot/clock/advance', { to: 'idle' })
  expect((await lists()).map(({ total }) => total)).toEqual([3, 0, 1, 2, 3, 0])
})
