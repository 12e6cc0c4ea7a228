import { expect, test } from 'vitest'
import { videoV2 } from '../../../src/families/f-video-v2/index.js'
import { at, cancel, force, later, read } from '../world.js'
import { DAY, made } from './request.js'

test('a queued task can be cancelled, and stays readable as cancelled', () => {
  const { world, task } = made()
  expect(cancel(videoV2, task.id, world).reply).toEqual({
    status: 200,
    body: { task_id: task.id, action: 'cancelled', status: 'cancelled' },
  })
  expect(read(videoV2, task.id, later(world, 2 * DAY)).reply.body).toMatchObject({ status: 'cancelled' })
})

test.each(['running', 'succeeded', 'failed', 'cancelled'] as const)(
  'a task that is %s is not cancelled',
  (state) => {
    const { world, task, ended } = made()
    const when = state === 'running' ? at(world, task.life[1]?.at as number) : ended
    if (state === 'failed') force(task, { state, error: 'server_error' }, world)
    if (state === 'cancelled') cancel(videoV2, task.id, world)
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
