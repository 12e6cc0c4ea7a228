import { describe, expect, test } from 'vitest'
import { type Answer, b, c, create, e, f, startPlaying, type VideoFamily, videoFamilies } from './play.js'

/** Statuses in the order in which they were seen, each once. */
const seen = (answers: readonly Answer[]): string[] => [...new Set(answers.map(({ body }) => body.status))]

describe('refused-after-acceptance', () => {
  test.each<[VideoFamily, string]>([
    [b, 'OutputVideoSensitiveContentDetected'],
    [c, 'OutputVideoSensitiveContentDetected'],
    [e, 'content_policy_violation'],
    [f, '1026'],
  ])('$id: the task runs and fails', async (family, code) => {
    const playing = await startPlaying('refused-after-acceptance')
    const answers = await playing.poll(family, await create(playing, family))
    expect(seen(answers).slice(-2)).toEqual(['running', 'failed'])
    expect(answers.at(-1)?.body.error.code).toBe(code)
  })
})

describe('stuck-in-queue', () => {
  test.each([b, c])('$id: the task expires in the end', async (family) => {
    const playing = await startPlaying('stuck-in-queue', { clock: 'paused' })
    const id = await create(playing, family)
    await playing.account.clock.advance('47h59m')
    expect((await playing.ask('GET', family.query(id))).body.status).toBe('queued')
    await playing.account.clock.advance('1m')
    expect((await playing.ask('GET', family.query(id))).body.status).toBe('expired')
  })

  test.each([e, f])('$id: the task waits for ever', async (family) => {
    const playing = await startPlaying('stuck-in-queue', { clock: 'paused' })
    const id = await create(playing, family)
    await playing.account.clock.advance('6d')
    expect((await playing.ask('GET', family.query(id))).body.status).toBe('queued')
  })
})

test.each(videoFamilies)('runs-for-ever: a task of $id is never done', async (family) => {
  const playing = await startPlaying('runs-for-ever', { clock: 'paused' })
  const id = await create(playing, family)
  await playing.account.clock.advance('47h')
  const { body } = await playing.ask('GET', family.query(id))
  expect(body.status).toBe('running')
  if (body.progress !== undefined) expect(body.progress).toBeLessThan(100)
})

test.each(videoFamilies)(
  'success-without-url: the first task of $id has no URL, the second has',
  async (family) => {
    const playing = await startPlaying('success-without-url')
    const [first, second] = [await create(playing, family), await create(playing, family)]
    const lost = (await playing.poll(family, first)).at(-1)
    expect(lost?.body.status).toBe('succeeded')
    expect(lost?.text).not.toContain('http')
    const found = (await playing.poll(family, second)).at(-1)
    expect(found && family.resultOf(found)).toMatch(/^http/)
  },
)

test.each(videoFamilies)(
  'unknown-status: a task of $id has an unknown status, and then succeeds',
  async (family) => {
    const playing = await startPlaying('unknown-status')
    const answers = await playing.poll(family, await create(playing, family))
    expect(seen(answers).slice(-2)).toEqual(['post_processing', 'succeeded'])
  },
)

test('unknown-status is in the list of B too', async () => {
  const playing = await startPlaying('unknown-status', { clock: 'paused' })
  await create(playing, b)
  await playing.account.clock.advance({ to: 'next' })
  expect((await playing.ask('GET', b.create)).body.items[0].status).toBe('post_processing')
})

test.each([c, e])(
  'progress-jumps-back: the progress of $id falls and reaches 100 all the same',
  async (family) => {
    const playing = await startPlaying('progress-jumps-back', { clock: 'paused' })
    const id = await create(playing, family)
    await playing.account.clock.advance({ to: 'next' })
    if ((await playing.ask('GET', family.query(id))).body.status === 'queued')
      await playing.account.clock.advance({ to: 'next' })
    const progress: number[] = []
    for (const by of ['0s', '40s', '20s', '30s', '10s'] as const) {
      await playing.account.clock.advance(by)
      progress.push((await playing.ask('GET', family.query(id))).body.progress)
    }
    expect(progress).toEqual([10, 44, 16, 41, 100])
  },
)
