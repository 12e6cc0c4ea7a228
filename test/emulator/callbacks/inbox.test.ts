import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { apply } from '../../../src/emulator/core/account/apply.js'
import type { SettingsInput } from '../../../src/emulator/settings.js'
import { KEY, startOnPort } from '../../emulator.js'

/** An emulation and the address of its inbox. */
const startInbox = async (settings: SettingsInput = {}) => {
  const emulation = await startOnPort(settings)
  const url = `${emulation.url}/_backlot/inbox`
  const ask = async (name: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}/${name}`, init)
    // biome-ignore lint/suspicious/noExplicitAny: whatever the inbox answers
    return { status: response.status, body: (await response.json()) as any }
  }
  return {
    ...emulation,
    inbox: emulation.emulator.inbox,
    url,
    post: (name: string, body: string, key?: string) =>
      ask(name, { method: 'POST', body, headers: key === undefined ? {} : { authorization: key } }),
    show: (name: string, key?: string) =>
      ask(name, { headers: key === undefined ? {} : { authorization: key } }),
  }
}

test('passes the handshake and remembers the deliveries for the account of their task', async () => {
  const { url, inbox, ...emulation } = await startInbox()
  const id = await emulation.createF({ callback_url: `${url}/hook` })
  await emulation.emulator.clock.advanceUntilIdle(KEY)
  const { items } = inbox.list(KEY, 'hook')
  expect(items.map(({ deliveryId }) => deliveryId)).toEqual([`${id}-1`, `${id}-2`, `${id}-3`])
  expect(items[2]?.body).toMatchObject({ task: { id, status: 'succeeded' } })
})

test('opens no account for a key that the service refuses', async () => {
  const { post, inbox, emulator } = await startInbox({ account: [KEY] })
  for (const key of ['stranger', 'invalid', KEY]) await post('hook', '{}', key)
  expect(inbox.list(KEY, 'hook').items).toHaveLength(1)
  expect(inbox.list('default', 'hook').items).toHaveLength(2)
  expect(await emulator.store.keys()).not.toContain('stranger')
})

test('remembers the deliveries of B', async () => {
  const { url, inbox, ...emulation } = await startInbox()
  const id = await emulation.createB({ callback_url: `${url}/hook` })
  await emulation.emulator.callbacks.idle(KEY)
  expect(inbox.list(KEY, 'hook').items.map(({ body }) => body)).toMatchObject([{ id, status: 'queued' }])
})

test('shows when each came on the account clock, its delivery id, few headers and its body', async () => {
  const { url, show, ...emulation } = await startInbox()
  const id = await emulation.createB({ callback_url: `${url}/hook` })
  await emulation.emulator.callbacks.idle(KEY)
  expect((await show('hook', KEY)).body).toEqual({
    name: 'hook',
    items: [
      {
        receivedAt: '2026-01-01T00:00:00.000Z',
        deliveryId: `${id}-1`,
        headers: { 'content-type': 'application/json', 'x-backlot-delivery-id': `${id}-1` },
        body: expect.objectContaining({ id, status: 'queued' }),
      },
    ],
    evicted: 0,
  })
})

test('gives a challenge back and does not remember it', async () => {
  const { post, show } = await startInbox()
  expect(await post('hook', '{"challenge":"abc"}')).toEqual({ status: 200, body: { challenge: 'abc' } })
  expect((await show('hook')).body.items).toEqual([])
})

test('a message of no known task belongs to the default account', async () => {
  const { post, show } = await startInbox()
  await post('hook', '{"id":"nobody","status":"queued"}')
  expect((await show('hook')).body.items).toMatchObject([{ deliveryId: null, body: { id: 'nobody' } }])
})

test('a message about a task that was deleted belongs to its account while callbacks of it are to come', async () => {
  const { post, show, ...emulation } = await startInbox()
  // Nothing listens there, so that the callback is to be tried again.
  const id = await emulation.createB({ callback_url: 'http://127.0.0.1:1/hook' })
  await emulation.emulator.callbacks.idle(KEY)
  await emulation.emulator.store.transact(KEY, (account) => apply(account, [{ dropTask: id }]))
  await post('hook', JSON.stringify({ id, status: 'queued' }))
  expect((await show('hook', KEY)).body.items).toMatchObject([{ body: { id } }])
})

test('a message with a key belongs to the account of the key', async () => {
  const { post, show } = await startInbox()
  await post('hook', '{"hello":1}', 'Bearer some-key')
  expect((await show('hook', 'some-key')).body.items).toHaveLength(1)
  expect((await show('hook')).body.items).toEqual([])
})

test('boxes of other names are other boxes', async () => {
  const { post, show } = await startInbox()
  await post('one', '1')
  await post('two', '2')
  expect((await show('two')).body.items).toMatchObject([{ body: 2 }])
})

test('keeps so many messages of an account and says how many went', async () => {
  const { post, show } = await startInbox({ callbackLogEntries: 2 })
  for (const message of ['1', '2', '3']) await post('hook', message)
  const { items, evicted } = (await show('hook')).body
  expect(items.map(({ body }: { body: unknown }) => body)).toEqual([2, 3])
  expect(evicted).toBe(1)
})

test.each([
  ['what is no JSON', 'hello', 400],
  ['nothing', '', 400],
  ['more than 1 MiB', `"${'x'.repeat(2 ** 20)}"`, 413],
])('refuses %s', async (_, body, status) => {
  const { post } = await startInbox()
  expect(await post('hook', body)).toMatchObject({ status, body: { error: { code: 'bad-message' } } })
})

test('refuses a message that is larger than all of the inbox, and keeps the others', async () => {
  const { post, show, emulator } = await startInbox({ inboxBytes: 2_000 })
  expect((await post('hook', JSON.stringify('x'.repeat(998)))).status).toBe(200)
  expect(await post('hook', JSON.stringify('x'.repeat(999)))).toMatchObject({
    status: 413,
    body: {
      error: { code: 'bad-message', message: expect.stringContaining('at most 2000 (setting inboxBytes)') },
    },
  })
  expect((await show('hook')).body).toMatchObject({ items: [{ body: 'x'.repeat(998) }], evicted: 0 })
  expect(emulator.quotas.read().find(({ name }) => name === 'inbox-bytes')).toMatchObject({ refused: 1 })
})

test('refuses a message while others take all the memory, as a receiver that is tried again', async () => {
  const { url, post } = await startInbox()
  const { port } = new URL(url)
  const head = `POST /_backlot/inbox/hook HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${2 ** 20}\r\n\r\n`
  const refused = new Set<Socket>()
  for (let count = 0; count < 70; count += 1) {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(head + 'x'.repeat(2 ** 20 - 1)))
    socket.on('error', () => {}).on('data', () => refused.add(socket))
    onTestFinished(() => void socket.destroy())
  }
  // 64 MiB hold 68 of them. A message beside ones that are still coming could have a third one refused, and then there is room.
  await expect.poll(() => refused.size).toBe(2)
  const message = JSON.stringify('x'.repeat(2 ** 20 - 2))
  expect((await post('hook', message)).status).toBe(503)
  expect((await post('hook', '1')).status).toBe(200)
})

test('forgets an account', async () => {
  const { post, inbox } = await startInbox()
  await post('hook', '1')
  inbox.forget('default')
  expect(inbox.list('default', 'hook').items).toEqual([])
})
