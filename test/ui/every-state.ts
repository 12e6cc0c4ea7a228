import type { AccountHandles, EmulatorSettings, RunningEmulator } from '../../src/index.js'
import { callAs, create, createBody, KEY, TASKS } from './page.js'

/** Settings of an emulator whose page has a profile to show. */
export const PROFILE: EmulatorSettings = {
  profile: [
    {
      models: { 'videoa-2-5-270101': { like: 'videoa-2-0-260128', seconds: [4, 20], price: 0.2 } },
      errors: {
        'c-video': { quota_gone: { status: 402, type: 'permission_error', message: 'The quota is used up' } },
      },
      rules: { 'c-video.balance-is-positive': { error: 'quota_gone' } },
    },
  ],
}

const IMAGES = '/provA/api/v1/services/aigc/multimodal-generation/generation'

const image = (text: string, size: string) => ({
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text }] }] },
  parameters: { size },
})

/** Ids of what stands open in the views. */
export interface EveryState {
  /** A task in each of its states, by the name of the state. */
  readonly tasks: Readonly<
    Record<'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired', string>
  >
  /** A call of which two fields are refused. */
  readonly refused: string
  /** A call that a scenario answered. */
  readonly byScenario: string
  /** A call of no operation. */
  readonly unknown: string
  readonly delivered: string
  readonly undelivered: string
}

/**
 * Traffic after which every view has something of each kind to show: tasks in every state, pictures and videos in several shapes,
 * refusals, effects of scenarios, callbacks that arrived and that did not, downloads, results that have ended, two scenarios of
 * which one is used up, two snapshots, and a client with findings.
 */
export const makeEveryState = async (emulator: RunningEmulator): Promise<EveryState> => {
  const { url } = emulator
  const account = emulator.account(KEY)
  const expired = await makeExpired(url, account)
  await makeResults(url, account)
  await account.snapshot()
  const refused = await callAs(url, TASKS, createBody('a lighthouse at noon', { duration: 30, ratio: '5:4' }))
  await callAs(url, TASKS, createBody('a tram', { model: 'none', duratoin: 5 }))
  const unknown = await callAs(url, '/v1/videoss', {})
  await account.fail('b-video-task.create', { error: 'ServerOverloaded', times: 1 })
  const byScenario = await callAs(url, TASKS, createBody('a harbour in the snow'))
  await account.scenario.play('one-failed-poll')
  const failed = await create(url, 'a bridge that is never built', {
    callback_url: `${url}/_backlot/inbox/hooks`,
  })
  await account.tasks.fail(failed)
  const cancelled = await create(url, 'a queue that nobody waits in')
  await callAs(url, `${TASKS}/${cancelled}`, undefined, KEY)
  await fetch(`${url}${TASKS}/${cancelled}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${KEY}` },
  })
  const undeliveredTask = await create(url, 'a letter that no door opens for', {
    callback_url: `${url}/_backlot/no-such-receiver`,
  })
  await account.clock.advance({ to: 'idle' })
  await account.snapshot()
  const running = await create(url, 'a tram in the morning')
  await account.clock.advance({ to: 'next' })
  for (let polls = 0; polls < 4; polls += 1) await callAs(url, `${TASKS}/${running}`)
  const queued = await create(url, 'seven cranes over a river, slow dolly, film grain')
  const tasks = await account.tasks.list()
  const callbacks = await account.callbacks.list()
  return {
    tasks: {
      queued,
      running,
      succeeded: tasks.find(({ status }) => status === 'succeeded')?.id ?? '',
      failed,
      cancelled,
      expired,
    },
    refused: idOf(refused),
    byScenario: idOf(byScenario),
    unknown: idOf(unknown),
    delivered: callbacks.find(({ state }) => state === 'delivered')?.id ?? '',
    undelivered: callbacks.find(({ taskId }) => taskId === undeliveredTask)?.id ?? '',
  }
}

const idOf = (response: Response): string => response.headers.get('x-request-id') ?? ''

const makeExpired = async (url: string, account: AccountHandles): Promise<string> => {
  await account.scenario.play('runs-for-ever')
  const id = await create(url, 'a mill that turns for ever', { execution_expires_after: 3_600 })
  await account.clock.advance('2h')
  await account.scenario.stop('runs-for-ever')
  return id
}

const SIZES = ['1024*1024', '1280*720', '720*1280']

/** Pictures and videos, one of them downloaded; those of the first day have ended. */
const makeResults = async (url: string, account: AccountHandles): Promise<void> => {
  for (const size of SIZES) await callAs(url, IMAGES, image(`a harbour in the rain, ${size}`, size))
  await account.clock.advance('25h')
  for (const size of SIZES) await callAs(url, IMAGES, image(`a lighthouse 🌊 by night, ${size}`, size))
  await create(url, 'a lighthouse in the fog', { return_last_frame: true })
  await create(url, 'a tall tower', { ratio: '9:16', resolution: '480p' })
  const done = await create(url, 'a river seen from above', { callback_url: `${url}/_backlot/inbox/hooks` })
  await account.clock.advance({ to: 'idle' })
  const task = (await (await callAs(url, `${TASKS}/${done}`)).json()) as { content: { video_url: string } }
  await (await fetch(task.content.video_url)).arrayBuffer()
}
