import { ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEmulator } from '../../../src/start-emulator.js'

const start = (transport: object) =>
  startEmulator({
    scenario: {
      name: 'broken',
      description: 'The connection breaks.',
      steps: [{ when: { operation: 'c-video.read' }, then: { transport } }],
    },
  })

/** The calls of the default account as `GET /_backlot/requests` lists them, and the first one in detail. */
const readListed = async (url: string) => {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the control API answers
  const get = async (path: string): Promise<any> => (await fetch(`${url}/_backlot/requests${path}`)).json()
  const { items } = await get('')
  return {
    items,
    detail: await get(`/${items[0].id}`),
    ofStatus: (status: number) => get(`?status=${status}`),
  }
}

const read = (url: string, signal = new AbortController().signal) =>
  fetch(`${url}/v1/videos/none`, { headers: { authorization: 'Bearer default' }, signal })

test('a call whose connection a scenario resets is explained and listed as that', async () => {
  await using emulator = await start({ reset: true })
  await expect(read(emulator.url)).rejects.toThrow()
  const [call] = await emulator.requests.list()
  expect((await emulator.requests.explain(call?.id ?? ''))[0]).toBe(
    'The call is c-video.read and got no answer: its connection was reset.',
  )
  expect((await emulator.timeline())[0]?.says).toContain('GET /v1/videos/none → connection reset')
})

test('a call that hangs because of a scenario is explained and listed as that', async () => {
  await using emulator = await start({ hang: true })
  const leaving = new AbortController()
  const hanging = read(emulator.url, leaving.signal)
  const [call] = await emulator.requests.waitFor({})
  expect((await emulator.requests.explain(call?.id ?? ''))[0]).toBe(
    'The call is c-video.read and got no answer: its connection stayed silent.',
  )
  expect((await emulator.timeline())[0]?.says).toContain('GET /v1/videos/none → no answer')
  leaving.abort()
  await expect(hanging).rejects.toThrow()
})

test.each([
  ['reset', { reset: true }],
  ['cut-off', { closeAfterBytes: 5 }],
])('the list and the detail of a call have the connection %s beside its status', async (connection, then) => {
  await using emulator = await start(then)
  await expect(read(emulator.url).then((response) => response.text())).rejects.toThrow()
  const { items, detail, ofStatus } = await readListed(emulator.url)
  expect(items).toMatchObject([{ status: 404, connection }])
  expect(detail).toMatchObject({ status: 404, connection })
  expect((await ofStatus(404)).items).toEqual(items)
})

test('the list and the detail of a call that hangs have the connection no-answer', async () => {
  await using emulator = await start({ hang: true })
  const leaving = new AbortController()
  const hanging = read(emulator.url, leaving.signal)
  await emulator.requests.waitFor({})
  const { items, detail } = await readListed(emulator.url)
  expect(items).toMatchObject([{ status: 404, connection: 'no-answer' }])
  expect(detail).toMatchObject({ status: 404, connection: 'no-answer' })
  leaving.abort()
  await expect(hanging).rejects.toThrow()
})

test.each([
  ['a body that ends before the cut', 'GET', 5_000],
  ['an answer without a body', 'HEAD', 5],
])('%s comes whole, as the last answer of its connection', async (_, method, closeAfterBytes) => {
  await using emulator = await start({ closeAfterBytes })
  const headers = { authorization: 'Bearer default' }
  const response = await fetch(`${emulator.url}/v1/videos/none`, { method, headers })
  await response.text()
  expect(response.headers.get('connection')).toBe('close')
  const { items } = await readListed(emulator.url)
  expect(items).toEqual([expect.not.objectContaining({ connection: expect.anything() })])
})

test('a call that was answered whole has no connection outcome', async () => {
  await using emulator = await start({ bytesPerSecond: 1_000_000 })
  await (await read(emulator.url)).text()
  const { items, detail } = await readListed(emulator.url)
  expect(items).toEqual([expect.not.objectContaining({ connection: expect.anything() })])
  expect(detail).not.toHaveProperty('connection')
})

test('an answer that cannot be sent is a 500 without its headers, and later calls are answered', async () => {
  const answer = { status: 500, headers: { 'X-Mine': 'x' } }
  await using emulator = await startEmulator({
    scenario: { name: 'own', description: 'A header.', steps: [{ then: { answer } }] },
  })
  const bugs = vi.spyOn(console, 'error').mockImplementation(() => {})
  const writeHead = vi.spyOn(ServerResponse.prototype, 'writeHead').mockImplementationOnce(() => {
    throw new Error('no such head')
  })
  onTestFinished(() => {
    bugs.mockRestore()
    writeHead.mockRestore()
  })
  const { status, headers } = await read(emulator.url)
  expect([status, headers.get('x-mine')]).toEqual([500, null])
  expect(bugs).toHaveBeenCalledOnce()
  expect((await read(emulator.url)).headers.get('x-mine')).toBe('x')
})
