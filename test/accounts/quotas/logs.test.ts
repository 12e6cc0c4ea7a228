import { expect, test } from 'vitest'
import { openTown } from './emulator.js'

test('the oldest calls of all accounts give way to the bytes of all', async () => {
  const town = await openTown({ journalBytes: 50_000 })
  const keys = ['one', 'two', 'three']
  for (let call = 0; call < 40; call += 1) await town.read(`none-${call}`, keys[call % 3])
  const { journalOf, page } = town.emulator.journals
  const { items, total } = page({}, 0, 100)
  // The latest calls of all, without a gap.
  expect(items.map(({ path }) => path.split('/').at(-1))).toEqual(
    Array.from({ length: total }, (_, age) => `none-${39 - age}`),
  )
  expect(total).toBeLessThan(20)
  for (const key of keys) {
    const its = items.filter(({ account }) => account === key)
    expect(journalOf(key).list()).toEqual(its)
    expect(its.length + journalOf(key).evicted).toBeGreaterThanOrEqual(13)
  }
  const { size, most, hits } = await town.bound('journal-bytes')
  expect(size).toBeLessThanOrEqual(most)
  expect(hits).toBeGreaterThan(0)
})

test('an account that is forgotten gives its calls back, and the others keep theirs', async () => {
  const town = await openTown({})
  for (const key of ['one', 'two']) await town.read('none', key)
  const { size } = await town.bound('journal-bytes')
  await town.emulator.forget('one')
  expect((await town.bound('journal-bytes')).size).toBe((size ?? 0) / 2)
  expect(town.emulator.journals.page({}, 0, 10).items.map(({ account }) => account)).toEqual(['two'])
})

test('control records of accounts count against the bound of the journal', async () => {
  const town = await openTown({ journalBytes: 50_000 })
  const says = 'x'.repeat(20_000)
  const steps = [{ when: { operation: 'b-video-task.create' }, then: { answer: { status: 500 } } }]
  for (let time = 0; time < 10; time += 1)
    await town.call('alice', 'PUT', '/_backlot/scenario', { name: 'long', says, steps })
  const { size, most } = await town.bound('journal-bytes')
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThanOrEqual(most)
})

test('a full journal says so the first, the tenth, the hundredth time', async () => {
  const town = await openTown({ journalEntries: 1 })
  for (let call = 0; call < 12; call += 1) await town.read('none')
  expect(town.told).toEqual(['journal-entries 1', 'journal-entries 10'])
  expect(await town.bound('journal-entries')).toMatchObject({ size: 1, hits: 11 })
})

test('reading the journal of an unused account creates no account', async () => {
  const town = await openTown({})
  await town.call('unused', 'GET', '/_backlot/requests')
  expect(await town.emulator.store.keys()).not.toContain('unused')
})

test('the largest inbox gives way to the bytes of all', async () => {
  const town = await openTown({ inboxBytes: 10_000 })
  const post = (key: string, text: string) => town.call(key, 'POST', '/_backlot/inbox/hook', { text })
  await post('quiet', 'kept')
  await post('busy', 'first')
  await post('busy', 'x'.repeat(4_000))
  await post('busy', 'x'.repeat(4_000))
  const boxOf = (key: string) => town.emulator.inbox.list(key, 'hook')
  expect(boxOf('quiet').items).toHaveLength(1)
  expect(boxOf('busy')).toMatchObject({ items: [{}], evicted: 2 })
  expect(town.told).toContain('inbox-bytes 1')
})

test('callback logs give way to the number of all, the longest first', async () => {
  const town = await openTown({ callbacksLoggedInAll: 4, timing: 'instant' })
  const callback_url = `${town.url}/_backlot/inbox/hook`
  await town.create('quiet', { callback_url })
  await town.advance('1m', 'quiet')
  await town.create('busy', { callback_url })
  await town.advance('1m', 'busy')
  const { size, most, hits } = await town.bound('callback-logs')
  expect(size).toBeLessThanOrEqual(most)
  expect(hits).toBeGreaterThan(0)
  expect((await town.emulator.callbacks.list('quiet')).evicted).toBeLessThan(3)
})

test('a control record that gives way is no call that was evicted', async () => {
  const town = await openTown({ journalEntries: 2, clock: 'paused' })
  await town.read('none')
  for (let time = 0; time < 5; time += 1) await town.advance('1s')
  const { journalOf, controlsOf } = town.emulator.journals
  expect(controlsOf('alice')).toHaveLength(2)
  expect([journalOf('alice').list().length, journalOf('alice').evicted]).toEqual([1, 0])
})

test('inbox messages that give way give all of their bytes back, and so does a forgotten account', async () => {
  const town = await openTown({ callbackLogEntries: 1 })
  const post = () => town.call('alice', 'POST', '/_backlot/inbox/hook', { text: 'hello' })
  const size = async () => (await town.bound('inbox-bytes')).size
  await post()
  const one = await size()
  expect(one).toBeGreaterThan(0)
  await post()
  expect(await size()).toBe(one)
  await town.emulator.forget('alice')
  expect(await size()).toBe(0)
})

test('a small message has the largest inbox give way, whose own it need not be', async () => {
  const town = await openTown({ inboxBytes: 10_000 })
  const post = (key: string, text: string) => town.call(key, 'POST', '/_backlot/inbox/hook', { text })
  await post('busy', 'x'.repeat(4_000))
  await post('busy', 'x'.repeat(3_000))
  await post('quiet', 'kept')
  const evictedOf = (key: string) => town.emulator.inbox.list(key, 'hook').evicted
  expect([evictedOf('busy'), evictedOf('quiet')]).toEqual([1, 0])
})
