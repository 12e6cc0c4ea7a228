import { expect, test } from 'vitest'
import { openAccount } from '../../../../src/emulator/core/account/account.js'
import { instantTimeline } from '../../../../src/emulator/core/model/task.js'
import { AccountQuotas, noQuotaReporter } from '../../../../src/emulator/core/quotas.js'
import { settingsSchema } from '../../../../src/emulator/settings.js'
import { taskWith } from '../../core/task/literals.js'
import { startWithQuotas } from './start.js'

test('an account keeps as many tasks as the bound allows', async () => {
  const started = await startWithQuotas({ tasksPerAccount: 3, timing: 'instant' })
  const made = [await started.create(), await started.create(), await started.create()]
  for (const { body } of made) expect((await started.query(body.id)).status).toBe(200)
  expect(started.hits).toEqual([])
})

test('one task more evicts the oldest ended task, with a notice', async () => {
  const started = await startWithQuotas({ tasksPerAccount: 3, timing: 'instant' })
  const [first, second] = [
    await started.create(),
    await started.create(),
    await started.create(),
    await started.create(),
  ]
  expect((await started.query(first?.body.id)).status).toBe(404)
  expect((await started.query(second?.body.id)).status).toBe(200)
  expect(started.hits).toEqual(['tasks-per-account 1'])
  expect(await started.quota('tasks-per-account')).toMatchObject({ size: 3, most: 3, hits: 1, refused: 0 })
})

test('a task that has not ended never goes', async () => {
  const started = await startWithQuotas({ tasksPerAccount: 2 })
  const live = await started.create()
  const cancelled = await started.create()
  await started.cancel(cancelled.body.id)
  const last = await started.create()
  expect((await started.query(cancelled.body.id)).status).toBe(404)
  for (const { body } of [live, last]) expect((await started.query(body.id)).body.status).toBe('queued')
})

test('when no task has ended, a create is refused in the format of the family, and the setting is named', async () => {
  const started = await startWithQuotas({ tasksPerAccount: 2 })
  await started.create()
  await started.create()
  const { status, headers, body } = await started.create()
  expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  expect(body.error).toMatchObject({ type: 'TooManyRequests' })
  expect(body.error.message).toContain(
    'the account has 2 tasks, none of which has ended, and the setting tasksPerAccount is 2',
  )
  expect(await started.quota('tasks-per-account')).toMatchObject({ size: 2, hits: 1, refused: 1 })
})

test.each([
  [
    'tasksPerAccount',
    'the account has 1 task, none of which has ended, and the setting tasksPerAccount is 1',
  ],
  [
    'tasksInAll',
    'all accounts together have 1 task, none of which has ended, and the setting tasksInAll is 1',
  ],
])('a bound of one task is written in the singular: %s', async (setting, sentence) => {
  const started = await startWithQuotas({ [setting]: 1 })
  await started.create()
  expect((await started.create()).body.error.message).toContain(sentence)
})

test('a create is accepted again once a task has ended', async () => {
  const started = await startWithQuotas({ tasksPerAccount: 2 })
  await started.create()
  await started.create()
  await started.create()
  await started.clock.advance('10m')
  expect((await started.create()).status).toBe(200)
})

test('a task whose callbacks are still to be delivered has not ended', async () => {
  const started = await startWithQuotas({ tasksPerAccount: 1, timing: 'instant' })
  const callback_url = 'http://127.0.0.1:1/nobody'
  const { body } = await started.create({ callback_url })
  expect((await started.create()).status).toBe(429)
  expect((await started.query(body.id)).status).toBe(200)
})

test('the bound of all accounts evicts from the account with the most tasks', async () => {
  const started = await startWithQuotas({ tasksInAll: 3, timing: 'instant' })
  const quiet = await started.as('quiet').create()
  const [oldest] = [
    await started.as('busy').create(),
    await started.as('busy').create(),
    await started.as('busy').create(),
  ]
  expect((await started.as('busy').query(oldest?.body.id)).status).toBe(404)
  expect((await started.as('quiet').query(quiet.body.id)).status).toBe(200)
  expect(started.hits).toEqual(['tasks-in-all 1'])
})

test('where all tasks of all accounts are in flight, a create is refused', async () => {
  const started = await startWithQuotas({ tasksInAll: 2 })
  await started.create()
  await started.as('bob').create()
  const { status, body } = await started.as('carol').create()
  expect(status).toBe(429)
  expect(body.error.message).toContain('the setting tasksInAll is 2')
})

test('an image whose URL has expired is evicted before anything that is still reachable', async () => {
  const started = await startWithQuotas({ tasksPerAccount: 2 })
  const live = await started.create()
  const image = await started.createImage()
  const url = new URL(image.body.output.choices[0].message.content[0].image)
  await started.clock.advance('25h')
  const late = await started.create()
  expect(started.hits).toEqual([])
  for (const { body } of [live, late]) expect((await started.query(body.id)).status).toBe(200)
  // As it would have answered with its record (gap X9).
  expect((await started.ask('GET', url.pathname + url.search)).status).toBe(403)
})

