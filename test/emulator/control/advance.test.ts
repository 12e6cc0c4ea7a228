import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { invokeAction } from '../../../src/emulator/control/invoke.js'
import { apply } from '../../../src/emulator/core/account/apply.js'
import { startOnPort } from '../../emulator.js'
import { taskWith } from '../core/callback/story.js'

test('an account that is reset while an advance waits for its callbacks stays away', async () => {
  const { emulator, as } = await startOnPort()
  const receiver = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close().closeAllConnections())
  await once(receiver, 'listening')
  const called = once(receiver, 'request')
  const callback_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  expect((await as('ghost').create({ callback_url })).status).toBe(200)
  const advancing = invokeAction(emulator, 'clock.advance', 'ghost', { to: 'idle' })
  await called
  await invokeAction(emulator, 'reset', 'ghost', {})
  expect(await advancing).toMatchObject({ now: expect.any(String), totals: { task: expect.any(Number) } })
  expect(await emulator.store.keys()).toEqual([])
  expect(emulator.journals.controlsOf('ghost')).toEqual([])
})

test.each([
  ['2026-01-01T00:05', '2026-01-01T00:05:00.000Z'],
  ['2026-01-01T00:05:00.5', '2026-01-01T00:05:00.500Z'],
  ['2026-01-01T01:05:00+01:00', '2026-01-01T00:05:00.000Z'],
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
])('an advance to %s goes to %s, whatever the time zone of the machine is', async (to, now) => {
  vi.stubEnv('TZ', 'America/New_York')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { emulator } = await startOnPort()
  expect(await invokeAction(emulator, 'clock.advance', 'zoned', { to })).toMatchObject({ now })
})

test('an action that a reset overtakes is in the journal of the account that it was run on', async () => {
  let systemNow = Date.parse('2026-01-01')
  const { emulator } = await startOnPort({ clock: 'live' }, { systemNow: () => systemNow })
  emulator.store.stop()
  const task = taskWith()
  await emulator.store.transact('ghost', (account, now) => {
    const timeline = task.timeline.map(({ at, ...moment }) => ({ ...moment, at: at + now }))
    for (let count = 0; count < 600; count += 1)
      apply(account, [{ putTask: { ...task, callback: undefined, timeline, id: `task-${count}` } }])
  })
  systemNow += 10_000
  emulator.events.once('happening', () => void invokeAction(emulator, 'reset', 'ghost', {}))
  expect(await invokeAction(emulator, 'account.change', 'ghost', { balance: 7 })).toMatchObject({
    balance: 7,
  })
  expect(await emulator.store.read('ghost', ({ tasks }) => tasks.size)).toBe(0)
  expect(emulator.journals.controlsOf('ghost')).toMatchObject([{ action: 'account.change' }])
})

interface Moved {
  readonly ended: { readonly total: number; readonly urls: readonly object[] }
}

interface Results {
  readonly items: readonly { readonly url: string; readonly expiresAt: string }[]
}

test('an advance to the next expiry stops at the end of a result URL, and names the URLs that ended', async () => {
  const { emulator, as } = await startOnPort()
  const client = as('expiring')
  const { id } = (await client.create()).body
  // A task that has not ended has no URL.
  expect(await invokeAction(emulator, 'clock.advance', 'expiring', { to: 'next-expiry' })).toMatchObject({
    totals: { task: 0 },
    ended: { total: 0, urls: [] },
  })
  await invokeAction(emulator, 'clock.advance', 'expiring', { to: 'idle' })
  const { items } = (await invokeAction(emulator, 'results.list', 'expiring', {})) as Results
  const { url, expiresAt } = items[0] ?? {}
  const moved = await invokeAction(emulator, 'clock.advance', 'expiring', { to: 'next-expiry' })
  expect(moved).toMatchObject({
    now: expiresAt,
    ended: { total: 1, urls: [{ task: id, index: 0, at: expiresAt }] },
  })
  expect((await client.get(url ?? '')).status).toBe(403)
  const again = (await invokeAction(emulator, 'clock.advance', 'expiring', { by: '1h' })) as Moved
  expect(again.ended).toEqual({ total: 0, urls: [] })
})

test('an advance past several expiries counts all of them, and names as many as it lists events', async () => {
  const { emulator, as } = await startOnPort()
  for (const _ of [1, 2, 3]) await as('expiring').create()
  const { ended } = (await invokeAction(emulator, 'clock.advance', 'expiring', {
    by: '30d',
    limit: 2,
  })) as Moved
  expect(ended.total).toBe(3)
  expect(ended.urls).toHaveLength(2)
})
