import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { leaksIn, secrets, sendSecrets } from './doors.js'
import { startForRawCalls } from './raw-calls.js'

const openDoors = async () => {
  const started = await startForRawCalls({
    controlToken: secrets.controlToken,
    callbackHosts: ['media.test'],
  })
  const answers = await sendSecrets(started.port)
  const read = (path: string, key: string = secrets.key) =>
    started.ask(`/_backlot${path}`, {
      headers: { authorization: `Bearer ${key}`, 'x-backlot-token': secrets.controlToken },
    })
  return { ...started, answers, read }
}

const readers = [
  '/requests?limit=1000',
  '/timeline',
  '/callbacks',
  '/tasks',
  '/account',
  '/clock',
  '/scenario',
  '/gaps',
  '/health',
  '/health?full',
  '/metrics',
  '/requests?format=replay',
  '/requests?format=replay&all',
]

test('every door was found open: calls were accepted, and refused by every family', async () => {
  const { answers } = await openDoors()
  const statuses = new Set(answers.map(({ status }) => status))
  for (const status of [200, 400, 401, 404]) expect(statuses).toContain(status)
})

test('no answer of the service repeats a secret or Base64', async () => {
  const { answers } = await openDoors()
  for (const { status, text } of answers) expect([status, leaksIn(text)], text).toEqual([status, []])
})

test.each(readers)('nothing of it is read at %s', async (path) => {
  const { read, emulator } = await openDoors()
  await emulator.clock.advanceUntilIdle(secrets.key)
  await emulator.callbacks.idle(secrets.key)
  for (const key of [secrets.key, secrets.jwt, 'default']) {
    const { status, text } = await read(path, key)
    expect(status).toBe(200)
    expect(leaksIn(text), text.slice(0, 20_000)).toEqual([])
  }
})

test('nothing of it stands in the explanation of any call', async () => {
  const { read } = await openDoors()
  const { items } = (await read('/requests?limit=1000')).body
  expect(items.length).toBeGreaterThan(30)
  for (const { id } of items) {
    const { text } = await read(`/requests/${id}`)
    expect(leaksIn(text), text).toEqual([])
  }
})

test('the control API does not repeat it in errors', async () => {
  const { port, read, ask } = await openDoors()
  const host = { host: `127.0.0.1:${port}` }
  const wrong = await ask('/_backlot/clock', {
    headers: { ...host, 'x-backlot-token': secrets.apiKeyHeader },
  })
  expect([wrong.status, leaksIn(wrong.text)]).toEqual([401, []])
  for (const path of ['/requests?status=x', '/nowhere', '/tasks/none', '/callbacks/none', '/wait?for=task'])
    expect([path, leaksIn((await read(path)).text)]).toEqual([path, []])
})

test('no event for listeners has a secret: bugs, quotas, refused requests, health issues', async () => {
  const started = await startForRawCalls()
  const reported: string[] = []
  for (const name of ['quota', 'bug', 'refused', 'trouble'] as const)
    started.emulator.events.on(name, (event: unknown) => reported.push(inspect(event, { depth: 10 })))
  await sendSecrets(started.port)
  expect(leaksIn(reported.join('\n')), reported.join('\n')).toEqual([])
  expect(started.bugs).toEqual([])
})

test('text that is no secret is not removed', async () => {
  const { read } = await openDoors()
  const { text } = await read('/requests?limit=1000')
  expect(text).toContain('https://(left out)@media.test/cat.png?X-Amz-Signature=(left out)')
  expect(text).toContain('filter.task_ids=(key)&access_token=(left out)')
  expect(text).toMatch(/data:image\/png;base64,… \(\d+ characters\)/)
})

test('a key that is a word of the interface, or a short one, takes no words out of refusals', async () => {
  const started = await startForRawCalls()
  const refusalFor = async (key: string) => {
    const response = await fetch(`http://127.0.0.1:${started.port}/v1/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'videoa-2-0-260128' }),
    })
    return (await response.json()) as { code: string; message: string; error: { type: string } }
  }
  const { code, error, message } = await refusalFor('another-key')
  expect(await refusalFor(code)).toMatchObject({ code, error })
  expect((await refusalFor('media')).message).toBe(message)
  expect(message).toContain('media')
})
