import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import type { SettingsInput } from '../../src/emulator/settings.js'
import { createReceiver } from '../emulator/accounts/persistence/receiver.js'
import { clientOf } from '../emulator.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

describeWithRedis('the control API of any replica', () => {
  let url: string
  beforeAll(async () => {
    url = (await startRedis()).url
  })

  test('a call that one replica has answered is in the journal of another one, with what it refused', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    await one.as('k').create()
    await one.as('k').create({ model: 'none' })
    const journal = await other.as('k').ask('GET', '/_backlot/requests')
    expect(journal.body.items).toMatchObject([
      { status: 404, refusedBy: [{ rule: 'b-video-task.schema.model' }] },
      { status: 200 },
    ])
    const later = await (await replica()).as('k').ask('GET', '/_backlot/requests')
    expect(later.body.items.map(({ id }: { id: string }) => id)).toEqual(
      journal.body.items.map(({ id }: { id: string }) => id),
    )
    const explained = await other.as('k').ask('GET', `/_backlot/requests/${journal.body.items[0].id}`)
    expect(explained.status).toBe(200)
    expect(JSON.stringify(explained.body)).toContain('b-video-task.schema.model')
  })

  test('a wait on one replica ends with what happens on another one', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    const { body } = await one.as('k').create()
    const task = other.as('k').ask('GET', `/_backlot/wait?for=task&id=${body.id}&timeout=60s`)
    const calls = other.as('k').ask('GET', '/_backlot/wait?for=request&count=2&timeout=60s')
    await one.as('k').query(body.id)
    await one.as('k').clock.advance('1h')
    expect(await task).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect((await calls).status).toBe(200)
  })

  test('a message that one replica has received is in the box of another one', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    await one.as('k').post('/_backlot/inbox/box', { task_id: 'none' })
    const { body } = await other.as('k').ask('GET', '/_backlot/inbox/box')
    expect(body.items).toMatchObject([{ body: { task_id: 'none' } }])
  })

  test('a reset on one replica empties the account on another one', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    await one.as('k').create()
    expect((await other.as('k').list()).body.total).toBe(1)
    await one.as('k').ask('POST', '/_backlot/reset')
    expect((await other.as('k').list()).body.total).toBe(0)
    expect((await one.as('k').create()).status).toBe(200)
    expect((await other.as('k').list()).body.total).toBe(1)
  })

  test.each<[string, SettingsInput]>([
    ['has no token', {}],
    ['has a token of its own', { controlToken: 'first' }],
  ])('a replica beyond loopback has a token where an earlier one on loopback %s', async (_, settings) => {
    const { replica } = replicasOn(url)
    await replica(settings)
    const open = { host: '0.0.0.0' }
    const [one, other] = [await replica(open), await replica(open)]
    const token = one.emulator.madeToken ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(18)
    const reset = (headers = {}) => one.as('k').ask('POST', '/_backlot/reset?all', undefined, { headers })
    expect((await reset()).status).toBe(401)
    expect((await reset({ 'x-backlot-token': token })).status).toBe(200)
    expect(other.emulator.settings.controlToken).toBe(token)
    expect((await replica()).emulator.settings.controlToken).toBe(token)
    expect((await replica({ ...open, controlToken: 'own' })).emulator.settings.controlToken).toBe('own')
  })

  test('callbacks and their results are in the callback log of every replica', async () => {
    const { replica } = replicasOn(url)
    const { sent, post } = createReceiver()
    const [one, other] = [await replica({}, { post }), await replica({}, { post })]
    await one.as('k').create({ callback_url: 'http://127.0.0.1:9/hook' })
    await other.as('k').clock.advance('1h')
    const log = (await one.as('k').ask('GET', '/_backlot/callbacks')).body
    expect(log.items.map(({ state }: { state: string }) => state)).not.toContain('waiting')
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length)
    expect(sent).toHaveLength(log.total)
  })

  test('an account that is imported goes on by itself, and its asset jobs are found without its key', async () => {
    const { replica } = replicasOn(url)
    const one = await replica()
    const picture = await readFile('fixtures/media/landscape.jpg')
    const uploaded = await one.as('k').upload('landscape.jpg', picture)
    await one.as('k').create({ callback_url: 'http://127.0.0.1:9/hook' })
    const { body } = await one.as('k').ask('GET', '/_backlot/state')
    body.accounts[0].account.clock = { ...body.accounts[0].account.clock, mode: 'live', speed: 1_000 }
    const { sent, post } = createReceiver()
    const other = await replicasOn(url).replica({}, { post })
    expect((await other.as('another').ask('PUT', '/_backlot/state?all', body)).status).toBe(200)
    while (!sent.some(({ body: { status } }) => status === 'succeeded')) await new Promise(setImmediate)
    const job = `/v1/asset/jobs/get-asset-id?task_id=${uploaded.body.data.task_id}`
    expect((await clientOf(other.url, undefined).get(job)).body.data?.status).toBe('Active')
  })
})
