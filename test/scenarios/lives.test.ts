import { describe, expect, test } from 'vitest'
import { type Answered, b, c, create, e, f, openStage, type VideoFamily, videoFamilies } from './stage.js'

/** Statuses in the order in which they were seen, each once. */
const seen = (answers: readonly Answered[]): string[] => [...new Set(answers.map(({ body }) => body.status))]

describe('refused-after-acceptance', () => {
  test.each<[VideoFamily, string]>([
    [b, 'OutputVideoSensitiveContentDetected'],
    [c, 'OutputVideoSensitiveContentDetected'],
    [e, 'content_policy_violation'],
    [f, '1026'],
  ])('$id: the task runs and fails', async (family, code) => {
    const stage = await openStage('refused-after-acceptance')
    const answers = await stage.poll(family, await create(stage, family))
    expect(seen(answers).slice(-2)).toEqual(['running', 'failed'])
    expect(answers.at(-1)?.body.error.code).toBe(code)
  })
})

describe('stuck-in-queue', () => {
  test.each([b, c])('$id: the task expires in the end', async (family) => {
    const stage = await openStage('stuck-in-queue', { clock: 'paused' })
    const id = await create(stage, family)
    await stage.handles.clock.advance('47h59m')
    expect((await stage.ask('GET', family.query(id))).body.status).toBe('queued')
    await stage.handles.clock.advance('1m')
    expect((await stage.ask('GET', family.query(id))).body.status).toBe('expired')
  })

  test.each([e, f])('$id: the task waits for ever', async (family) => {
    const stage = await openStage('stuck-in-queue', { clock: 'paused' })
    const id = await create(stage, family)
    await stage.handles.clock.advance('6d')
    expect((await stage.ask('GET', family.query(id))).body.status).toBe('queued')
  })
})

test.each(videoFamilies)('runs-for-ever: a task of $id is never done', async (family) => {
  const stage = await openStage('runs-for-ever', { clock: 'paused' })
  const id = await create(stage, family)
  await stage.handles.clock.advance('47h')
  const { body } = await stage.ask('GET', family.query(id))
  expect(body.status).toBe('running')
  if (body.progress !== undefined) expect(body.progress).toBeLessThan(100)
})

test.each(videoFamilies)(
  'success-without-url: the first task of $id has no URL, the second has',
  async (family) => {
    const stage = await openStage('success-without-url')
    const [first, second] = [await create(stage, family), await create(stage, family)]
    const lost = (await stage.poll(family, first)).at(-1)
    expect(lost?.body.status).toBe('succeeded')
    expect(lost?.text).not.toContain('http')
    const found = (await stage.poll(family, second)).at(-1)
    expect(found && family.resultOf(found)).toMatch(/^http/)
  },
)

test.each(videoFamilies)(
  'unknown-status: a task of $id has an unknown status, and then succeeds',
  async (family) => {
    const stage = await openStage('unknown-status')
    const answers = await stage.poll(family, await create(stage, family))
    expect(seen(answers).slice(-2)).toEqual(['post_processing', 'succeeded'])
  },
)

test('unknown-status is in the list of B too', async () => {
  const stage = await openStage('unknown-status', { clock: 'paused' })
  await create(stage, b)
  await stage.handles.clock.advance({ to: 'next' })
  expect((await stage.ask('GET', b.create)).body.items[0].status).toBe('post_processing')
})

test.each([c, e])(
  'progress-jumps-back: the progress of $id falls and reaches 100 all the same',
  async (family) => {
    const stage = await openStage('progress-jumps-back', { clock: 'paused' })
    const id = await create(stage, family)
    await stage.handles.clock.advance({ to: 'next' })
    if ((await stage.ask('GET', family.query(id))).body.status === 'queued')
      await stage.handles.clock.advance({ to: 'next' })
    const progress: number[] = []
    for (const by of ['0s', '40s', '20s', '30s', '10s']) {
      await stage.handles.clock.advance(by)
      progress.push((await stage.ask('GET', family.query(id))).body.progress)
    }
    expect(progress).toEqual([10, 44, 16, 41, 100])
  },
)
