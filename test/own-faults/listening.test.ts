import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { createEmulator } from '../../src/emulator/emulator.js'
import { listen } from '../../src/emulator/listen.js'
import { readSettings } from '../../src/emulator/settings.js'
import { paths, startOnPort } from '../emulator.js'

test('an emulator that cannot go on after it listens gives its port back and is stopped', async () => {
  const port = await freePort()
  const made = createEmulator(readSettings({ port }))
  const stop = vi.fn(made.stop)
  const resume = () => Promise.reject(new Error('the disk is full'))
  await expect(listen({ ...made, stop, resume })).rejects.toThrow('the disk is full')
  expect(stop).toHaveBeenCalledOnce()
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

test('an upload whose transaction fails keeps no file', async () => {
  const { emulator, url, bugs } = await startOnPort()
  vi.spyOn(emulator.store, 'transact').mockRejectedValueOnce(new Error('the store is gone'))
  const form = new FormData()
  form.set(
    'file',
    new Blob([new Uint8Array((await emulator.fixtures.read('portrait.jpeg')) as Buffer)]),
    'portrait.jpeg',
  )
  const answer = await fetch(url + paths.upload, {
    method: 'POST',
    body: form,
    headers: { Authorization: 'Bearer k' },
  })
  expect([answer.status, bugs.splice(0).length]).toEqual([500, 1])
  expect(emulator.blobs.stats()).toMatchObject({ files: 1, pinnedBytes: 0 })
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
