import { expect, test } from 'vitest'
import { balanceOf } from '../../../../src/emulator/core/account/account.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/emulator/core/schedule/time.js'
import { unifiedVideo } from '../../../../src/emulator/families/c-video/index.js'
import {
  contextWith,
  create,
  expiryOf,
  force,
  later,
  read,
  START,
  type TestContext,
  taskOf,
} from '../context.js'
import { FAST, item, request, text } from './request.js'

const made = (change: Record<string, unknown> = {}, context = contextWith()) => {
  const decision = create(unifiedVideo, request(change), context)
  return { reply: decision.reply, task: taskOf(decision, context), context }
}

const seen = (id: string, context: TestContext) =>
  read(unifiedVideo, id, context).reply.body as Record<string, unknown>

test('a create is answered with the task as it begins', () => {
  const { reply, task } = made()
  expect(task.id).toMatch(/^cgt-20260101000000-[a-z0-9]{5}$/)
  expect(reply).toEqual({
    status: 200,
    body: {
      id: task.id,
      task_id: task.id,
      object: 'video',
      model: 'videoa-2-0-260128',
      status: 'queued',
      progress: 0,
      created_at: START / SECOND,
    },
  })
})

test('a task is queued, running and succeeded', () => {
  const { task, context } = made()
  const words = [0, 1_500, 10_000].map((ms) => seen(task.id, later(context, ms)).status)
  expect(words).toEqual(['queued', 'running', 'succeeded'])
})

test('before the end there is no content, no usage and no link', () => {
  const { task, context } = made()
  const body = seen(task.id, context)
  expect(body).toMatchObject({ status: 'queued', progress: 0, completed_at: null, error: null })
  for (const key of ['content', 'usage', 'url', 'video_url', 'metadata']) expect(body).not.toHaveProperty(key)
})

test('a finished task is the object of B with the links that clients of this path look for', () => {
  const { task, context } = made({ seed: 42, safety_identifier: 'user-1' })
  const body = seen(task.id, later(context, MINUTE))
  const end = task.timeline.at(-1)?.at ?? 0
  const url = `https://results.test/${task.id}/0?expires=${end + 14 * DAY}`
  expect(body).toEqual({
    id: task.id,
    task_id: task.id,
    object: 'video',
    model: 'videoa-2-0-260128',
    status: 'succeeded',
    progress: 100,
    error: null,
    created_at: START / SECOND,
    updated_at: Math.floor(end / SECOND),
    completed_at: Math.floor(end / SECOND),
    content: { video_url: url },
    url,
    video_url: url,
    metadata: { url },
    usage: { completion_tokens: 108_900, total_tokens: 108_900 },
    seed: 42,
    resolution: '720p',
    ratio: '16:9',
    duration: 5,
    framespersecond: 24,
    generate_audio: true,
    service_tier: 'default',
    execution_expires_after: 172_800,
    draft: false,
    priority: 0,
    safety_identifier: 'user-1',
  })
})

test('the last frame has a URL where it was asked for', () => {
  const { task, context } = made({ return_last_frame: true })
  const { content } = seen(task.id, later(context, MINUTE)) as { content: Record<string, string> }
  expect(Object.keys(content)).toEqual(['video_url', 'last_frame_url'])
  expect(expiryOf(content.last_frame_url as string)).toBe((task.timeline.at(-1)?.at ?? 0) + 14 * DAY)
})

test('the video is drawn in the pixels of its size and ratio', () => {
  const { task } = made({ size: '480p', ratio: '9:16', seconds: '7', watermark: true, generate_audio: false })
  expect(task.timeline.at(-1)?.value).toMatchObject({
    state: 'succeeded',
    media: [
      {
        kind: 'video',
        width: 496,
        height: 864,
        seconds: 7,
        framesPerSecond: 24,
        hasAudio: false,
        hasWatermark: true,
        card: { id: task.id, size: '480p 9:16 7s' },
      },
    ],
  })
})

test('while it runs the progress is from 10 to 95', () => {
  const { task, context } = made()
  const [, running, end] = task.timeline.map(({ at }) => at) as [number, number, number]
  const progressAt = (at: number) => seen(task.id, later(context, at - START)).progress
  expect(progressAt(running - 1)).toBe(0)
  expect(progressAt(running)).toBe(10)
  expect(progressAt(end - 1)).toBe(94)
  expect(progressAt(end)).toBe(100)
})

test('a task can be read for 7 days and not longer', () => {
  const { task, context } = made()
  expect(read(unifiedVideo, task.id, later(context, 7 * DAY)).reply.status).toBe(200)
  expect(read(unifiedVideo, task.id, later(context, 7 * DAY + 1)).reply).toMatchObject({
    status: 404,
    body: { code: 'task_not_exist', error: { code: 'task_not_exist' } },
  })
})

