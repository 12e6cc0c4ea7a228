import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startOnPort } from '../../emulator.js'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A receiver that answers each message as it is told to. */
const startReceiver = async (answer: (text: string, count: number) => { status: number; body?: string }) => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, text })
      const { status, body = '' } = answer(text, received.length)
      response.writeHead(status).end(body)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

test('messages are signed with a secret that is shown nowhere, and the inbox checks them', async () => {
  const signature = {
    header: 'X-Signature',
    timestamp: 'X-Timestamp',
    secret: 'hush-hush',
    prefix: 'sha256=',
  }
  const emulator = await startOnPort({ profile: [{ callbacks: { 'f-video-v2': { signature } } }] })
  const { url, received } = await startReceiver((text) => ({ status: 200, body: text }))
  await emulator.createF({ callback_url: url })
  await emulator.clock.advance('1h')
  expect(received).toHaveLength(4)
  for (const { headers, text } of received) {
    const signed = `${headers['x-timestamp']}.${text}`
    const expected = `sha256=${createHmac('sha256', 'hush-hush').update(signed).digest('hex')}`
    expect(headers['x-signature']).toBe(expected)
    expect(Math.abs(Number(headers['x-timestamp']) - Date.now() / 1_000)).toBeLessThan(120)
  }
  const inbox = emulator.inbox('hook')
  const created = await emulator.post('/provC/v2/video_generation', {
    model: 'gamma-H3',
    content: [{ type: 'text', text: 'a lighthouse' }],
    duration: 5,
    callback_url: inbox.url,
  })
  await emulator.clock.advance('1h')
  const messages = await inbox.waitFor({ count: 3 })
  expect(messages.map((message) => message.signature)).toEqual(['valid', 'valid', 'valid'])
  const explanation = await emulator.requests.explain(created.requestId)
  expect(explanation).toContain(
    'Callbacks of the task are signed in the header X-Signature. Of 3 that the inbox has received, 3 are signed right.',
  )
  await emulator.post('/_backlot/inbox/hook', messages[0]?.body, { 'X-Signature': 'sha256=00' })
  await emulator.post('/_backlot/inbox/hook', messages[0]?.body)
  expect((await inbox.list()).slice(3).map((message) => message.signature)).toEqual(['wrong', 'missing'])
  const profile = await emulator.get('/_backlot/profile')
  expect(profile.text).not.toContain('hush-hush')
  expect(profile.text).toContain('(set)')
  expect((await emulator.get('/_backlot/requests?format=replay')).text).not.toContain('hush-hush')
})

test('another text is signed in Base64', async () => {
  const signature = { header: 'X-Sign', secret: 'hush', signs: '{id}:{body}', encoding: 'base64' as const }
  const emulator = await startOnPort({ profile: [{ callbacks: { 'b-video-task': { signature } } }] })
  const { url, received } = await startReceiver(() => ({ status: 204 }))
  await emulator.createB({ callback_url: url })
  await emulator.clock.advance({ to: 'next' })
  const [{ headers, text } = { headers: {}, text: '' }] = received
  const signed = `${headers['x-backlot-delivery-id']}:${text}`
  expect(headers['x-sign']).toBe(createHmac('sha256', 'hush').update(signed).digest('base64'))
  expect(headers['x-timestamp']).toBeUndefined()
})

test('the challenge of a required handshake is signed too, under the delivery id that the log has', async () => {
  const signature = {
    header: 'X-Sign',
    timestamp: 'X-Time',
    secret: 'hush',
    signs: '{timestamp}.{id}.{body}',
  }
  const emulator = await startOnPort({
    profile: [{ callbacks: { 'b-video-task': { handshake: 'required', signature } } }],
  })
  const { url, received } = await startReceiver((text) => ({ status: 200, body: text }))
  const taskId = await emulator.createB({ callback_url: url })
  const [{ headers, text } = { headers: {}, text: '' }] = received
  const id = headers['x-backlot-delivery-id']
  const signed = `${headers['x-time']}.${id}.${text}`
  expect(headers['x-sign']).toBe(createHmac('sha256', 'hush').update(signed).digest('hex'))
  const log = await emulator.callbacks.list({ taskId })
  expect(log.find(({ kind }) => kind === 'challenge')?.id).toBe(id)
})

