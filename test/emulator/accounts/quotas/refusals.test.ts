import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSemaphore } from '../../../../src/emulator/concurrency.js'
import { quotaSpecs } from '../../../../src/emulator/quotas.js'
import { settingsSchema } from '../../../../src/emulator/settings.js'
import { startReceiver } from '../../callbacks/receiver.js'
import { openFolder } from '../persistence/start.js'
import { startWithQuotas } from './start.js'

test('one wait too many is refused, and the others keep waiting', async () => {
  const started = await startWithQuotas({ waitsAtOnce: 1 })
  const wait = () => started.ask('GET', '/_backlot/wait?for=request&timeout=10s')
  const first = wait()
  await until(async () => (await started.quota('waits')).size === 1)
  const second = await wait()
  expect([second.status, second.body.error.code]).toEqual([429, 'too-many-waits'])
  expect(second.body.error.message).toContain('waitsAtOnce')
  const third = await fetch(`${started.url}/_backlot/wait?for=request`)
  expect([third.status, third.headers.get('Retry-After')]).toEqual([429, '1'])
  await started.create()
  expect((await first).status).toBe(200)
  expect((await wait()).status).toBe(200)
})

test('a wait whose client has gone makes room for another', async () => {
  const started = await startWithQuotas({ waitsAtOnce: 1 })
  const leaving = new AbortController()
  const url = `${started.url}/_backlot/wait?for=request&timeout=1h`
  const waiting = fetch(url, { signal: leaving.signal })
  await until(async () => (await started.quota('waits')).size === 1)
  leaving.abort()
  await expect(waiting).rejects.toThrow()
  await until(async () => (await started.quota('waits')).size === 0)
})

test('many waits at a time are no leak of listeners to Node', async () => {
  const started = await startWithQuotas({})
  const warned = vi.fn()
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const waits = Array.from({ length: 12 }, () => started.ask('GET', '/_backlot/wait?for=request&timeout=10s'))
  await until(async () => (await started.quota('waits')).size === 12)
  await started.create()
  await Promise.all(waits)
  expect(warned).not.toHaveBeenCalled()
})

test('one scenario too many is refused; a scenario of the same name replaces the other', async () => {
  const started = await startWithQuotas({ maxScenarios: 1 })
  const play = (name: string) => started.ask('PUT', '/_backlot/scenario', { name })
  expect((await play('busy-hour')).status).toBe(200)
  expect((await play('busy-hour')).status).toBe(200)
  const refused = await play('queue-full')
  expect([refused.status, refused.body.error.code]).toEqual([429, 'too-many-scenarios'])
  expect(await started.quota('scenarios')).toMatchObject({ size: 1, refused: 1 })
})

