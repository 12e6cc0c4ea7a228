import { hash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SettingsInput } from '../../src/core/settings.js'
import { createReceiver } from '../accounts/persistence/receiver.js'
import { openFolder } from '../accounts/persistence/start.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

const IMAGE = '/provA/api/v1/services/aigc/multimodal-generation/generation'

const start = (settings: SettingsInput, post = createReceiver().post) =>
  replicasOn('').replica(
    { store: undefined, signingSecret: 'the same for all of them', ...settings },
    { post },
  )

type Started = Awaited<ReturnType<typeof start>>

/** Everything that a client and a test see of a conversation, without the address of the emulator. */
const conversation = async ({ as, url }: Started) => {
  const one = as('k')
  const said: unknown[] = []
  const say = (answer: { readonly status: number; readonly body: unknown }) => {
    said.push(answer)
    return answer
  }
  const first = say(await one.create({ callback_url: 'http://127.0.0.1:9/hook' })) as { body: { id: string } }
  const second = say(await one.create()) as { body: { id: string } }
  say(await one.create({ model: 'none' }))
  say(await one.remove(second.body.id))
  say(await as('other').create())
  await one.clock.advance('1h')
  for (const { body } of [first, second]) say(await one.query(body.id))
  say(await one.list())
  const body = JSON.stringify({
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
    parameters: { size: '512*512' },
  })
  const image = await one.ask(IMAGE, { method: 'POST', body })
  say(image)
  const { pathname, search } = new URL(image.body.output.choices[0].message.content[0].image)
  const bytes = Buffer.from(await (await fetch(url + pathname + search)).arrayBuffer())
  said.push(hash('sha256', bytes, 'hex'))
  const calls = (await one.ask('/_backlot/requests')).body.items
  said.push(calls.map(({ id, operation, status }: Record<string, unknown>) => ({ id, operation, status })))
  const callbacks = (await one.ask('/_backlot/callbacks')).body.items
  said.push(callbacks.map(({ id, state, status }: Record<string, unknown>) => ({ id, state, status })))
  say(await one.ask('/_backlot/account'))
  say(await one.ask('/_backlot/reset', { method: 'POST' }))
  say(await one.list())
  say(await one.create())
  return JSON.parse(JSON.stringify(said).replaceAll(url, 'http://backlot'))
}

/** What outlives a process: everything that was answered, the numbers, and the callbacks that are still to come. */
const restart = async (settings: SettingsInput) => {
  const before = createReceiver()
  const one = await start(settings, before.post)
  const { body } = await one.as('k').create({ callback_url: 'http://127.0.0.1:9/hook' })
  const second = await one.as('k').create()
  const list = (await one.as('k').list()).body
  await one.stop()
  const after = createReceiver()
  const other = await start(settings, after.post)
  expect((await other.as('k').list()).body).toEqual(list)
  expect((await other.as('k').create()).body.id).not.toBe(second.body.id)
  await other.as('k').clock.advance('1h')
  expect((await other.as('k').query(body.id)).body.status).toBe('succeeded')
  const statuses = [...before.sent, ...after.sent].map(({ body: { status } }) => status)
  expect(statuses.at(0)).toBe('queued')
  expect(statuses.at(-1)).toBe('succeeded')
}

describe('accounts in memory and in a state file', () => {
  test('a conversation is the same with a state file as without', async () => {
    const file = join(await openFolder(), 'state.json')
    expect(await conversation(await start({ state: file }))).toEqual(await conversation(await start({})))
  })

  test('a state file outlives the process', async () =>
    restart({ state: join(await openFolder(), 'state.json') }))
})

describeWithRedis('accounts in a shared store', () => {
  test('a conversation is the same with a store as without', async () => {
    const { url: store } = await startRedis()
    const settings = { store, storePrefix: randomUUID() }
    expect(await conversation(await start(settings))).toEqual(await conversation(await start({})))
  })

  test('a store outlives the process', async () => {
    const { url: store } = await startRedis()
    await restart({ store, storePrefix: randomUUID() })
  })
})
