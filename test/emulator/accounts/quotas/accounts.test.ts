import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startWithQuotas } from './start.js'

test('the idle account that was called longest ago goes, with everything that is its own', async () => {
  const started = await startWithQuotas({ maxAccounts: 2, timing: 'instant' })
  const { body } = await started.create()
  await started.as('bob').create()
  await started.as('carol').create()
  expect(await started.emulator.store.keys()).toEqual(['bob', 'carol'])
  expect(started.emulator.journals.journalOf('alice').list()).toEqual([])
  expect(started.hits).toEqual(['accounts 1'])
  expect((await started.query(body.id)).status).toBe(404)
})

test('an account that was called since stays', async () => {
  const started = await startWithQuotas({ maxAccounts: 2, timing: 'instant' })
  const { body } = await started.create()
  await started.as('bob').create()
  await started.query(body.id)
  await started.as('carol').create()
  expect(await started.emulator.store.keys()).toEqual(['alice', 'carol'])
})

test('an account with something in flight stays', async () => {
  const started = await startWithQuotas({ maxAccounts: 2 })
  await started.create()
  await started.as('bob').cancel((await started.as('bob').create()).body.id)
  await started.as('carol').create()
  expect(await started.emulator.store.keys()).toEqual(['alice', 'carol'])
})

test('an account of the settings stays, and so does the account of calls without a key', async () => {
  const started = await startWithQuotas({
    maxAccounts: 2,
    timing: 'instant',
    account: ['alice', 'bob', 'carol'],
  })
  await started.create()
  await started.as('bob').create()
  await started.as('carol').create()
  expect(await started.emulator.store.keys()).toEqual(['alice', 'bob', 'carol'])
})

test('when all accounts are busy, calls of a new account are refused in the format of their family', async () => {
  const started = await startWithQuotas({ maxAccounts: 2 })
  await started.create()
  await started.as('bob').create()
  const video = await started.as('carol').create()
  expect(video.status).toBe(429)
  expect(video.body.error.message).toContain('the setting maxAccounts is 2')
  const image = await started.as('carol').createImage()
  expect([image.status, Object.keys(image.body).sort()]).toEqual([429, ['code', 'message', 'request_id']])
  expect(await started.emulator.store.keys()).not.toContain('carol')
  expect((await started.create()).status).toBe(200)
  expect(await started.quota('accounts')).toMatchObject({ refused: 2 })
})

test('an account that the control API opened beyond the quota makes no room for a call', async () => {
  const started = await startWithQuotas({ maxAccounts: 2 })
  await started.create()
  await started.as('bob').create()
  await started.as('carol').ask('GET', '/_backlot/account')
  expect(await started.emulator.store.keys()).toEqual(['alice', 'bob', 'carol'])
  expect((await started.as('dave').create()).status).toBe(429)
  expect(await started.emulator.store.keys()).not.toContain('dave')
})

test.each([
  ['/provB/api/v3/contents/generations/tasks', 'application/json', '{}'],
  [
    '/v1/asset/upload',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na\r\n--x--\r\n',
  ],
])(
  'a call of a new account is refused where others fill up the room while its body comes: %s',
  async (path, type, body) => {
    const started = await startWithQuotas({ maxAccounts: 1 })
    // The server asks for the rest once it has begun to serve the call.
    const headers = { authorization: 'Bearer bob', expect: '100-continue', 'content-type': type }
    const call = request(new URL(path, started.url), { method: 'POST', headers })
    const answered = once(call, 'response')
    call.flushHeaders()
    await once(call, 'continue')
    await started.create()
    call.end(body)
    const [response] = await answered
    response.resume()
    expect(response.statusCode).toBe(429)
    expect(await started.emulator.store.keys()).not.toContain('bob')
    expect(await started.quota('accounts')).toMatchObject({ refused: 1 })
    expect(started.emulator.blobs.stats().pinnedBytes).toBe(0)
  },
)

test('a call whose account does not fit is told so, also where the account that records it has used its rate limit up', async () => {
  const started = await startWithQuotas({ maxAccounts: 2, requestsPerMinute: 1 })
  expect((await started.create()).status).toBe(200)
  expect((await started.as('default').create()).status).toBe(200)
  const { status, body } = await started.as('carol').create()
  expect(status).toBe(429)
  expect(body.error.message).toContain('the setting maxAccounts is 2')
})

test('a result can be downloaded with the key of an account that does not fit', async () => {
  const started = await startWithQuotas({ maxAccounts: 2 })
  const { body } = await started.createImage()
  await started.create()
  await started.as('bob').create()
  const headers = { authorization: 'Bearer carol' }
  expect((await fetch(body.output.choices[0].message.content[0].image, { headers })).status).toBe(200)
  expect(await started.quota('accounts')).toMatchObject({ refused: 0 })
})
