import { describe, expect, test } from 'vitest'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import {
  at,
  contextWith,
  expiryOf,
  force,
  later,
  read,
  START,
  type TestContext,
  taskOf,
  unseen,
  video,
} from '../context.js'
import {
  clip,
  finished,
  idOf,
  make,
  media,
  mediaMadeBy,
  picture,
  request,
  type TaskObject,
  text,
  withContent,
} from './requests.js'

describe('query', () => {
  const SECOND = 1_000
  const MINUTE = 60 * SECOND
  const DAY = 24 * 60 * MINUTE
  const LONG_AFTER = 10 * MINUTE

  const shown = (id: string, context: TestContext) => read(videoTask, id, context).reply.body as TaskObject

  test('a create answers with the id alone', () => {
    const { reply } = make(request())
    expect(reply).toEqual({
      status: 200,
      body: { id: expect.stringMatching(/^cgt-20260101000000-[a-z0-9]{5}$/) },
    })
  })

  test('the id carries the time of the account clock in UTC', () => {
    const context = contextWith({ now: Date.UTC(2031, 10, 9, 8, 7, 6, 543) })
    expect(idOf(request(), context)).toMatch(/^cgt-20311109080706-/)
  })

  test('ids of one instant differ', () => {
    const context = contextWith()
    const ids = Array.from({ length: 50 }, () => idOf(request(), context))
    expect(new Set(ids).size).toBe(50)
  })

  test('a queued task has everything but its result', () => {
    const context = contextWith({ resolvedMedia: media })
    const id = idOf(request({ seed: 7, safety_identifier: 'viewer-1' }), context)
    expect(shown(id, context)).toEqual({
      id,
      model: 'videoa-2-0-260128',
      status: 'queued',
      error: null,
      created_at: START / SECOND,
      updated_at: START / SECOND,
      seed: 7,
      resolution: '720p',
      ratio: '16:9',
      duration: 5,
      framespersecond: 24,
      generate_audio: true,
      service_tier: 'default',
      execution_expires_after: 172_800,
      draft: false,
      priority: 0,
      safety_identifier: 'viewer-1',
    })
  })

  test('a query echoes the params of the request', () => {
    const context = contextWith({ resolvedMedia: media })
    const fields = {
      ratio: '9:16',
      resolution: '480p',
      duration: 12,
      seed: 99,
      generate_audio: false,
      service_tier: 'flex',
      execution_expires_after: 3_600,
      draft: true,
      priority: 9,
    }
    expect(shown(idOf(request(fields), context), context)).toMatchObject(fields)
  })

  test('a task is queued, runs and succeeds, and says since when', () => {
    const context = contextWith({ resolvedMedia: media })
    const { id, timeline } = taskOf(make(request(), context), context)
    const [, running, end] = timeline.map((moment) => moment.at) as [number, number, number]
    const seconds = (instant: number) => Math.floor(instant / SECOND)
    expect(shown(id, at(context, running - 1))).toMatchObject({
      status: 'queued',
      updated_at: seconds(START),
    })
    expect(shown(id, at(context, running))).toMatchObject({ status: 'running', updated_at: seconds(running) })
    expect(shown(id, at(context, end - 1))).toMatchObject({ status: 'running' })
    expect(shown(id, at(context, end))).toMatchObject({
      status: 'succeeded',
      updated_at: seconds(end),
      created_at: START / SECOND,
    })
  })

  test('content and usage come with success and not before', () => {
    const context = contextWith({ resolvedMedia: media })
    const id = idOf(request(), context)
    expect(shown(id, later(context, SECOND / 2))).not.toHaveProperty('content')
    expect(shown(id, later(context, SECOND / 2))).not.toHaveProperty('usage')
    const done = shown(id, later(context, LONG_AFTER))
    expect(done.content).toEqual({ video_url: expect.stringMatching(/^https:/) })
    expect(done.usage).toEqual({ completion_tokens: 108_900, total_tokens: 108_900 })
  })

  test('the URL of the last frame is there where it was asked for, and is another', () => {
    const context = contextWith({ resolvedMedia: media })
    const { content } = shown(idOf(request({ return_last_frame: true }), context), later(context, LONG_AFTER))
    expect(content?.last_frame_url).toMatch(/^https:/)
    expect(content?.last_frame_url).not.toBe(content?.video_url)
  })

  test('result URLs are valid for 14 days from success, whenever they are looked at', () => {
    const context = contextWith({ resolvedMedia: media })
    const id = idOf(request({ return_last_frame: true }), context)
    const end = context.account.tasks.get(id)?.timeline.at(-1)?.at ?? 0
    for (const seen of [end, end + 3 * DAY]) {
      const { content } = shown(id, at(context, seen))
      expect(expiryOf(content?.video_url ?? '')).toBe(end + 14 * DAY)
      expect(expiryOf(content?.last_frame_url ?? '')).toBe(end + 14 * DAY)
    }
  })

  test.each([
    ['OutputVideoSensitiveContentDetected', 'The output video may contain sensitive content.'],
    ['InternalServiceError', 'The service encountered an unexpected internal error.'],
    ['InputImageSensitiveContentDetected', 'An input image may contain sensitive content.'],
  ])('a task that failed with %s says so and has no result', (error, message) => {
    const context = contextWith({ resolvedMedia: media })
    const task = taskOf(make(request(), context), context)
    force(task, { state: 'failed', error }, context)
    const failed = shown(task.id, context)
    expect(failed).toMatchObject({ status: 'failed', error: { code: error, message } })
    expect(failed).not.toHaveProperty('content')
    expect(failed).not.toHaveProperty('usage')
  })

  test('an expired task says that it expired', () => {
    const context = contextWith({ resolvedMedia: media })
    const task = taskOf(make(request(), context), context)
    force(task, { state: 'expired' }, context)
    expect(shown(task.id, context)).toMatchObject({ status: 'expired', error: { code: 'TaskExpired' } })
  })

  test.each([
    ['exactly 7 days old', 7 * DAY, 200],
    ['a millisecond older', 7 * DAY + 1, 404],
  ])('a task that is %s', (_, ms, status) => {
    const context = contextWith({ resolvedMedia: media })
    const id = idOf(request(), context)
    expect(read(videoTask, id, later(context, ms)).reply.status).toBe(status)
  })

  test.each([
    ['no account made', () => 'cgt-20260101000000-zzzzz'],
    ['another account made', () => idOf(request(), contextWith({ key: 'somebody-else' }))],
  ])('a task that %s is not found', (_, idElsewhere) => {
    const id = idElsewhere()
    expect(read(videoTask, id, contextWith()).reply).toEqual({
      status: 404,
      body: {
        error: {
          code: 'ResourceNotFound',
          message: expect.stringContaining(`The task ${id} does not exist`),
          param: 'id',
          type: 'NotFound',
        },
      },
    })
  })

  test('the callback address of a request is kept with its task', () => {
    const context = contextWith()
    const task = taskOf(make(request({ callback_url: 'https://hooks.test/tasks' }), context), context)
    expect(task.callback).toMatchObject({ url: 'https://hooks.test/tasks' })
    expect(task.callback).not.toHaveProperty('challenge')
    expect(taskOf(make(request(), context), context)).not.toHaveProperty('callback')
  })

  test('the ratio that adaptive came to is reported from the beginning', () => {
    const context = contextWith({ resolvedMedia: media })
    expect(
      shown(idOf({ ...withContent(text(), picture()), ratio: 'adaptive' }, context), context).ratio,
    ).toBe('1:1')
  })
})

