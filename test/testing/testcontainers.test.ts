import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { ScenarioDocument } from '../../src/index.js'
import { startContainer } from '../../src/testing/testcontainers.js'
import { backlot } from '../cli/backlot.js'

/** A process in the place of a container: the entry point of the image with the environment that was asked for. */
const imageOfProcess = () => {
  const given: { ports: number[]; environment: Record<string, string> } = { ports: [], environment: {} }
  const image = {
    given,
    withExposedPorts: (...ports: number[]) => {
      given.ports = ports
      return image
    },
    withEnvironment: (environment: Record<string, string>) => {
      given.environment = environment
      return image
    },
    start: async () => {
      const environment = { BACKLOT_HOST: '0.0.0.0', ...given.environment }
      const running = backlot(['start', '--port', '0', '--json'], { environment })
      const { port } = JSON.parse(await running.line())
      return {
        getHost: () => 'localhost',
        getMappedPort: (inside: number) => (inside === 4650 ? port : 0),
        stop: async () => {
          running.process.kill('SIGTERM')
          await once(running.process, 'exit')
        },
      }
    },
  }
  return image
}

const steps: ScenarioDocument['steps'] = [
  { when: { operation: 'b-video-task.create' }, then: { answer: { status: 503 } } },
]

test('an emulator in a container has the settings and the handles of one in this process', async () => {
  const image = imageOfProcess()
  const emulator = await startContainer(image, {
    ...{ key: 'my-key', clock: undefined, requestsPerMinute: null, moderationWords: ['war', 'blood, sweat'] },
    account: ['my-key', { key: 'rich', balance: 5 }],
    scenario: { name: 'broken-create', description: 'Every create fails.', steps },
  })
  expect(image.given.ports).toEqual([4650])
  expect((await emulator.clock.read()).mode).toBe('on-poll')
  const orders = [await create(emulator.url, 'my-key', 'fish'), await create(emulator.url, 'other', 'fish')]
  expect(orders).toEqual([503, 401])
  expect((await emulator.account('rich').read()).balance).toBe(5)
  expect(await emulator.requests.list({ operation: 'b-video-task.create' })).toHaveLength(1)
  const refused = await fetch(`${emulator.url}/_backlot/clock`)
  expect(refused.status).toBe(401)
  await emulator.stop()
  await expect(emulator.clock.read()).rejects.toMatchObject({ code: 'unreachable' })
})

test('a container whose handles cannot be made is stopped', async () => {
  let isStopped = false
  const image = {
    withExposedPorts: () => image,
    withEnvironment: () => image,
    start: async () => ({
      getHost: () => 'localhost',
      getMappedPort: () => 4650,
      stop: async () => {
        isStopped = true
      },
    }),
  }
  await expect(startContainer(image, { key: '' })).rejects.toMatchObject({ code: 'bad-argument' })
  expect(isStopped).toBe(true)
})

test('a wrong setting is refused before a container is started', async () => {
  const image = imageOfProcess()
  const wrong = { seedd: 1, timing: 'gentle' } as object
  await expect(startContainer(image, wrong)).rejects.toMatchObject({
    code: 'bad-setting',
    message: expect.stringMatching(/seedd is no setting, did you mean seed\?; timing must be/),
  })
  expect(image.given.ports).toEqual([])
})

test('a container that does not start is told with how its output is shown', async () => {
  const cause = new Error('container stopped/paused')
  const image = { ...imageOfProcess(), start: () => Promise.reject(cause) }
  const startable = { ...image, withExposedPorts: () => startable, withEnvironment: () => startable }
  await expect(startContainer(startable as never)).rejects.toMatchObject({
    code: 'container-not-started',
    message: expect.stringMatching(
      /^The container did not start: container stopped\/paused\n.*withLogConsumer/,
    ),
    cause,
  })
})

const create = async (url: string, key: string, text: string): Promise<number> => {
  const body = JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text }] })
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${url}/provB/api/v3/contents/generations/tasks`, { method: 'POST', headers, body }))
    .status
}