test('the handshake is switched off, or on where the family has none', async () => {
  const emulator = await startOnPort({
    profile: [{ callbacks: { 'f-video-v2': { handshake: 'off' }, 'b-video-task': { handshake: 'on' } } }],
  })
  const { url, received } = await startReceiver((text) => ({ status: 200, body: text }))
  await emulator.createF({ callback_url: url })
  await emulator.clock.advance('1h')
  expect(received.map(({ text }) => JSON.parse(text).task.status)).toEqual(['queued', 'running', 'succeeded'])
  await emulator.createB({ callback_url: url })
  await emulator.clock.advance('1h')
  expect(received.slice(3).map(({ text }) => Object.keys(JSON.parse(text))[0])).toEqual([
    'challenge',
    'id',
    'id',
    'id',
  ])
})

test('a required handshake refuses the create, unless something else does before it', async () => {
  const emulator = await startOnPort({
    profile: [{ callbacks: { 'f-video-v2': { handshake: 'required' } } }],
  })
  const deaf = await startReceiver(() => ({ status: 200, body: 'no' }))
  const body = (url: string, duration = 5) => ({
    model: 'gamma-H3',
    content: [{ type: 'text', text: 'a lighthouse' }],
    duration,
    callback_url: url,
  })
  const path = '/provC/v2/video_generation'
  const refused = await emulator.post(path, body(deaf.url))
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toMatch(
    /callback_url did not pass the challenge: .* did not return the challenge/,
  )
  expect((await emulator.requests.get(refused.requestId)).refusedBy).toMatchObject([
    { rule: 'f-video-v2.callback-verified', field: 'callback_url' },
  ])
  expect(await emulator.tasks.list()).toEqual([])
  expect(deaf.received).toHaveLength(1)
  await emulator.post(path, body(deaf.url, 99))
  expect(deaf.received).toHaveLength(1)

  const fine = await startReceiver((text) => ({ status: 200, body: text }))
  const accepted = await emulator.post(path, body(fine.url))
  expect(accepted.status).toBe(200)
  await emulator.clock.advance('1h')
  expect(fine.received.map(({ text }) => Object.keys(JSON.parse(text))[0])).toEqual([
    'challenge',
    'task',
    'task',
    'task',
  ])
  const log = await emulator.callbacks.list({ taskId: accepted.body.task_id })
  expect(log.map(({ kind, state }) => `${kind} ${state}`).reverse()).toEqual([
    'challenge delivered',
    'delivery delivered',
    'delivery delivered',
    'delivery delivered',
  ])
})

test('retries are as many as there are pauses', async () => {
  const emulator = await startOnPort({
    profile: [{ callbacks: { 'b-video-task': { retries: ['10s'], timeout: '1s' } } }],
  })
  const { url } = await startReceiver(() => ({ status: 500 }))
  const id = await emulator.createB({ callback_url: url })
  await emulator.clock.advance('30s')
  const first = (await emulator.callbacks.list({ taskId: id })).at(-1)
  expect(first).toMatchObject({ state: 'failed', reason: expect.stringMatching(/It was tried 2 times/) })
  const [one, two] = first?.attempts ?? []
  expect(Date.parse(two?.at ?? '') - Date.parse(one?.at ?? '')).toBe(10_000)
})

test('a receiver has as long as the profile says', async () => {
  const emulator = await startOnPort({
    profile: [{ callbacks: { 'b-video-task': { retries: [], timeout: 20 } } }],
  })
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const id = await emulator.createB({ callback_url: url })
  const [failed] = await emulator.callbacks.waitFor({ taskId: id, state: 'failed' })
  expect(failed?.attempts[0]).toMatchObject({
    outcome: 'timeout',
    error: 'No whole answer came within 0.02 s.',
  })
})
