import { expect, test } from 'vitest'
import { KEY } from '../../../emulator.js'
import { startWithQuotas } from './start.js'

test('the oldest calls of all accounts give way to the bytes of all', async () => {
  const started = await startWithQuotas({ journalBytes: 50_000 })
  const keys = ['one', 'two', 'three']
  for (let call = 0; call < 40; call += 1) await started.as(keys[call % 3] ?? KEY).query(`none-${call}`)
  const { journals } = started.emulator
  const { items, total } = journals.page({}, 0, 100)
  // The latest calls of all, without a gap.
  expect(items.map(({ path }) => path.split('/').at(-1))).toEqual(
    Array.from({ length: total }, (_, age) => `none-${39 - age}`),
  )
  expect(total).toBeLessThan(20)
  for (const key of keys) {
    const its = items.filter(({ account }) => account === key)
    expect(journals.journalOf(key).list()).toEqual(its)
    expect(its.length + journals.journalOf(key).evicted).toBeGreaterThanOrEqual(13)
  }
  const { size, most, hits } = await started.quota('journal-bytes')
  expect(size).toBeLessThanOrEqual(most)
  expect(hits).toBeGreaterThan(0)
})

test('an account that is forgotten gives its calls back, and the others keep theirs', async () => {
  const started = await startWithQuotas({})
  for (const key of ['one', 'two']) await started.as(key).query('none')
  const { size } = await started.quota('journal-bytes')
  await started.emulator.forget('one')
  expect((await started.quota('journal-bytes')).size).toBe((size ?? 0) / 2)
  expect(started.emulator.journals.page({}, 0, 10).items.map(({ account }) => account)).toEqual(['two'])
})

test('control records of accounts count against the bound of the journal', async () => {
  const started = await startWithQuotas({ journalBytes: 50_000 })
  const says = 'x'.repeat(20_000)
  const steps = [{ when: { operation: 'b-video-task.create' }, then: { answer: { status: 500 } } }]
  for (let time = 0; time < 10; time += 1)
    await started.ask('PUT', '/_backlot/scenario', { name: 'long', says, steps })
  const { size, most } = await started.quota('journal-bytes')
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThanOrEqual(most)
})

test('a full journal says so the first, the tenth, the hundredth time', async () => {
  const started = await startWithQuotas({ journalEntries: 1 })
  for (let call = 0; call < 12; call += 1) await started.query('none')
  expect(started.hits).toEqual(['journal-entries 1', 'journal-entries 10'])
  expect(await started.quota('journal-entries')).toMatchObject({ size: 1, hits: 11 })
})

test('reading the journal of an unused account creates no account', async () => {
  const started = await startWithQuotas({})
  await started.as('unused').ask('GET', '/_backlot/requests')
  expect(await started.emulator.store.keys()).not.toContain('unused')
})

test('the largest inbox gives way to the bytes of all', async () => {
  const started = await startWithQuotas({ inboxBytes: 10_000 })
  const post = (key: string, text: string) => started.as(key).ask('POST', '/_backlot/inbox/hook', { text })
  await post('quiet', 'kept')
  await post('busy', 'first')
  await post('busy', 'x'.repeat(4_000))
  await post('busy', 'x'.repeat(4_000))
  const boxOf = (key: string) => started.emulator.inbox.list(key, 'hook')
  expect(boxOf('quiet').items).toHaveLength(1)
  expect(boxOf('busy')).toMatchObject({ items: [{}], evicted: 2 })
  expect(started.hits).toContain('inbox-bytes 1')
})

test('callback logs give way to the number of all, the longest first', async () => {
  const started = await startWithQuotas({ callbacksLoggedInAll: 4, timing: 'instant' })
  const callback_url = `${started.url}/_backlot/inbox/hook`
  await started.as('quiet').create({ callback_url })
  await started.as('quiet').clock.advance('1m')
  await started.as('busy').create({ callback_url })
  await started.as('busy').clock.advance('1m')
  const { size, most, hits } = await started.quota('callback-logs')
  expect(size).toBeLessThanOrEqual(most)
  expect(hits).toBeGreaterThan(0)
  expect((await started.emulator.callbacks.list('quiet')).evicted).toBeLessThan(3)
})

test('a control record that gives way is no call that was evicted', async () => {
  const started = await startWithQuotas({ journalEntries: 2, clock: 'paused' })
  await started.query('none')
  for (let time = 0; time < 5; time += 1) await started.clock.advance('1s')
  const { journals } = started.emulator
  expect(journals.controlsOf('alice')).toHaveLength(2)
  const journal = journals.journalOf('alice')
  expect([journal.list().length, journal.evicted]).toEqual([1, 0])
})

test('inbox messages that give way give all of their bytes back, and so does a forgotten account', async () => {
  const started = await startWithQuotas({ callbackLogEntries: 1 })
  const post = () => started.ask('POST', '/_backlot/inbox/hook', { text: 'hello' })
  const size = async () => (await started.quota('inbox-bytes')).size
  await post()
  const one = await size()
  expect(one).toBeGreaterThan(0)
  await post()
  expect(await size()).toBe(one)
  await started.emulator.forget('alice')
  expect(await size()).toBe(0)
})

test('a small message has the largest inbox give way, whose own it need not be', async () => {
  const started = await startWithQuotas({ inboxBytes: 10_000 })
  const post = (key: string, text: string) => started.as(key).ask('POST', '/_backlot/inbox/hook', { text })
  await post('busy', 'x'.repeat(4_000))
  await post('busy', 'x'.repeat(3_000))
  await post('quiet', 'kept')
  const evictedOf = (key: string) => started.emulator.inbox.list(key, 'hook').evicted
  expect([evictedOf('busy'), evictedOf('quiet')]).toEqual([1, 0])
})