test('one asset too many of all accounts is refused as the library refuses', async () => {
  const started = await startWithQuotas({ assetsInAll: 1 })
  const upload = (key: string) => {
    const form = new FormData()
    form.set('file', new Blob([wav()]), 'silence.wav')
    return fetch(`${started.url}/v1/asset/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
  }
  expect((await upload('alice')).status).toBe(200)
  const refused = await upload('bob')
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ code: 429, msg: expect.stringContaining('assetsInAll is 1') })
  expect(await started.quota('assets-in-all')).toMatchObject({ size: 1, refused: 1 })
})

test('an upload that does not fit beside the assets is refused as at the other bounds', async () => {
  const started = await startWithQuotas({ inputBytes: wav().length + 1 })
  const upload = (...more: Buffer[]) => {
    const form = new FormData()
    form.set('file', new Blob([wav(), ...more]), 'silence.wav')
    const headers = { authorization: 'Bearer alice' }
    return fetch(`${started.url}/v1/asset/upload`, { method: 'POST', headers, body: form })
  }
  expect((await upload()).status).toBe(200)
  const refused = await upload(Buffer.from('a'))
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1'])
  expect(await refused.json()).toMatchObject({ code: 429, msg: expect.stringContaining('inputBytes') })
  expect(await started.quota('inputs')).toMatchObject({ refused: 1 })
})

test('one connection too many is told the setting and closed, and a later one is accepted', async () => {
  const started = await startWithQuotas({ maxConnections: 1 })
  const { hostname, port } = new URL(started.url)
  const held = connect(Number(port), hostname)
  onTestFinished(() => void held.destroy())
  await new Promise((resolve) => held.once('connect', resolve))
  const surplus = connect(Number(port), hostname)
  const answer = await text(surplus)
  expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 503 Service Unavailable')
  expect(answer).toContain('There are 1 connections already, and the setting maxConnections is 1.')
  expect(reading(started, 'connections')).toMatchObject({ size: 1, refused: 1 })
  held.destroy()
  await until(async () => reading(started, 'connections')?.size === 0)
  expect((await started.query('none')).status).toBe(404)
})

test('a body that is too large counts as one that had no room', async () => {
  const started = await startWithQuotas({ videoBodyBytes: 100 })
  expect((await started.create({ seed: 1, padding: 'x'.repeat(200) })).status).toBe(413)
  expect(await started.quota('request-bodies')).toMatchObject({ size: null, refused: 1 })
})

test('a body of the control API that is too large is told its bytes, and a state its setting', async () => {
  const started = await startWithQuotas({ stateBodyBytes: 500 })
  const state = await started.ask('PUT', '/_backlot/state?all', { padding: 'x'.repeat(500) })
  expect([state.status, state.body.error]).toEqual([
    413,
    {
      code: 'bad-body',
      message: 'The request body is larger than the 500 bytes that it may have.',
      hint: 'Raise the setting stateBodyBytes.',
    },
  ])
  expect(await started.quota('state-bodies')).toMatchObject({ most: 500, size: null, hits: 1, refused: 1 })
  const padding = 'x'.repeat(4 * 2 ** 20)
  const { status, body } = await started.ask('PUT', '/_backlot/scenario', { padding })
  expect([status, body.error.message]).toEqual([413, expect.stringContaining('the 4194304 bytes')])
  expect(await started.quota('state-bodies')).toMatchObject({ refused: 1 })
})

test('a file that is too large counts as one of an upload', async () => {
  const started = await startWithQuotas({ assetImageBytes: 100, assetVideoBytes: 100, assetAudioBytes: 100 })
  const form = new FormData()
  form.set('file', new Blob([wav()]), 'silence.wav')
  const headers = { authorization: 'Bearer alice' }
  const { status } = await fetch(`${started.url}/v1/asset/upload`, { method: 'POST', headers, body: form })
  expect(status).toBe(400)
  expect(await started.quota('asset-files')).toMatchObject({ refused: 1 })
  expect(await started.quota('request-bodies')).toMatchObject({ refused: 0 })
})

test('a line that is full turns away, and takes again when it is not', async () => {
  const queue = createSemaphore(1, { maxWaiting: 1, whenFull: () => new Error('full') })
  const { signal } = new AbortController()
  const ends: (() => void)[] = []
  const job = () => new Promise<void>((resolve) => ends.push(resolve))
  const first = queue.run(job, signal)
  const second = queue.run(job, signal)
  await expect(queue.run(job, signal)).rejects.toThrow('full')
  ends[0]?.()
  await first
  const third = queue.run(job, signal)
  await until(async () => ends.length === 2)
  ends[1]?.()
  await second
  await until(async () => ends.length === 3)
  ends[2]?.()
  await third
})

test('every bound says what is counted, how much there may be, and what happens', async () => {
  const started = await startWithQuotas({})
  for (const { of, most, atBound, settings } of (await started.ask('GET', '/_backlot/health?full')).body
    .bounds) {
    expect(of).not.toBe('')
    expect(most).toBeGreaterThan(0)
    expect(atBound).not.toBe('')
    for (const setting of settings) expect(settingsSchema.shape).toHaveProperty(setting)
  }
})

test('every bound that keeps something knows how much', async () => {
  const started = await startWithQuotas({})
  const { body } = await started.ask('GET', '/_backlot/health?full')
  const sizeless = body.bounds.filter(({ size }: { size: unknown }) => size === null)
  const ofCalls = Object.entries(quotaSpecs).filter(([, { per }]) => per === 'call')
  expect(sizeless.map(({ name }: { name: string }) => name)).toEqual(ofCalls.map(([name]) => name))
})

test('the peak of what is soon over is that of the moment of the most, whenever it is read', async () => {
  // What was rendered before would be sent without a render.
  const mediaFolder = await openFolder()
  const started = await startWithQuotas({ callbacksAtOnce: 1, rendersAtOnce: 1, mediaFolder })
  const { url } = await startReceiver()
  for (let task = 0; task < 3; task += 1) await started.create({ callback_url: url })
  await started.emulator.callbacks.idle('alice')
  const drawn = await started.createImage()
  const image = drawn.body.output.choices[0].message.content[0].image
  expect((await fetch(image)).status).toBe(200)
  await started.create({ padding: 'x'.repeat(100_000) })
  expect(reading(started, 'callbacks')).toMatchObject({ size: 0, peak: 1 })
  expect(reading(started, 'renders')).toMatchObject({ size: 0, peak: 1 })
  expect(reading(started, 'bodies')?.peak).toBeGreaterThan(30_000)
  expect(reading(started, 'connections')?.peak).toBeGreaterThan(0)
})

test('plain health says no more than it did', async () => {
  const started = await startWithQuotas({})
  const { body } = await started.ask('GET', '/_backlot/health')
  expect(Object.keys(body)).toEqual(['status', 'version', 'uptime_ms', 'pid', 'instance'])
})

const reading = ({ emulator }: Awaited<ReturnType<typeof startWithQuotas>>, name: string) =>
  emulator.quotas.read().find((bound) => bound.name === name)

/** Looks again at every turn of the event loop. */
const until = async (isThere: () => Promise<boolean>): Promise<void> => {
  while (!(await isThere())) await new Promise((resolve) => setImmediate(resolve))
}

/** Three seconds of silence. */
const wav = (): Uint8Array<ArrayBuffer> => {
  const [rate, samples] = [8_000, 24_000]
  const bytes = new DataView(new ArrayBuffer(44 + samples))
  const text = (at: number, what: string) => {
    for (const [index, letter] of [...what].entries()) bytes.setUint8(at + index, letter.charCodeAt(0))
  }
  text(0, 'RIFF')
  bytes.setUint32(4, 36 + samples, true)
  text(8, 'WAVEfmt ')
  bytes.setUint32(16, 16, true)
  bytes.setUint16(20, 1, true)
  bytes.setUint16(22, 1, true)
  bytes.setUint32(24, rate, true)
  bytes.setUint32(28, rate, true)
  bytes.setUint16(32, 1, true)
  bytes.setUint16(34, 8, true)
  text(36, 'data')
  bytes.setUint32(40, samples, true)
  return new Uint8Array(bytes.buffer).fill(128, 44)
}
