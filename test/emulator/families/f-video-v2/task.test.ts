import { describe, expect, test } from 'vitest'
import { paceOf, SECOND } from '../../../../src/emulator/core/schedule/time.js'
import { operationsOf } from '../../../../src/emulator/core/task/operations.js'
import { videoV2 } from '../../../../src/emulator/families/f-video-v2/index.js'
import { at, cancel, contextWith, create, expiryOf, force, later, read, START } from '../context.js'
import { DAY, made, picture, request, text, url } from './request.js'

describe('task', () => {
  test('clients can create, read and cancel', () => {
    const routes = operationsOf(videoV2).map(({ id, route }) => `${id} ${route.method} ${route.path}`)
    expect(routes).toEqual([
      'f-video-v2.create POST /provC/v2/video_generation',
      'f-video-v2.read GET /provC/v2/query/video_generation/{task_id}',
      'f-video-v2.cancel DELETE /provC/v2/video_generation/{task_id}',
    ])
  })

  test('a create answers the id in both places', () => {
    const { reply, meta: notes } = create(videoV2, request(), contextWith())
    expect(reply).toEqual({ status: 200, body: { output: { task_id: notes.task }, task_id: notes.task } })
  })

  test('ids have 17 digits and never repeat within an account', () => {
    const context = contextWith()
    const ids = Array.from({ length: 500 }, () => create(videoV2, request(), context).meta.task as string)
    expect(new Set(ids).size).toBe(500)
    expect(ids.filter((id) => !/^[1-9]\d{16}$/.test(id))).toEqual([])
  })

  test('the same call in the same context makes the same task, another account another one', () => {
    expect(made().task).toEqual(made().task)
    expect(made({}, { key: 'other-key' }).task.id).not.toBe(made().task.id)
  })

  test('a new task is queued, without content and with empty usage, and is mirrored at the top', () => {
    const { context, task } = made()
    const shown = {
      id: task.id,
      model: 'gamma-H3',
      status: 'queued',
      created_at: START / 1000,
      updated_at: START / 1000,
      resolution: '768P',
      duration: 5,
      usage: {},
      ratio: '16:9',
      task_type: 'generation',
      modality: 'video',
    }
    expect(read(videoV2, task.id, context).reply).toEqual({ status: 200, body: { task: shown, ...shown } })
  })

  test('a running task has been updated when it began to run', () => {
    const { context, task } = made()
    const runs = task.timeline[1]?.at as number
    const { reply } = read(videoV2, task.id, at(context, runs + 10))
    expect(reply.body).toMatchObject({ status: 'running', updated_at: Math.floor(runs / 1000), usage: {} })
    expect(reply.body).not.toHaveProperty('content')
  })

  test('a succeeded task has a result for 14 days, and its usage', () => {
    const { task, ended } = made({ duration: 7 })
    const body = read(videoV2, task.id, ended).reply.body as { task: { content: { url: string } } }
    expect(body).toMatchObject({ status: 'succeeded', task: { status: 'succeeded' } })
    expect(body).toHaveProperty('content.url', body.task.content.url)
    expect(expiryOf(body.task.content.url)).toBe(ended.now + 14 * DAY)
    expect(body).toHaveProperty('usage', {
      total_seconds: 7,
      input_seconds: 0,
      output_seconds: 7,
      input_image_count: 0,
    })
    expect(body).not.toHaveProperty('error')
  })

  test.each([
    ['unprocessable_entity_error', '1026'],
    ['server_error', '1000'],
    ['overloaded_error', '529'],
  ] as const)('a task that fails with %s has the code %s as text', (error, code) => {
    const { context, task } = made()
    force(task, { state: 'failed', error }, context)
    const { body } = read(videoV2, task.id, context).reply
    expect(body).toMatchObject({ status: 'failed', error: { code, message: expect.any(String) }, usage: {} })
    expect(body).not.toHaveProperty('content')
  })

  test('a task can be read for 7 days', () => {
    const { context, task } = made()
    expect(read(videoV2, task.id, at(context, START + 7 * DAY)).reply.status).toBe(200)
    expect(read(videoV2, task.id, at(context, START + 7 * DAY + 1)).reply.status).toBe(400)
  })

  test.each([
    ['reading', read],
    ['cancelling', cancel],
  ])('%s an unknown task is a parameter error', (_, doing) => {
    const { reply } = doing(videoV2, '100000000000000', contextWith())
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({
      type: 'error',
      error: {
        type: 'bad_request_error',
        message: 'invalid params, invalid task_id (2013)',
        http_code: '400',
      },
    })
  })

  test('the callback address is kept with the task, with a challenge to be returned first', () => {
    expect(made({ callback_url: 'http://127.0.0.1:9/hook' }).task.callback).toMatchObject({
      url: 'http://127.0.0.1:9/hook',
      challenge: expect.stringMatching(/^.{32}$/),
    })
    expect(made().task).not.toHaveProperty('callback')
  })

  test('a task survives being written down as JSON', () => {
    const { task } = made({ content: [text(), picture(url(1))] })
    expect(JSON.parse(JSON.stringify(task))).toEqual(task)
  })
})

describe('cancel', () => {
  test('a queued task can be cancelled, and stays readable as cancelled', () => {
    const { context, task } = made()
    expect(cancel(videoV2, task.id, context).reply).toEqual({
      status: 200,
      body: { task_id: task.id, action: 'cancelled', status: 'cancelled' },
    })
    expect(read(videoV2, task.id, later(context, 2 * DAY)).reply.body).toMatchObject({ status: 'cancelled' })
  })

  test.each(['running', 'succeeded', 'failed', 'cancelled'] as const)(
    'a task that is %s is not cancelled',
    (state) => {
      const { context, task, ended } = made()
      const when = state === 'running' ? at(context, task.timeline[1]?.at as number) : ended
      if (state === 'failed') force(task, { state, error: 'server_error' }, context)
      if (state === 'cancelled') cancel(videoV2, task.id, context)
      const { reply, changes } = cancel(videoV2, task.id, when)
      expect(reply.status).toBe(400)
      expect(reply.body).toMatchObject({
        type: 'error',
        error: {
          type: 'bad_request_error',
          message: expect.stringMatching(new RegExp(`is ${state}.*\\(2013\\)$`)),
        },
      })
      expect(changes).toEqual([])
    },
  )
})

describe('timing', () => {
  test.each([
    ['gamma-H3', '768P', 5, 90],
    ['gamma-H3', '768P', 15, 210],
    ['gamma-H3', '2K', 5, 170],
    ['gamma-H3-Max', '480P', 5, 90],
    ['gamma-H3-Max', '768P', 5, 135],
  ])('%s at %s of %i seconds runs about %i seconds', (model, resolution, duration, about) => {
    const { context, task } = made({ model, resolution, duration }, { settings: { timing: 'realistic' } })
    const workload = { queuedMs: 20 * SECOND, runningMs: about * SECOND }
    const { queuedMs, runningMs } = paceOf('realistic', workload, context.random)
    expect(task.timeline.map((moment) => moment.at - START)).toEqual([0, queuedMs, queuedMs + runningMs])
  })

  test('with instant timing a task has succeeded at the first look', () => {
    const { context, task } = made({}, { settings: { timing: 'instant' } })
    expect(read(videoV2, task.id, context).reply.body).toMatchObject({ status: 'succeeded' })
  })
})
