import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../../../src/emulator/core/account/account.js'
import { DAY, HOUR, MINUTE, paceOf, SECOND } from '../../../../src/emulator/core/schedule/time.js'
import { referenceVideo } from '../../../../src/emulator/families/e-video-reference/index.js'
import { contextWith, create, force, later, read, START, type TestContext, taskOf } from '../context.js'
import { answer, request } from './request.js'

describe('task', () => {
  const made = (change: Record<string, unknown> = {}, context = contextWith()) => {
    const decision = create(referenceVideo, request(change), context)
    return { reply: decision.reply, task: taskOf(decision, context), context }
  }

  const seen = (id: string, context: TestContext) =>
    read(referenceVideo, id, context).reply.body as Record<string, unknown>

  test('a create is answered with the pending task', () => {
    const { reply, task } = made()
    expect(task.id).toMatch(/^r2v-20260101000000-[a-z0-9]{5}$/)
    expect(reply).toEqual({
      status: 200,
      body: {
        id: task.id,
        task_id: task.id,
        object: 'video',
        model: 'beta2.7-r2v',
        status: 'pending',
        progress: 0,
        created_at: START / SECOND,
      },
    })
  })

  test('a task is pending, queued, running and succeeded, and never expires', () => {
    const { task, context } = made()
    expect(task.timeline.map(({ value }) => value.state)).toEqual([
      'pending',
      'queued',
      'running',
      'succeeded',
    ])
    expect(referenceVideo.deadline).toBeUndefined()
    for (const { at, value } of task.timeline)
      expect(seen(task.id, later(context, at - START)).status).toBe(value.state)
  })

  test('the progress is 0, then 10 to 95 while it runs, then 100', () => {
    const { task, context } = made()
    const [, queued, running, end] = task.timeline.map(({ at }) => at) as [number, number, number, number]
    const progress = [START, queued, running - 1, running, end - 1, end].map(
      (at) => seen(task.id, later(context, at - START)).progress,
    )
    expect(progress).toEqual([0, 0, 0, 10, 94, 100])
  })

  test('before the end a task shows what it was asked for, and no link', () => {
    const { task, context } = made({ seconds: 7, seed: 42 })
    expect(seen(task.id, context)).toEqual({
      id: task.id,
      task_id: task.id,
      object: 'video',
      model: 'beta2.7-r2v',
      status: 'pending',
      progress: 0,
      created_at: START / SECOND,
      updated_at: START / SECOND,
      completed_at: null,
      seconds: '7',
      size: '1080P',
      seed: 42,
      error: null,
    })
  })

  test('a finished task has its video in every place where clients look', () => {
    const { task, context } = made()
    const end = task.timeline.at(-1)?.at ?? 0
    const url = `https://results.test/${task.id}/0?expires=${end + 14 * DAY}`
    expect(seen(task.id, later(context, MINUTE))).toMatchObject({
      status: 'succeeded',
      progress: 100,
      updated_at: Math.floor(end / SECOND),
      completed_at: Math.floor(end / SECOND),
      error: null,
      url,
      video_url: url,
      content: { video_url: url },
      metadata: { url },
    })
  })

  test.each([
    ['720P', 1280, 720],
    ['1080P', 1920, 1080],
  ])('a video of %s has %i x %i pixels and 30 frames a second', (size, width, height) => {
    const { task } = made({ size, prompt: 'They meet', seconds: '2', watermark: true, seed: 9 })
    expect(task.timeline.at(-1)?.value).toMatchObject({
      media: [
        {
          kind: 'video',
          width,
          height,
          seconds: 2,
          framesPerSecond: 30,
          hasAudio: true,
          hasWatermark: true,
          seed: 9,
          card: { prompt: 'They meet', model: 'beta2.7-r2v', size: `${size} 16:9 2s`, id: task.id },
        },
      ],
    })
  })

  test('a task can be read for 7 days and not longer', () => {
    const { task, context } = made()
    expect(read(referenceVideo, task.id, later(context, 7 * DAY)).reply.status).toBe(200)
    expect(read(referenceVideo, task.id, later(context, 7 * DAY + 1)).reply).toMatchObject({
      status: 404,
      body: { code: 'task_not_exist' },
    })
  })

  test('a cancelled task is deleted after 24 hours', () => {
    const { task, context } = made()
    force(task, { state: 'cancelled' }, context)
    expect(seen(task.id, later(context, 24 * HOUR - 1)).status).toBe('cancelled')
    expect(read(referenceVideo, task.id, later(context, 24 * HOUR)).reply.status).toBe(404)
  })

  test.each(Object.keys(referenceVideo.errors))('a task that failed with %s says so', (error) => {
    const { task, context } = made()
    force(task, { state: 'failed', error }, context)
    expect(seen(task.id, context)).toMatchObject({
      status: 'failed',
      progress: 100,
      error: { code: error, message: expect.stringMatching(/^\w.*\.$/) },
    })
  })

  test.each([
    ['pending', 'queued'],
    ['queued', 'queued'],
    ['running', 'in_progress'],
    ['cancelled', 'failed'],
  ] as const)('with the setting videoStatusWords %s is %s', (state, word) => {
    const { task, context } = made({}, contextWith({ settings: { videoStatusWords: 'openai-style' } }))
    force(task, { state }, context)
    expect(seen(task.id, context).status).toBe(word)
  })

  test('with the setting videoStatusWords a create says queued', () => {
    const { reply } = made({}, contextWith({ settings: { videoStatusWords: 'openai-style' } }))
    expect(reply.body).toMatchObject({ status: 'queued' })
  })

  test('a video is paid for when it succeeds, by the second', () => {
    const { task, context } = made({ seconds: '10' })
    const opened = balanceOf(context.account)
    seen(task.id, later(context, 2 * SECOND))
    expect(balanceOf(context.account)).toBe(opened)
    seen(task.id, later(context, MINUTE))
    expect(balanceOf(context.account)).toBeCloseTo(opened - 1.6)
  })

  test.each([
    ['its own price', '720P', {}, 0.5],
    ['its own price', '1080P', {}, 0.8],
    ['the price of the model', '1080P', { 'beta2.7-r2v': 2 }, 10],
    ['the price of the model in this size', '1080P', { 'beta2.7-r2v': 2, 'beta2.7-r2v 1080P': 3 }, 15],
  ])('5 seconds cost %s in %s with %j', (_, size, prices, price) => {
    expect(made({ size }, contextWith({ settings: { prices } })).task.price).toBeCloseTo(price)
  })

  test.each([
    ['720P', '5', 100],
    ['1080P', '15', 370],
  ])('with realistic timing %s of %s s run about %i seconds', (size, seconds, about) => {
    const { task, context } = made({ size, seconds }, contextWith({ settings: { timing: 'realistic' } }))
    const workload = { queuedMs: 20 * SECOND, runningMs: about * SECOND }
    const { queuedMs, runningMs } = paceOf('realistic', workload, context.random)
    const pendingMs = Math.round(queuedMs / 5)
    const moments = [0, pendingMs, queuedMs, queuedMs + runningMs]
    expect(task.timeline.map(({ at }) => at - START)).toEqual(moments)
  })

  test('with instant timing a create still says pending', () => {
    const { reply, task, context } = made({}, contextWith({ settings: { timing: 'instant' } }))
    expect(reply.body).toMatchObject({ status: 'pending', progress: 0 })
    expect(seen(task.id, context).status).toBe('succeeded')
  })
})

describe('samples', async () => {
  const FOLDER = 'fixtures/requests/e-video-reference'

  test.each(await readdir(FOLDER))(
    'the sample request %s is taken, and nothing in it is ignored',
    async (name) => {
      const text = await readFile(`${FOLDER}/${name}`, 'utf8')
      const sample = JSON.parse(text.replaceAll('{origin}', 'http://127.0.0.1:4650'))
      const { status, notes } = answer(sample.body)
      expect(sample.operation).toBe('e-video-reference.create')
      expect(status).toBe(200)
      expect(notes.ignored).toEqual([])
    },
  )
})
