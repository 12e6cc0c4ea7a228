import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectionOutcomeOf } from '../../../src/emulator/core/journal/entry.js'
import { paths, startOnPort } from '../../emulator.js'

/** Turns of the event loop. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await setImmediate()
}

/** A client that sends a GET and leaves a few turns of the event loop later. */
const leave = async (port: number, path: string, count: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  await turns(count)
  socket.resetAndDestroy()
  await once(socket, 'close')
}

const CLIENTS = 60

const openWithResult = async () => {
  const { emulator, url, port } = await startOnPort({ clock: 'on-poll' })
  const response = await fetch(url + paths.image, {
    method: 'POST',
    headers: { authorization: 'Bearer left', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'alpha-image-3.0-pro',
      input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
    }),
  })
  const [result = ''] = /https?:[^"]+/.exec(await response.text()) ?? []
  return { emulator, url, port, result: result.replace(url, '') }
}

test('clients that leave before their file is opened leave no call and no file open', async () => {
  const { emulator, port, result } = await openWithResult()
  let held = 0
  const open = emulator.renderer.open.bind(emulator.renderer)
  const spy = vi.spyOn(emulator.renderer, 'open').mockImplementation(async (...args) => {
    const file = await open(...args)
    held += 1
    const release = () => {
      held -= 1
      file.release()
    }
    return { ...file, release }
  })
  onTestFinished(() => spy.mockRestore())
  for (let client = 0; client < CLIENTS; client += 1) await leave(port, result, 1 + (client % 5))
  const downloads = () => emulator.journals.journalOf('left').list({ operation: 'results.download' })
  // A call that is still open is not in the journal.
  await expect.poll(() => [downloads().length, held]).toEqual([CLIENTS, 0])
})

test('a download whose client leaves before the first byte is no answer', async () => {
  const { emulator, url, result } = await openWithResult()
  const leaving = new AbortController()
  const spy = vi.spyOn(emulator.renderer, 'open').mockImplementation(
    (_, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        leaving.abort()
      }),
  )
  onTestFinished(() => spy.mockRestore())
  await expect(fetch(url + result, { signal: leaving.signal })).rejects.toThrow()
  const outcomes = () =>
    emulator.journals.journalOf('left').list({ operation: 'results.download' }).map(connectionOutcomeOf)
  await expect.poll(outcomes).toEqual(['no-answer'])
})

test('a download that ends after a reset is not in the journal that was begun anew', async () => {
  const { emulator, url, result } = await openWithResult()
  const open = emulator.renderer.open.bind(emulator.renderer)
  vi.spyOn(emulator.renderer, 'open').mockImplementationOnce(async (...args) => {
    await emulator.forget('left')
    return open(...args)
  })
  const served = once(emulator.events, 'served')
  const { status } = await fetch(url + result)
  expect(status).toBe(200)
  await served
  expect(emulator.journals.journalOf('left').list()).toEqual([])
})

test('a client that leaves before its stream of events begins does not count as a follower', async () => {
  const { emulator, port } = await startOnPort()
  const live = await emulator.live()
  const follow = vi.spyOn(live, 'follow')
  const left = leave(port, '/_backlot/events', 5).then(() => turns(20))
  vi.spyOn(emulator, 'live').mockImplementation(() => left.then(() => live))
  await expect.poll(() => follow.mock.calls.length).toBe(1)
  await expect.poll(() => live.followers).toBe(0)
})

test('a client that closes its half gets its answer, and is let go where its answer is held back', async () => {
  const { emulator, url, port } = await startOnPort()
  const hangs = {
    name: 'hangs',
    description: 'Status queries are not answered.',
    steps: [{ when: { operation: 'c-video.read' }, then: { transport: { hang: true } } }],
  }
  const headers = { authorization: 'left', connection: 'close' }
  await fetch(`${url}/_backlot/scenario`, { method: 'PUT', headers, body: JSON.stringify(hangs) })
  const ask = async (path: string): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    socket.end(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: left\r\n\r\n`)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => socket.destroy())
    await once(socket, 'close')
    return Buffer.concat(chunks).toString()
  }
  expect(await ask('/_backlot/clock')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ask('/v1/videos/x')).toBe('')
  expect(await ask('/_backlot/wait?for=request&timeout=1h&count=9')).toBe('')
  expect(await ask('/_backlot/events')).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(() => emulator.quotas.read().find(({ name }) => name === 'connections')?.size).toBe(0)
})