describe('pixels and tokens', () => {
  // Pixels by resolution and ratio (gap B13).
  const pixels: [string, string, number, number][] = [
    ['480p', '16:9', 864, 496],
    ['480p', '4:3', 752, 560],
    ['480p', '1:1', 640, 640],
    ['480p', '3:4', 560, 752],
    ['480p', '9:16', 496, 864],
    ['480p', '21:9', 992, 432],
    ['720p', '16:9', 1280, 720],
    ['720p', '4:3', 1112, 834],
    ['720p', '1:1', 960, 960],
    ['720p', '3:4', 834, 1112],
    ['720p', '9:16', 720, 1280],
    ['720p', '21:9', 1470, 630],
    ['1080p', '16:9', 1920, 1080],
    ['1080p', '4:3', 1664, 1248],
    ['1080p', '1:1', 1440, 1440],
    ['1080p', '3:4', 1248, 1664],
    ['1080p', '9:16', 1080, 1920],
    ['1080p', '21:9', 2206, 946],
  ]

  test.each(pixels)('%s %s is %i x %i at 24 frames a second', (resolution, ratio, width, height) =>
    expect(mediaMadeBy({ ...withContent(text(), picture()), resolution, ratio })).toMatchObject([
      { kind: 'video', width, height, framesPerSecond: 24, seconds: 5 },
    ]),
  )

  test.each(pixels)('%s %s is metered by its pixels', (resolution, ratio, width, height) => {
    const tokens = Math.floor((width * height * (24 * 7 + 1)) / 1024)
    expect(finished({ ...withContent(text(), picture()), resolution, ratio, duration: 7 }).usage).toEqual({
      completion_tokens: tokens,
      total_tokens: tokens,
    })
  })

  // The examples of gap B14, and the reference seconds.
  test.each([
    ['1280x720, 5 s', { resolution: '720p', ratio: '16:9', duration: 5 }, 108_900],
    ['864x496, 5 s', { resolution: '480p', ratio: '16:9', duration: 5 }, 50_638],
  ])('%s are %i tokens', (_, fields, tokens) =>
    expect(finished(request(fields)).usage).toEqual({ completion_tokens: tokens, total_tokens: tokens }),
  )

  test.each([
    ['a reference video of 5 s', [clip()], 5, 108_900 + 108_000],
    ['a reference video of 3.003 s', [clip()], 3.003, 108_900 + 64_864],
    // A token less where the fractions of binary numbers are added up.
    ['a reference video of 2.05 s', [clip()], 2.05, 108_900 + 44_280],
    ['two of 2 s', [clip('reference_video'), clip('reference_video')], 2, 108_900 + 86_400],
  ])('reference seconds are metered too: %s', (_, clips, seconds, tokens) =>
    expect(
      finished(
        { ...withContent(text(), ...clips), ratio: '16:9' },
        { resolvedMedia: { 'https://media.test/clip': video({ seconds }) } },
      ).usage?.total_tokens,
    ).toBe(tokens),
  )

  test('reference videos that were not read are not metered', () =>
    expect(
      finished(
        { ...withContent(clip()), ratio: '16:9' },
        { resolvedMedia: { 'https://media.test/clip': unseen() } },
      ).usage?.total_tokens,
    ).toBe(108_900))
})