const long = (characters: number) => ({ content: [{ type: 'text', text: 'x'.repeat(characters) }] })

test('tasks with long prompts go by their bytes, the oldest that have ended first', async () => {
  const started = await startWithQuotas({ taskBytes: 100_000, timing: 'instant' })
  const [first, second, third] = [
    await started.create(long(20_000)),
    await started.create(long(20_000)),
    await started.create(long(20_000)),
  ]
  expect((await started.query(first?.body.id)).status).toBe(404)
  for (const kept of [second, third]) expect((await started.query(kept?.body.id)).status).toBe(200)
  expect(started.hits).toEqual(['task-bytes 1'])
  expect(await started.quota('task-bytes')).toMatchObject({
    size: 82_728,
    most: 100_000,
    hits: 1,
    refused: 0,
  })
})

test('the bound of the bytes of all accounts evicts from the account with the most bytes', async () => {
  const started = await startWithQuotas({ taskBytes: 100_000, timing: 'instant' })
  const quiet = await started.as('quiet').create(long(10_000))
  const busy = await started.as('busy').create(long(30_000))
  await started.as('late').create(long(10_000))
  expect((await started.as('busy').query(busy.body.id)).status).toBe(404)
  expect((await started.as('quiet').query(quiet.body.id)).status).toBe(200)
})

test('where no long task has ended, a create is refused and names the setting; later it is accepted', async () => {
  const started = await startWithQuotas({ taskBytes: 100_000 })
  const live = await started.create(long(49_000))
  const { status, headers, body } = await started.create()
  expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  expect(body.error.message).toContain(
    'those of all accounts that have not ended 99364, and the setting taskBytes is 100000',
  )
  expect((await started.query(live.body.id)).body.status).toBe('queued')
  expect(await started.quota('task-bytes')).toMatchObject({ size: 99_364, refused: 1 })
  await started.clock.advance('10m')
  expect((await started.create()).status).toBe(200)
  expect((await started.query(live.body.id)).status).toBe(404)
})

// A task with a prompt of so many characters takes 1,364 bytes and two for each of them.
test.each([
  ['alone', [], [], 49_318],
  ['beside one that has not ended', [], [20_000], 28_636],
  ['where one that has ended goes', [20_000], [10_000], 38_636],
])('a task %s fills the bytes to the last, and is refused where it is longer', async (...given) => {
  const [, ended, live, most] = given
  const started = await startWithQuotas({ taskBytes: 100_000 })
  for (const characters of ended) await started.as('early').create(long(characters))
  await started.as('early').clock.advance('10m')
  for (const characters of live) await started.as('early').create(long(characters))
  const { status, body } = await started.create(long(most + 1))
  expect(status).toBe(429)
  expect(body.error.message).toContain(`the task takes about ${1_364 + 2 * (most + 1)} bytes`)
  const { body: longest } = await started.create(long(most))
  expect((await started.query(longest.id)).body.status).toBe('queued')
  expect(await started.quota('task-bytes')).toMatchObject({ size: 100_000, refused: 1 })
})

test('a task that is deleted gives its bytes back, in the log of its callbacks as well', async () => {
  const started = await startWithQuotas({ timing: 'instant' })
  const callback_url = `${started.url}/_backlot/inbox/hook`
  const { body } = await started.create({ ...long(20_000), callback_url })
  await started.clock.advance('1m')
  expect((await started.quota('task-bytes')).size).toBeGreaterThan(40_000)
  await started.cancel(body.id)
  expect((await started.quota('task-bytes')).size).toBe(0)
  const kept = await started.emulator.store.read('alice', ({ callbacks }) => [...callbacks.log.values()])
  expect(kept.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(JSON.stringify(kept)).not.toContain('xxxx')
})

test('tasks that cannot be asked for any more go two at a time, and only where there are more than a thousand', () => {
  const settings = settingsSchema.parse({})
  const accountQuotas = new AccountQuotas(settings, noQuotaReporter)
  const account = openAccount('key', settings, { mode: 'paused', speed: 1, now: 10, wall: 0 })
  account.tasks.follow(
    () => {},
    () => ({ visibleUntil: 9, reachableUntil: 9 }),
  )
  accountQuotas.enter(account)
  for (let n = 0; n < 1_003; n += 1)
    account.tasks.set(taskWith({ id: `task-${n}`, timeline: instantTimeline(0, []) }), undefined)
  const sizes = [1, 2, 3].map(() => {
    accountQuotas.count(account, () => 0)
    return account.tasks.size
  })
  expect(sizes).toEqual([1_001, 999, 999])
  expect(account.tasks.oldestEnded()?.id).toBe('task-4')
})
