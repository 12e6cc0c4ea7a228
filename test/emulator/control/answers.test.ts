import { expect, onTestFinished, test, vi } from 'vitest'
import type { AnyAction } from '../../../src/emulator/control/action.js'
import { actions } from '../../../src/emulator/control/actions/index.js'
import { startOnPort } from '../../emulator.js'
import { readEvents } from './event-reader.js'

const openControl = async () => {
  const { url, as } = await startOnPort()
  const ask = (method: string, path: string, key = 'one') => as(key).ask(method, `/_backlot${path}`)
  return { url, ask }
}

test('an answer has an id of its own, and no header that names the server or has a client keep it', async () => {
  const { url, ask } = await openControl()
  const [first, second] = [await ask('GET', '/clock'), await ask('GET', '/nothing')]
  const ids = [first, second].map(({ headers }) => headers.get('x-request-id'))
  expect(new Set(ids)).not.toContain(null)
  expect(new Set(ids).size).toBe(2)
  for (const { headers } of [first, second]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect([headers.get('x-powered-by'), headers.get('etag')]).toEqual([null, null])
  }
  const { response, close } = await readEvents(`${url}/_backlot/events`)
  onTestFinished(close)
  // A proxy that collects answers would hold a stream back.
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
})

test('a reset says whether it was of one account or of all, and of how many', async () => {
  const { ask } = await openControl()
  for (const key of ['one', 'two', 'three']) await ask('PUT', '/clock', key)
  expect((await ask('POST', '/reset')).body).toEqual({ reset: 'account', accounts: 1 })
  // An account that was reset is there again with its next call.
  expect((await ask('POST', '/reset?all=1')).body).toEqual({ reset: 'all', accounts: 2 })
})

test('what is not there is 404, and its message says where it was looked for', async () => {
  const { ask } = await openControl()
  const missing = async (method: string, path: string) => {
    const { status, body } = await ask(method, path)
    return [status, `${body.error.message} ${body.error.hint}`]
  }
  const evicted = 'Old entries are evicted (settings journalEntries and journalBytes)'
  expect(await missing('GET', '/requests/none')).toEqual([
    404,
    `The journal of this account has no request none. ${evicted}; the Authorization header selects the account.`,
  ])
  expect(await missing('GET', '/requests/none?all=1')).toEqual([
    404,
    `No journal has a request none. ${evicted}.`,
  ])
  expect((await missing('POST', '/callbacks/none/redeliver'))[0]).toBe(404)
})

test('an unexpected error is counted and reported', async () => {
  const { emulator, url, bugs } = await startOnPort()
  const bug = new TypeError('not a function')
  vi.spyOn(emulator.store, 'keys').mockRejectedValueOnce(bug)
  const response = await fetch(`${url}/_backlot/accounts`)
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: { code: 'bug' } })
  expect(bugs.splice(0)).toEqual([bug])
  const health = await fetch(`${url}/_backlot/health?full`)
  expect(await health.json()).toMatchObject({ errors: 1 })
})

const examples = Object.entries<AnyAction>(actions).flatMap(([name, { route, example }]) =>
  example === undefined ? [] : [{ name, route, example }],
)

test.each(examples)('the example of $name is a body that is accepted', async ({ route, example }) => {
  const { url } = await startOnPort()
  const path = route.path.replaceAll(/:\w+/g, 'one')
  const response = await fetch(`${url}/_backlot${path}`, {
    method: route.method,
    headers: { authorization: 'Bearer one' },
    body: JSON.stringify(example),
  })
  // What an example names may not be there.
  expect([200, 201, 404], await response.text()).toContain(response.status)
})
