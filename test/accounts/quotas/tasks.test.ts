import { expect, test } from 'vitest'
import { createAccountQuotas } from '../../../src/accounts/account-quotas.js'
import { openAccount } from '../../../src/core/account/account.js'
import { instantTimeline } from '../../../src/core/model/task.js'
import { noQuotaReporter } from '../../../src/core/quotas.js'
import { settingsSchema } from '../../../src/core/settings.js'
import { taskWith } from '../../core/task/literals.js'
import { openTown } from './emulator.js'

test('an account keeps as many tasks as the bound allows', async () => {
  const town = await openTown({ tasksPerAccount: 3, timing: 'instant' })
  const made = [await town.create(), await town.create(), await town.create()]
  for (const { body } of made) expect((await town.read(body.id)).status).toBe(200)
  expect(town.told).toEqual([])
})

test('one task more evicts the oldest ended task, with a notice', async () => {
  const town = await openTown({ tasksPerAccount: 3, timing: 'instant' })
  const [first, second] = [await town.create(), await town.create(), await town.create(), await town.create()]
  expect((await town.read(first?.body.id)).status).toBe(404)
  expect((await town.read(second?.body.id)).status).toBe(200)
  expect(town.told).toEqual(['tasks-per-account 1'])
  expect(await town.bound('tasks-per-account')).toMatchObject({ size: 3, most: 3, hits: 1, refused: 0 })
})

test('a task that has not ended never goes', async () => {
  const town = await openTown({ tasksPerAccount: 2 })
  const live = await town.create()
  const cancelled = await town.create()
  await town.cancel(cancelled.body.id)
  const last = await town.create()
  expect((await town.read(cancelled.body.id)).status).toBe(404)
  for (const { body } of [live, last]) expect((await town.read(body.id)).body.status).toBe('queued')
})

test('when no task has ended, a create is refused in the format of the family, and the setting is named', async () => {
  const town = await openTown({ tasksPerAccount: 2 })
  await town.create()
  await town.create()
  const { status, headers, body } = await town.create()
  expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  expect(body.error).toMatchObject({ type: 'TooManyRequests' })
  expect(body.error.message).toContain(
    'the account has 2 tasks, none of which has ended, and the setting tasksPerAccount is 2',
  )
  expect(await town.bound('tasks-per-account')).toMatchObject({ size: 2, hits: 1, refused: 1 })
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
  const town = await openTown({ [setting]: 1 })
  await town.create()
  expect((await town.create()).body.error.message).toContain(sentence)
})

test('a create is accepted again once a task has ended', async () => {
  const town = await openTown({ tasksPerAccount: 2 })
  await town.create()
  await town.create()
  await town.create()
  await town.advance('10m')
  expect((await town.create()).status).toBe(200)
})

test('a task whose callbacks are still to be delivered has not ended', async () => {
  const town = await openTown({ tasksPerAccount: 1, timing: 'instant' })
  const callback_url = 'http://127.0.0.1:1/nobody'
  const { body } = await town.create('alice', { callback_url })
  expect((await town.create()).status).toBe(429)
  expect((await town.read(body.id)).status).toBe(200)
})

test('the bound of all accounts evicts from the account with the most tasks', async () => {
  const town = await openTown({ tasksInAll: 3, timing: 'instant' })
  const quiet = await town.create('quiet')
  const [oldest] = [await town.create('busy'), await town.create('busy'), await town.create('busy')]
  expect((await town.read(oldest?.body.id, 'busy')).status).toBe(404)
  expect((await town.read(quiet.body.id, 'quiet')).status).toBe(200)
  expect(town.told).toEqual(['tasks-in-all 1'])
})

test('where all tasks of all accounts are in flight, a create is refused', async () => {
  const town = await openTown({ tasksInAll: 2 })
  await town.create('alice')
  await town.create('bob')
  const { status, body } = await town.create('carol')
  expect(status).toBe(429)
  expect(body.error.message).toContain('the setting tasksInAll is 2')
})

test('an image whose URL has expired is evicted before anything that is still reachable', async () => {
  const town = await openTown({ tasksPerAccount: 2 })
  const live = await town.create()
  const image = await town.draw()
  const url = new URL(image.body.output.choices[0].message.content[0].image)
  await town.advance('25h')
  const late = await town.create()
  expect(town.told).toEqual([])
  for (const { body } of [live, late]) expect((await town.read(body.id)).status).toBe(200)
  // As it would have answered with its record (gap X9).
  expect((await town.call('alice', 'GET', url.pathname + url.search)).status).toBe(403)
})

