import { describe, expect, test } from 'vitest'
import { paceOf, SECOND, type Timing } from '../../../../src/emulator/core/schedule/time.js'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import { cancel, contextWith, create, force, later, read, START, taskOf } from '../context.js'
import { FAST, make, media, picture, request, text, withContent } from './requests.js'

describe('timeline', () => {
  const lengths = (body: unknown, timing: Timing, sequence = 1) => {
    const context = contextWith({ resolvedMedia: media, settings: { timing }, sequence })
    const { timeline } = taskOf(make(body, context), context)
    expect(timeline.map(({ value }) => value.state)).toEqual(['queued', 'running', 'succeeded'])
    const [queued, running, end] = timeline.map(({ at }) => at) as [number, number, number]
    expect(queued).toBe(START)
    return { queuedMs: running - queued, runningMs: end - running }
  }

  const within = (ms: number, middle: number) => {
    expect(ms).toBeGreaterThanOrEqual(middle * 0.75 - 1)
    expect(ms).toBeLessThanOrEqual(middle * 1.25 + 1)
  }

  // Seconds in the queue and seconds of work (docs/families/b-video-task.md).
  test.each<[string, Record<string, unknown>, number, number]>([
    ['5 s of 480p', { resolution: '480p' }, 15, 60],
    ['5 s of 720p', { resolution: '720p' }, 15, 90],
    ['5 s of 1080p', { resolution: '1080p' }, 15, 170],
    ['15 s of 720p', { duration: 15 }, 15, 230],
    ['5 s of 720p with the fast model', { model: FAST }, 15, 40.5],
    ['5 s of 720p on the flex tier', { service_tier: 'flex' }, 900, 90],
  ])('realistic timing: %s', (_, fields, queued, running) => {
    const workload = { queuedMs: queued * SECOND, runningMs: running * SECOND }
    expect(lengths({ ...withContent(text(), picture()), ...fields }, 'realistic')).toEqual(
      paceOf('realistic', workload, contextWith().random),
    )
  })

  test('fast timing takes about three seconds, whatever is asked for', () => {
    for (let sequence = 1; sequence <= 20; sequence += 1) {
      const { queuedMs, runningMs } = lengths(
        request({ duration: 15, service_tier: 'flex' }),
        'fast',
        sequence,
      )
      within(queuedMs, 1_000)
      within(runningMs, 2_000)
    }
  })

  test('instant timing is over at once, and everything has happened in order', () => {
    expect(lengths(request(), 'instant')).toEqual({ queuedMs: 0, runningMs: 0 })
    const context = contextWith({ settings: { timing: 'instant' } })
    const { meta: notes } = make(request(), context)
    expect(read(videoTask, notes.task ?? '', context).reply.body).toMatchObject({ status: 'succeeded' })
    expect(context.account.spent).toBe(0.5)
  })

  test.each([3_600, 172_800, 259_200])(
    'a task expires %i seconds after its creation where it has not ended by then',
    (seconds) => {
      const endless = { ...videoTask, timeline: () => [{ at: START, value: { state: 'queued' as const } }] }
      const context = contextWith()
      const { timeline } = taskOf(
        create(endless, request({ execution_expires_after: seconds }), context),
        context,
      )
      expect(timeline.at(-1)).toEqual({ at: START + seconds * 1_000, value: { state: 'expired' } })
    },
  )

  test('a task that ends in time does not expire', () => {
    const context = contextWith({ settings: { timing: 'realistic' } })
    const body = request({ execution_expires_after: 3_600, service_tier: 'flex', duration: 15 })
    expect(taskOf(make(body, context), context).timeline.at(-1)?.value.state).toBe('succeeded')
  })

  test('a task is charged when it succeeds', () => {
    const context = contextWith({ resolvedMedia: media })
    make(request(), context)
    read(videoTask, 'any', later(context, 500))
    expect(context.account.spent).toBe(0)
    read(videoTask, 'any', later(context, 60_000))
    expect(context.account.spent).toBe(0.5)
  })

  test('a task that failed, expired or was cancelled is not charged', () => {
    const context = contextWith({ resolvedMedia: media })
    force(
      taskOf(make(request(), context), context),
      { state: 'failed', error: 'InternalServiceError' },
      context,
    )
    force(taskOf(make(request(), context), context), { state: 'expired' }, context)
    cancel(videoTask, make(request(), context).meta.task ?? '', context)
    read(videoTask, 'any', later(context, 60_000))
    expect(context.account.spent).toBe(0)
  })
})

describe('price', () => {
  // Prices per second (docs/families/b-video-task.md).
  test.each([
    ['480p', {}, 0.25],
    ['720p', {}, 0.5],
    ['1080p', {}, 1.25],
    ['480p', { model: FAST }, 0.125],
    ['720p', { model: FAST }, 0.25],
  ])('5 seconds of %s %j cost %d', (resolution, fields, price) => {
    const context = contextWith({ resolvedMedia: media })
    const { meta: notes } = make({ ...withContent(text(), picture()), resolution, ...fields }, context)
    expect(context.account.tasks.get(notes.task ?? '')?.price).toBeCloseTo(price, 10)
  })

  test('is no binary fraction', () => {
    const context = contextWith({})
    const { meta: notes } = make(request({ duration: 7, resolution: '720p' }), context)
    expect(context.account.tasks.get(notes.task ?? '')?.price).toBe(0.7)
  })

  test.each([
    ['a model', { [FAST]: 2 }, 10],
    ['a model and resolution', { [`${FAST} 480p`]: 3, [FAST]: 2 }, 15],
    ['another model', { gamma: 9 }, 0.125],
  ])('the setting prices may name %s', (_, prices, price) => {
    const context = contextWith({ settings: { prices } })
    const { meta: notes } = make(request({ model: FAST, resolution: '480p' }), context)
    expect(context.account.tasks.get(notes.task ?? '')?.price).toBeCloseTo(price, 10)
  })
})
