import { expect, test } from 'vitest'
import { openListening } from '../listening.js'

test('the list has the snapshots that the account is in, with what its clock said', async () => {
  const { url } = await openListening({ clock: 'paused' })
  const control = async (method: string, path: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    return (await fetch(`${url}/_backlot${path}`, { method, headers, ...init })).json()
  }
  await control('POST', '/snapshots', 'alice', {})
  await control('POST', '/clock/advance', 'alice', { by: '1h' })
  await control('POST', '/snapshots', 'bob', { all: 'true' })
  expect(await control('GET', '/snapshots', 'alice')).toEqual({
    items: [
      { id: 'snapshot-1', accounts: 1, tasks: 0, at: '2026-01-01T00:00:00.000Z' },
      { id: 'snapshot-2', accounts: 1, tasks: 0, at: '2026-01-01T01:00:00.000Z' },
    ],
  })
  expect(await control('GET', '/snapshots', 'carol')).toEqual({ items: [] })
})