const long = (characters: number) => ({ content: [{ type: 'text', text: 'x'.repeat(characters) }] })

test('tasks with long prompts go by their bytes, the oldest that have ended first', async () => {
  const town = await openTown({ taskBytes: 100_000, timing: 'instant' })
  const [first, second, third] = [
    await town.create('alice', long(20_000)),
    await town.create('alice', long(20_000)),
    await town.create('alice', long(20_000)),
  ]
  expect((await town.read(first?.body.id)).status).toBe(404)
  for (const kept of [second, third]) expect((await town.read(kept?.body.id)).status).toBe(200)
  expect(town.told).toEqual(['task-bytes 1'])
  expect(await town.bound('task-bytes')).toMatchObject({ size: 82_728, most: 100_000, hits: 1, refused: 0 })
})

test('the bound of the bytes of all accounts evicts from the account with the most bytes', async () => {
  const town = await openTown({ taskBytes: 100_000, timing: 'instant' })
  const quiet = await town.create('quiet', long(10_000))
  const busy = await town.create('busy', long(30_000))
  await town.create('late', long(10_000))
  expect((await town.read(busy.body.id, 'busy')).status).toBe(404)
  expect((await town.read(quiet.body.id, 'quiet')).status).toBe(200)
})

test('where no long task has ended, a create is refused and names the setting; later it is accepted', async () => {
  const town = await openTown({ taskBytes: 100_000 })
  const live = await town.create('alice', long(49_000))
  const { status, headers, body } = await town.create()
  expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  expect(body.error.message).toContain(
    'those of all accounts that have not ended 99364, and the setting taskBytes is 100000',
  )
  expect((await town.read(live.body.id)).body.status).toBe('queued')
  expect(await town.bound('task-bytes')).toMatchObject({ size: 99_364, refused: 1 })
  await town.advance('10m')
  expect((await town.create()).status).toBe(200)
  expect((await town.read(live.body.id)).status).toBe(404)
})

// A task with a prompt of so many characters takes 1,364 bytes and two for each of them.
test.each([
  ['alone', [], [], 49_318],
  ['beside one that has not ended', [], [20_000], 28_636],
  ['where one that has ended goes', [20_000], [10_000], 38_636],
])('a task %s fills the bytes to the last, and is refused where it is longer', async (...given) => {
  const [, ended, live, most] = given
  const town = await openTown({ taskBytes: 100_000 })
  for (const characters of ended) await town.create('early', long(characters))
  await town.advance('10m', 'early')
  for (const characters of live) await town.create('early', long(characters))
  const { status, body } = await town.create('alice', long(most + 1))
  expect(status).toBe(429)
  expect(body.error.message).toContain(`the task takes about ${1_364 + 2 * (most + 1)} bytes`)
  const { body: longest } = await town.create('alice', long(most))
  expect((await town.read(longest.id)).body.status).toBe('queued')
  expect(await town.bound('task-bytes')).toMatchObject({ size: 100_000, refused: 1 })
})

test('a task that is deleted gives its bytes back, in the log of its callbacks as well', async () => {
  const town = await openTown({ timing: 'instant' })
  const callback_url = `${town.url}/_backlot/inbox/hook`
  const { body } = await town.create('alice', { ...long(20_000), callback_url })
  await town.advance('1m')
  expect((await town.bound('task-bytes')).size).toBeGreaterThan(40_000)
  await town.cancel(body.id)
  expect((await town.bound('task-bytes')).size).toBe(0)
  const kept = await town.emulator.store.read('alice', ({ callbacks }) => [...callbacks.log.values()])
  expect(kept.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(JSON.stringify(kept)).not.toContain('xxxx')
})

test('tasks that cannot be asked for any more go two at a time, and only where there are more than a thousand', () => {
  const settings = settingsSchema.parse({})
  const accountQuotas = createAccountQuotas(settings, noQuotaReporter, () => 0)
  const account = openAccount('key', settings, { mode: 'paused', speed: 1, now: 10, wall: 0 })
  account.tasks.follow(
    () => {},
    () => ({ visibleUntil: 9, reachableUntil: 9 }),
  )
  accountQuotas.enter(account)
  for (let n = 0; n < 1_003; n += 1)
    account.tasks.set(taskWith({ id: `task-${n}`, timeline: instantTimeline(0, []) }), undefined)
  const sizes = [1, 2, 3].map(() => {
    accountQuotas.count(account)
    return account.tasks.size
  })
  expect(sizes).toEqual([1_001, 999, 999])
  expect(account.tasks.oldestEnded()?.id).toBe('task-4')
})
