import { expect, test } from 'vitest'
import { paths, startOnPort } from '../../emulator.js'

const { as } = await startOnPort()

test('an advance lists as many events as it is asked for, and counts all of them by kind', async () => {
  const { ask, createB } = as('advance')
  await createB()
  await createB()
  const { body } = await ask('POST', '/_backlot/clock/advance', { to: 'idle', limit: 1 })
  expect(body.happened).toHaveLength(1)
  expect(body.totals).toEqual({ task: 4, asset: 0, callback: 0 })
  expect((await ask('POST', '/_backlot/clock/advance', { to: 'idle', limit: -1 })).status).toBe(400)
})

test('lists of an account that is restored are those of the snapshot', async () => {
  const { ask, createB } = as('restore')
  const ids = [await createB(), await createB(), await createB()]
  await ask('DELETE', `${paths.tasks}/${ids[1]}`)
  const lists = () =>
    Promise.all(
      [
        '',
        '?filter.status=queued',
        '?filter.status=cancelled',
        '?filter.status=succeeded',
        '?page_size=1&page_num=2',
      ]
        .map((query) => `${paths.tasks}${query}`)
        .concat('/_backlot/tasks?status=queued')
        .map(async (path) => (await ask('GET', path)).body),
    )
  const before = await lists()
  expect(before.map(({ total }) => total)).toEqual([3, 2, 1, 0, 3, 2])
  const { body: snapshot } = await ask('POST', '/_backlot/snapshots')
  await ask('POST', '/_backlot/clock/advance', { to: 'idle' })
  await createB()
  expect((await lists()).map(({ total }) => total)).toEqual([4, 1, 1, 2, 4, 1])
  await ask('POST', `/_backlot/snapshots/${snapshot.id}/restore`)
  const after = await lists()
  expect(after.map(({ items }) => items.map(({ id }: { id: string }) => id))).toEqual(
    before.map(({ items }) => items.map(({ id }: { id: string }) => id)),
  )
  await ask('POST', '/_backlot/clock/advance', { to: 'idle' })
  expect((await lists()).map(({ total }) => total)).toEqual([3, 0, 1, 2, 3, 0])
})
