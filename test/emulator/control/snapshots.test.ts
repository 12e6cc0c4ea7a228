import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { nextTurn } from '../../../src/emulator/timers.js'
import { startOnPort } from '../../emulator.js'

const takenAt = expect.any(String)

const openControl = async () => {
  const { as } = await startOnPort()
  return async (method: string, path: string, key: string, body?: object) =>
    (await as(key).ask(method, `/_backlot${path}`, body)).body
}

test('the list has the snapshots that the account is in, with what its clock said', async () => {
  const control = await openControl()
  await control('POST', '/snapshots', 'alice', {})
  await control('POST', '/clock/advance', 'alice', { by: '1h' })
  await control('POST', '/snapshots', 'bob', { all: 'true' })
  expect(await control('GET', '/snapshots', 'alice')).toEqual({
    items: [
      { id: 'snapshot-1', accounts: 1, tasks: 0, at: '2026-01-01T00:00:00.000Z', takenAt },
      { id: 'snapshot-2', accounts: 1, tasks: 0, at: '2026-01-01T01:00:00.000Z', takenAt },
    ],
  })
  expect(await control('GET', '/snapshots', 'carol')).toEqual({ items: [] })
})

test('a snapshot has the name that it was given, and is removed by its accounts alone', async () => {
  const control = await openControl()
  await control('POST', '/snapshots', 'alice', { name: 'before the import' })
  await control('POST', '/snapshots', 'bob', {})
  expect((await control('GET', '/snapshots', 'alice')).items).toMatchObject([
    { id: 'snapshot-1', name: 'before the import' },
  ])
  const { error } = await control('DELETE', '/snapshots/snapshot-1', 'bob')
  expect(error.code).toBe('other-snapshot')
  expect(await control('DELETE', '/snapshots/snapshot-1', 'alice')).toMatchObject({ id: 'snapshot-1' })
  expect(await control('GET', '/snapshots', 'alice')).toEqual({ items: [] })
  expect((await control('POST', '/snapshots/snapshot-1/restore', 'alice', {})).error.code).toBe(
    'unknown-snapshot',
  )
  expect((await control('GET', '/snapshots', 'bob')).items).toHaveLength(1)
})

test('a journal that begins with a restore says so, in its list and of a call from before', async () => {
  const control = await openControl()
  await control('POST', '/clock/advance', 'alice', { by: '1h' })
  const { id } = await control('POST', '/snapshots', 'alice', {})
  expect((await control('GET', '/requests', 'alice')).restoredAt).toBe(null)
  const before = await control('GET', '/requests/none', 'alice')
  expect(before.error.hint).toContain('evicted')
  await control('POST', `/snapshots/${id}/restore`, 'alice', {})
  expect((await control('GET', '/requests', 'alice')).restoredAt).toBe('2026-01-01T01:00:00.000Z')
  const after = await control('GET', '/requests/none', 'alice')
  expect(after.error.hint).toContain('put back at 2026-01-01T01:00:00.000Z')
  await control('POST', '/reset', 'alice', {})
  expect((await control('GET', '/requests', 'alice')).restoredAt).toBe(null)
})

test('an account that was reset since is restored with all', async () => {
  const control = await openControl()
  await control('POST', '/clock/advance', 'alice', { by: '1h' })
  const { id } = await control('POST', '/snapshots', 'bob', { all: true })
  await control('POST', '/reset', 'alice', {})
  await control('POST', `/snapshots/${id}/restore`, 'bob', { all: true })
  expect(await control('GET', '/clock', 'alice')).toMatchObject({ now: '2026-01-01T01:00:00.000Z' })
})

test('the files of an account that is reset while a snapshot of all is taken are kept for it', async () => {
  const bytes = await readFile('fixtures/media/first-frame.png')
  const { emulator, upload } = await startOnPort({ inputBytes: bytes.length + 1 })
  await upload('first-frame.png', bytes)
  const { store, blobs } = emulator
  const { read } = store
  await read('bob', () => {})
  const hash = await read('alice', ({ assets }) => [...assets.values()][0]?.blob ?? '')
  // Where accounts are shared by replicas, reading one takes a while.
  vi.spyOn(store, 'read').mockImplementation(async (key, look) => {
    if (key === 'bob') {
      await nextTurn()
      await emulator.forget('alice')
      await blobs.put(new Uint8Array(2)).catch(() => {})
    }
    return read(key, look)
  })
  await emulator.snapshots.take()
  expect(await blobs.has(hash)).toBe(true)
})