test('an unknown task is 404', () => {
  expect(read(unifiedVideo, 'cgt-nothing', contextWith()).reply).toEqual({
    status: 404,
    body: {
      code: 'task_not_exist',
      message: 'The task cgt-nothing does not exist, is older than 7 days, or belongs to another account.',
      data: null,
      error: {
        message: 'The task cgt-nothing does not exist, is older than 7 days, or belongs to another account.',
        type: 'invalid_request_error',
        code: 'task_not_exist',
        param: null,
      },
    },
  })
})

test('a cancelled task is deleted after 24 hours', () => {
  const { task, context } = made()
  force(task, { state: 'cancelled' }, context)
  expect(seen(task.id, later(context, 24 * HOUR - 1))).toMatchObject({ status: 'cancelled', error: null })
  expect(read(unifiedVideo, task.id, later(context, 24 * HOUR)).reply.status).toBe(404)
})

test('a task that has not ended expires after two days', () => {
  const { task } = made()
  expect(unifiedVideo.deadline?.(task.params as never, task.createdAt)).toBe(START + 2 * DAY)
})

test.each([
  ['OutputVideoSensitiveContentDetected', 'The output video may contain sensitive content.'],
  ['InternalServiceError', 'The service encountered an unexpected internal error.'],
  ['internal_error', 'The service encountered an internal error.'],
] as const)('a task that failed with %s says so', (error, message) => {
  const { task, context } = made()
  force(task, { state: 'failed', error }, later(context, SECOND))
  expect(seen(task.id, later(context, SECOND))).toMatchObject({
    status: 'failed',
    progress: 100,
    completed_at: START / SECOND + 1,
    error: { code: error, message },
  })
})

test('an expired task says so', () => {
  const { task, context } = made()
  force(task, { state: 'expired' }, context)
  expect(seen(task.id, context)).toMatchObject({ status: 'expired', error: { code: 'TaskExpired' } })
})

const openAi = { settings: { videoStatusWords: 'openai-style' as const } }

test.each([
  ['queued', 'queued'],
  ['running', 'in_progress'],
  ['cancelled', 'failed'],
  ['expired', 'failed'],
] as const)('with the setting videoStatusWords %s is %s', (state, word) => {
  const { task, context } = made({}, contextWith(openAi))
  force(task, { state }, context)
  expect(seen(task.id, context).status).toBe(word)
})

test('with the setting videoStatusWords a task ends as completed', () => {
  const { reply, task, context } = made({}, contextWith(openAi))
  expect(reply.body).toMatchObject({ status: 'queued' })
  expect(seen(task.id, later(context, MINUTE)).status).toBe('completed')
})

test.each([
  ['cancelled', 'task_cancelled'],
  ['expired', 'TaskExpired'],
] as const)('whatever the setting shows as failed has a reason: %s', (state, code) => {
  const { task, context } = made({}, contextWith(openAi))
  force(task, { state }, context)
  expect(seen(task.id, context)).toMatchObject({
    status: 'failed',
    error: { code, message: expect.stringMatching(/.\.$/) },
  })
})

test('a video is paid for when it succeeds, by the second', () => {
  const { task, context } = made({ seconds: '10' })
  const opened = balanceOf(context.account)
  seen(task.id, later(context, 2 * SECOND))
  expect(balanceOf(context.account)).toBe(opened)
  seen(task.id, later(context, MINUTE))
  expect(balanceOf(context.account)).toBeCloseTo(opened - 1)
})

test.each([
  [{}, 0.5],
  [{ size: '480p' }, 0.25],
  [{ model: FAST }, 0.25],
  [{ size: '1080p', media: [text(), item('first_frame')] }, 1.25],
])('5 seconds of %j cost %d', (change, price) => {
  expect(made(change).task.price).toBeCloseTo(price)
})

test('the setting prices sets another price', () => {
  const settings = { prices: { 'videoa-2-0-260128 720p': 2 } }
  expect(made({}, contextWith({ settings })).task.price).toBe(10)
})

test('with realistic timing a video takes minutes, and the fast model less than half of it', () => {
  const settings = { timing: 'realistic' as const }
  const msOf = (model: string) => {
    const { task } = made({ model }, contextWith({ settings }))
    return (task.timeline.at(-1)?.at ?? 0) - START
  }
  expect(msOf('videoa-2-0-260128')).toBeGreaterThan(75 * SECOND)
  expect(msOf(FAST)).toBeLessThan(75 * SECOND)
})

test('with instant timing a create still says queued', () => {
  const { reply, task, context } = made({}, contextWith({ settings: { timing: 'instant' } }))
  expect(reply.body).toMatchObject({ status: 'queued', progress: 0 })
  expect(seen(task.id, context).status).toBe('succeeded')
})
