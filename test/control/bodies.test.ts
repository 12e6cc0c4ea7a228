import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEmulator, startEmulator } from '../../src/index.js'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused' })
})
afterAll(() => emulator.stop())

const send = async (method: string, path: string, body: string | Uint8Array<ArrayBuffer>, headers = {}) => {
  const response = await fetch(`${emulator.url}/_backlot${path}`, { method, body, headers })
  return {
    status: response.status,
    body: (await response.json()) as { error: { code: string; message: string } },
  }
}

test('compressed bodies are refused, not unpacked', async () => {
  const packed = new Uint8Array(gzipSync(JSON.stringify({ mode: 'live' })))
  const { status, body } = await send('PUT', '/clock', packed, { 'content-encoding': 'gzip' })
  expect([status, body.error.code]).toEqual([415, 'bad-body'])
})

test('200,000 nested lists are refused before they are parsed', async () => {
  const nested = `{"by":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  const { status, body } = await send('POST', '/clock/advance', nested)
  expect([status, body.error.code]).toEqual([400, 'bad-body'])
})

test('brackets in texts are no depth', async () => {
  const { status } = await send('POST', '/clock/advance', JSON.stringify({ to: `next"\\${'['.repeat(500)}` }))
  expect(status).toBe(400)
  expect((await send('POST', '/clock/advance', '{"to":"next"}')).status).toBe(200)
})

test('of a thousand mistakes, twenty are told', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index]))
  const { body } = await send('PATCH', '/account', JSON.stringify(wrong))
  expect(body.error.message.match(/there is no key/g)).toHaveLength(20)
})

test('of a state with 100,000 wrong accounts, twenty mistakes are told', async () => {
  const state = { backlot: 'state', version: 1, seed: 1, scenarios: {}, media: null }
  const accounts = Array.from({ length: 100_000 }, () => ({}))
  const { status, body } = await send('PUT', '/state?all', JSON.stringify({ ...state, accounts }))
  expect([status, body.error.code]).toEqual([400, 'bad-state'])
  expect(body.error.message.match(/accounts\[\d+\]\.\w+ is required/g)).toHaveLength(20)
  const own = { key: 'a', account: {}, assets: [], correspondences: [], callbacks: [] }
  const tasks = Array.from({ length: 100_000 }, () => 1)
  const other = await send('PUT', '/state?all', JSON.stringify({ ...state, accounts: [{ ...own, tasks }] }))
  expect(other.body.error.message.match(/accounts\[0\]\.tasks\[\d+\] must be/g)).toHaveLength(20)
})

test('a state of 20,000 wrong names or media is refused in a sentence', async () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 1]))
  const state = { backlot: 'state', version: 1, seed: 1, scenarios: {}, media: null, accounts: [] }
  for (const wrong of [many, { media: many }, { scenarios: many }]) {
    const { status, body } = await send('PUT', '/state?all', JSON.stringify({ ...state, ...wrong }))
    expect([status, body.error.code]).toEqual([400, 'bad-state'])
    expect(body.error.message.length).toBeLessThan(2_000)
  }
})
