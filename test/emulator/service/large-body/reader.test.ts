import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Events } from '../../../../src/emulator/core/events.js'
import { createHealthIssues } from '../../../../src/emulator/observability/health.js'
import { concatResizable, createBodyBudget, readBody } from '../../../../src/emulator/service/body.js'
import { createLargeBodyReader } from '../../../../src/emulator/service/large-body/reader.js'
import type { SetTimer } from '../../../../src/emulator/timers.js'

describe('large body rest', () => {
  const chunks = (text: string) => [Buffer.from(text)]

  /** The threads that begin until the test is over, in their order. */
  const threadsThatBegin = (): Worker[] => {
    const threads: Worker[] = []
    const notice = (thread: Worker) => void threads.push(thread)
    process.on('worker', notice)
    onTestFinished(() => void process.off('worker', notice))
    return threads
  }

  /** A reader whose time of rest is over when the test says so. */
  const openReader = () => {
    const threads = threadsThatBegin()
    const events = new EventEmitter<Events>()
    const reported: string[] = []
    events.on('trouble', ({ need, state }) => reported.push(`${need} ${state}`))
    const timers: { ring: () => void; ms: number; isOff: boolean }[] = []
    const setTimer: SetTimer = (ring, ms) => {
      const timer = { ring, ms, isOff: false }
      timers.push(timer)
      return () => {
        timer.isOff = true
      }
    }
    const ringing = () => timers.filter(({ isOff }) => !isOff)
    const reader = createLargeBodyReader([], createHealthIssues(events), setTimer)
    return { reader, reported, threads, timers, ringing, ring: () => ringing().at(-1)?.ring() }
  }

  test('the thread ends after five idle seconds, without a health issue, and begins again', async () => {
    const { reader, reported, threads, timers, ring } = openReader()
    await reader.read(chunks('{"a":1}'))
    expect(timers.map(({ ms }) => ms)).toEqual([5_000])
    const [first] = threads
    const ended = once(first as Worker, 'exit')
    ring()
    expect(await ended).toEqual([0])
    expect(await reader.read(chunks('{"a":2}'))).toMatchObject({ kind: 'json', value: { a: 2 } })
    expect(threads).toHaveLength(2)
    expect(reported).toEqual([])
    await reader.stop()
  })

  test('a thread that still has a body to read does not rest, and a body that comes calls its rest off', async () => {
    const { reader, threads, timers, ringing } = openReader()
    await Promise.all([reader.read(chunks('[1]')), reader.read(chunks('[2]'))])
    expect(timers).toHaveLength(1)
    const third = reader.read(chunks('[3]'))
    expect(ringing()).toEqual([])
    await third
    expect(ringing()).toHaveLength(1)
    expect(threads).toHaveLength(1)
    await reader.stop()
    expect(ringing()).toEqual([])
  })

  test('a body that comes while the thread ends is read by another', async () => {
    const { reader, reported, threads, ring } = openReader()
    await reader.read(chunks('[1]'))
    const ended = once(threads[0] as Worker, 'exit')
    ring()
    expect(await reader.read(chunks('[2]'))).toMatchObject({ kind: 'json', value: [2] })
    await ended
    // The end of the first is nothing to the second.
    expect(await reader.read(chunks('[3]'))).toMatchObject({ kind: 'json', value: [3] })
    expect(threads).toHaveLength(2)
    expect(reported).toEqual([])
    await reader.stop()
  })

  test('stopping waits for a thread that ends', async () => {
    const { reader, threads, ring } = openReader()
    await reader.read(chunks('[1]'))
    ring()
    await reader.stop()
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1])
  })

  test('a body that is being read when the reader stops is not kept', async () => {
    const { reader } = openReader()
    const body = reader.read(chunks('[1]'))
    await reader.stop()
    expect(await body).toEqual({ kind: 'not-kept', detail: 'The emulator was stopped' })
  })
})

describe('large body joined', () => {
  test('chunks of any size are concatenated in their order', () => {
    const chunks = ['{"a":', '', '[1,', '2]', '}'].map((text) => Buffer.from(text))
    expect(concatResizable(chunks, 12).toString('utf8')).toBe('{"a":[1,2]}\0')
    expect(concatResizable(chunks, 11).toString('utf8')).toBe('{"a":[1,2]}')
  })

  test('joined chunks are in memory that can be freed, and are transferred to the thread, not copied', async () => {
    const reader = createLargeBodyReader([])
    const whole = concatResizable([Buffer.from('[1,'), Buffer.from('2,')], 5)
    expect(whole.buffer).toMatchObject({ resizable: true })
    const body = await reader.read([whole, Buffer.from('3]')])
    expect(body).toMatchObject({ kind: 'json', value: [1, 2, 3] })
    expect(whole.byteLength).toBe(0)
    await reader.stop()
  })

  test('a large body arrives as it was sent, and nearly all of it joined', async () => {
    const sent = randomBytes(5 * 2 ** 20 + 7)
    const come: Uint8Array[] = []
    const server = createServer(async (request, response) => {
      await readBody(request, 8 * 2 ** 20, createBodyBudget(8 * 2 ** 20), async (chunks) => {
        come.push(...chunks)
        return { kind: 'none' }
      })
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: sent })).text()
    server.close()
    expect(Buffer.concat(come).equals(sent)).toBe(true)
    const wholes = come.filter(({ buffer }) => Reflect.get(buffer, 'resizable') === true)
    expect(wholes.length).toBeGreaterThanOrEqual(4)
    expect(wholes.every(({ byteLength }) => byteLength >= 2 ** 20)).toBe(true)
  })
})
