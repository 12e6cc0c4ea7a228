import { expect, test } from 'vitest'
import { startReceiver, withStatus } from '../emulator/callbacks/receiver.js'
import { bodies, paths } from '../emulator.js'
import { open, small } from './judged.js'

test('a client that does all well has no finding', async () => {
  const { complete, kinds } = await open()
  await complete(small)
  expect(await kinds()).toEqual([])
})

test('ordered-twice: the same order after a lost answer, and its price', async () => {
  const { scenario, create, list, follow, download, expectFinding, tasks } = await open()
  await scenario.play('reset-after-create')
  await expect(create(small)).rejects.toThrow()
  const { body } = await create(small)
  await download(await follow(body.id))
  // The client learns of the lost one too late.
  const { items } = (await list()).body
  await download(items.find(({ id }: { id: string }) => id !== body.id).content.video_url)
  const [{ price = 0 } = {}] = (await tasks.list()) as unknown as { price: number }[]
  await expectFinding('ordered-twice', 2, new RegExp(`costs ${price === 0 ? '\\d' : price}`))
})

test('ordered-twice: not where the client looks in the list, nor where the order was taken well', async () => {
  const { scenario, create, list, follow, download, complete, kinds } = await open()
  await scenario.play('reset-after-create')
  await expect(create(small)).rejects.toThrow()
  const [{ id }] = (await list()).body.items
  await download(await follow(id))
  await complete(small)
  expect(await kinds()).toEqual([])
})

test('did-not-wait: a repetition before Retry-After', async () => {
  const { fail, complete, create, expectFinding } = await open()
  await fail('b-video-task.create', { error: 'ServerOverloaded', retryAfter: 60, times: 1 })
  await create(small)
  await complete(small)
  await expectFinding(
    'did-not-wait',
    2,
    /after 0ms on the clock .* Retry-After was 1m\. A pause that a test replaced/,
  )
})

test('did-not-wait: not after emulator.pause', async () => {
  const { fail, complete, create, pause, kinds } = await open()
  await fail('b-video-task.create', { error: 'ServerOverloaded', retryAfter: 60, times: 1 })
  await create(small)
  await pause(60_000)
  await complete(small)
  expect(await kinds()).toEqual([])
})

test('polled-on: two queries after the end, and not one', async () => {
  const { complete, query, kinds, expectFinding } = await open()
  const { id } = await complete(small)
  await query(id)
  expect(await kinds()).toEqual([])
  await query(id)
  await expectFinding('polled-on', 2, new RegExp(`^${id} was queried 2 times`))
})

test.each([
  [49, []],
  [50, ['hammered']],
])('hammered: %i calls without a pause are %j', async (count, expected) => {
  const { createB, query, follow, download, kinds, pause } = await open()
  const id = await createB(small)
  for (let index = 0; index < count; index += 1) await query(id)
  await pause(5_000)
  await download(await follow(id))
  expect(await kinds()).toEqual(expected)
})

test('fetched-twice: two whole downloads, and not a part or a second try', async () => {
  const { complete, download, kinds, expectFinding } = await open()
  const { url } = await complete(small)
  await download(url, { headers: { Range: 'bytes=0-9' } })
  await download(url, { method: 'HEAD' })
  expect(await kinds()).toEqual([])
  await download(url)
  await expectFinding('fetched-twice', 2, /downloaded whole 2 times/)
})

test('never-fetched: a success whose result no one fetches, and not one that is an input', async () => {
  const { createB, follow, complete, kinds, expectFinding } = await open()
  const url = await follow(await createB({ ...small, return_last_frame: true }))
  await expectFinding('never-fetched', 1, /its result was never downloaded/)
  const video = { type: 'video_url', video_url: { url }, role: 'reference_video' }
  const text = { type: 'text', text: 'go on' }
  await complete({ ...small, content: [text, video] })
  expect(await kinds()).toEqual([])
})

test('kept-damaged-file: a damaged file, and not one that is fetched again', async () => {
  const { scenario, complete, download, kinds, expectFinding } = await open()
  await scenario.play({
    name: 'damaged-once',
    description: 'The first file is damaged.',
    steps: [{ when: { operation: 'results.download' }, then: { result: { corrupt: true } }, times: 1 }],
  })
  const { url } = await complete(small)
  await expectFinding('kept-damaged-file', 1, /damaged \(by the scenario: result\.corrupt\)/)
  await download(url)
  expect(await kinds()).toEqual([])
})

test('abandoned-task: one whose end its client never sees, and not one that it cancels', async () => {
  const { createB, cancel, clock, kinds, expectFinding } = await open()
  const id = await createB(small)
  await cancel(id)
  expect(await kinds()).toEqual([])
  await createB({ ...small, seed: 2 })
  await expectFinding('abandoned-task', 1, /is queued at the end/)
  await clock.advance({ to: 'idle' })
  await expectFinding('abandoned-task', 1, /is succeeded, and its client has never seen/)
})

test.each([
  [500, ['callback-not-answered']],
  [204, []],
])('callback-not-answered: a receiver that answers %i', async (status, expected) => {
  const { complete, kinds } = await open()
  const receiver = await startReceiver(withStatus(status))
  await complete({ ...small, callback_url: receiver.url })
  expect(await kinds()).toEqual(expected)
})

test('believed-callback: a lying callback without a query after it, and not with one', async () => {
  const { scenario, inbox, clock, query, kinds, callbacks, createB } = await open()
  await scenario.play('callback-contradicts-query')
  const id = await createB({ ...small, callback_url: inbox('hook').url })
  await clock.advance({ to: 'idle' })
  expect((await callbacks.list({ taskId: id, status: 'running' }))[0]).toMatchObject({ state: 'delivered' })
  expect(await kinds()).toContain('believed-callback')
  await query(id)
  expect(await kinds()).not.toContain('believed-callback')
})

test('ignored-fields: what the interface does not know, and not what it does', async () => {
  const { complete, expectFinding } = await open()
  await complete({ ...small, qualty: 'best' })
  await expectFinding('ignored-fields', 1, /does not know the field qualty/)
})

test('the verdict is in the answer of finish, and of all accounts', async () => {
  const { post, as, url, createB } = await open()
  await createB(small)
  await as('bob').createB(small)
  const all = await fetch(`${url}/_backlot/verdict?all=true`)
  expect(((await all.json()) as { items: unknown[] }).items).toHaveLength(2)
  const { body } = await post('/_backlot/finish', {})
  expect(body.verdict).toMatchObject([{ kind: 'abandoned-task', calls: [expect.any(String)] }])
  expect(body.timeline).not.toEqual([])
  expect((await post('/_backlot/finish', {})).body).toMatchObject({ verdict: [], timeline: [] })
})

test('finish makes no verdict where it is not asked to, and no timeline for its findings', async () => {
  const { createB, follow, finish } = await open()
  await follow(await createB(small))
  expect(await finish({ verdict: false })).toMatchObject({ verdict: [], timeline: [] })
  await follow(await createB(small))
  expect(await finish({ verdict: true })).toMatchObject({ verdict: [{ kind: 'never-fetched' }] })
})

test('a lost answer of a family without a list is no abandoned task', async () => {
  const { scenario, post, kinds } = await open()
  await scenario.play('reset-after-create')
  await expect(post(paths.second, bodies.second())).rejects.toThrow()
  expect(await kinds()).toEqual([])
})
