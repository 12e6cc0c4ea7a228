import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SeededRandom } from '../../../../src/emulator/core/account/random.js'
import { outgoingOf } from '../../../../src/emulator/core/scenario/effects/answer.js'
import type { OutgoingReply } from '../../../../src/emulator/core/scenario/effects/effect.js'
import { applyEffectsOf, type StepEffects } from '../../../../src/emulator/core/scenario/effects/index.js'
import { completeDelivery } from '../../../../src/emulator/core/scenario/effects/transport.js'
import { createDelays, isCutOff, transmit } from '../../../../src/emulator/service/effects/transmit.js'
import { serve } from './serve.js'

const answer = outgoingOf({ status: 200, body: { id: 'task-1' } }, 'request-1')
const TEXT = '{"id":"task-1"}'
const random = new SeededRandom(1, 'test-key', 1)

const serving = (transport: NonNullable<StepEffects['transport']>, outgoing: OutgoingReply = answer) => {
  const delivery = applyEffectsOf('transport', { transport }, completeDelivery, random)
  return serve((response, delays) => transmit(outgoing, response, delivery, delays))
}

const bodyOf = (text: string) => text.split('\r\n\r\n').slice(1).join('\r\n\r\n')

test('a delay is waited for, and then the answer comes whole', async () => {
  const { url, waited } = await serving({ delay: 35_000 })
  const response = await fetch(url)
  expect(await response.json()).toEqual({ id: 'task-1' })
  expect(response.headers.get('x-request-id')).toBe('request-1')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(waited).toEqual([35_000])
})

test('a delay from a range is drawn', async () => {
  const { url, waited } = await serving({ delay: { from: 1_000, to: 2_000 } })
  await fetch(url)
  expect(waited[0]).toBeGreaterThanOrEqual(1_000)
  expect(waited[0]).toBeLessThan(2_000)
})

test('a reset ends the connection without an answer', async () => {
  const { rawGet } = await serving({ reset: true })
  expect(await rawGet()).toEqual({ text: '', error: 'ECONNRESET' })
})

test.each([
  ['nothing of the body', 0, ''],
  ['a part of it', 5, TEXT.slice(0, 5)],
  ['all of it', 500, TEXT],
])('a connection that is closed after %s', async (_, closeAfterBytes, body) => {
  const { rawGet } = await serving({ closeAfterBytes })
  const { text, error } = await rawGet()
  expect(text).toContain(`Content-Length: ${TEXT.length}`)
  expect(bodyOf(text)).toBe(body)
  expect(error).toBeUndefined()
})

test('a client of a connection that is closed in the middle learns that something is missing', async () => {
  const { url } = await serving({ closeAfterBytes: 5 })
  const response = await fetch(url)
  await expect(response.text()).rejects.toThrow('terminated')
})

test.each([
  ['5 bytes a second: a byte at a time', 5, 15, 200],
  ['11 bytes a second: two at a time', 11, 8, 2_000 / 11],
  ['50 bytes a second: ten times a second', 50, 3, 100],
])('a trickle of %s', async (_, bytesPerSecond, beats, ms) => {
  const { url, waited } = await serving({ bytesPerSecond })
  expect(await (await fetch(url)).text()).toBe(TEXT)
  expect(waited).toEqual(Array(beats).fill(ms))
})

test('a trickle of many beats is no leak of listeners to Node', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const { url } = await serving({ bytesPerSecond: 5 })
  await (await fetch(url)).text()
  expect(warned).not.toHaveBeenCalled()
})

test.each([
  ['less than the body', 14, 'GET', true],
  ['the body', 15, 'GET', false],
  ['less than the body that a HEAD does not have', 14, 'HEAD', false],
])('a connection that ends after %s: %i bytes of the answer to a %s', (_, bytes, method, isCut) =>
  expect(isCutOff({ delayMs: 0, end: 'cut', bytes }, answer, { method })).toBe(isCut),
)

test('a hang ends when the client goes, and leaves nothing behind', async () => {
  const { url, delays, came } = await serving({ hang: true })
  const patience = new AbortController()
  const call = fetch(url, { signal: patience.signal })
  await came(1)
  expect(delays.count).toBe(1)
  patience.abort()
  await expect(call).rejects.toThrow()
  await expect.poll(() => delays.count).toBe(0)
})

test('a hang ends when the emulator stops', async () => {
  const { url, delays, came } = await serving({ hang: true })
  const call = fetch(url)
  await came(1)
  delays.stop()
  await expect(call).rejects.toThrow()
  expect(delays.count).toBe(0)
})

test('once it is stopped nothing waits any more', async () => {
  const { url, delays, waited } = await serving({ delay: 1_000 })
  delays.stop()
  await expect(fetch(url)).rejects.toThrow()
  expect(waited).toEqual([])
})

test('a delay that is longer than a timer of Node is as long as one', async () => {
  const setTimer = vi.fn(() => () => {})
  const delays = createDelays(setTimer)
  const isOver = delays.wait(2 ** 32, new ServerResponse(new IncomingMessage(new Socket())))
  expect(setTimer).toHaveBeenCalledExactlyOnceWith(expect.any(Function), 2 ** 31 - 1)
  delays.stop()
  expect(await isOver).toBe(false)
})

test('a delay that ends early leaves no timer', async () => {
  const clear = vi.fn()
  const delays = createDelays(() => clear)
  const isOver = delays.wait(1_000, new ServerResponse(new IncomingMessage(new Socket())))
  delays.stop()
  expect(await isOver).toBe(false)
  expect(clear).toHaveBeenCalledOnce()
})

test('HEAD is answered without a body', async () => {
  const { url, waited } = await serving({ bytesPerSecond: 5 })
  const response = await fetch(url, { method: 'HEAD' })
  expect(response.headers.get('content-length')).toBe(String(TEXT.length))
  expect(waited).toEqual([])
})

test.each([
  ['more', 10],
  ['fewer', -10],
])('where the length says %s bytes than there are, the connection ends with the answer', async (_, by) => {
  const { rawGet } = await serving({}, { ...answer, declaredBytes: TEXT.length + by })
  const { text } = await rawGet()
  expect(text).toContain(`Content-Length: ${TEXT.length + by}`)
  expect(text).toContain('Connection: close')
  expect(bodyOf(text)).toBe(TEXT)
})
