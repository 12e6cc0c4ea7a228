import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { accountIdOf } from '../../src/emulator/core/account/account-id.js'
import { beginRun } from '../../src/emulator/core/model/account.js'
import { openFolder } from '../emulator/accounts/persistence/start.js'
import { bodies, paths } from '../emulator.js'
import { openClient } from './redis-process.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

describeWithRedis('replicas on a shared store', () => {
  let url: string
  beforeAll(async () => {
    url = (await startRedis()).url
  })

  const fixture = (name: string) => readFile(new URL(`../../fixtures/media/${name}`, import.meta.url))

  test('a replica knows the tasks of another one', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    const { body } = await one.as('k').create()
    expect((await other.as('k').query(body.id)).body).toMatchObject({ id: body.id, status: 'queued' })
    await other.as('k').clock.advance('1h')
    expect((await one.as('k').query(body.id)).body).toMatchObject({ status: 'succeeded' })
    expect([...one.bugs, ...other.bugs]).toEqual([])
  })

  test('a call adds one entry to the log of its account, and a read adds none', async () => {
    const { replica, storePrefix } = replicasOn(url)
    const { as, emulator } = await replica()
    const { body } = await as('k').create()
    const client = await openClient(url)
    const [log = ''] = await client.keys(`${storePrefix}*:log`)
    const before = await client.xLen(log)
    await as('k').query(body.id)
    await emulator.store.read('k', ({ tasks }) => tasks.size)
    await emulator.store.read('k', ({ tasks }) => tasks.size)
    expect(await client.xLen(log)).toBe(before + 1)
    client.destroy()
  })

  test('an account that a replica takes off the list, since it has no entry yet, is on it with its next entry', async () => {
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica()
    await one.as('k').create()
    const client = await openClient(url)
    // As a listing of accounts does that comes between the opening of one and its first entry.
    await client.zRem(`${storePrefix}accounts`, 'k')
    await client.del(await client.keys(`${storePrefix}account-id:*`))
    await one.as('k').create()
    const { store } = (await replica()).emulator
    expect(await store.keys()).toEqual(['k'])
    expect(await store.keyOfAccountId(accountIdOf('k'))).toBe('k')
    client.destroy()
  })

  test('accounts are listed in the order of their opening, one that was forgotten as opened anew', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    for (const key of ['c', 'b', 'a']) await one.as(key).create()
    await other.emulator.store.forget('b')
    await one.as('b').create()
    expect(await other.emulator.store.keys()).toEqual(['c', 'a', 'b'])
  })

  test('a scenario that begins while another replica changes the account is known to all of them', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    const { body } = await one.as('k').create()
    await other.as('k').query(body.id)
    const scenario = await one.emulator.scenarios.named('broken-json')
    await one.emulator.store.transact('k', (account, now) => {
      account.playing = [beginRun(scenario, 1, now)]
    })
    const late = await replica()
    for (const { emulator } of [other, late]) {
      const names = await emulator.store.read('k', ({ playing }) => playing.map((run) => run.scenario.name))
      expect(names).toEqual(['broken-json'])
    }
  })

  test('a task that one replica cancels and another one has never seen is gone on both', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    const { body } = await one.as('k').create()
    expect((await other.as('k').cancel(body.id)).status).toBe(200)
    expect((await one.as('k').query(body.id)).body).toMatchObject({ status: 'cancelled' })
  })

  test('two replicas that create for one account at once lose nothing and give no id twice', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : other).as('k').create()),
    )
    const ids = created.map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(60)
    for (const { as, bugs } of [one, other]) {
      const { body } = await as('k').list()
      expect(new Set(body.items.map(({ id }: { id: string }) => id))).toEqual(new Set(ids))
      expect(bugs).toEqual([])
    }
  })

  test('a rate limit counts a create once, whichever replica accepted it', async () => {
    const { replica } = replicasOn(url, { requestsPerMinute: 3 })
    const [one, other] = [await replica(), await replica()]
    const statuses: number[] = []
    for (const { as } of [one, other, one, other, one]) statuses.push((await as('k').create()).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  test('a rate limit that is set later counts the uploads of another replica', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    await other.as('k').list()
    await one.as('k').upload('square.png', await fixture('square.png'))
    await other.as('k').list()
    await other.as('k').change({ limits: { requestsPerMinute: 1 } })
    expect((await other.as('k').create()).status).toBe(429)
  })

  test('the same seed gives the same ids on one replica and on three', async () => {
    const idsOf = async (count: number) => {
      const { replica } = replicasOn(url)
      const all = await Promise.all(Array.from({ length: count }, () => replica()))
      const ids: string[] = []
      for (let call = 0; call < 12; call += 1) ids.push((await all[call % count]?.as('k').create())?.body.id)
      return ids
    }
    expect(await idsOf(3)).toEqual(await idsOf(1))
  })

  test('a result is the same bytes from a replica that has neither rendered it nor seen its input', async () => {
    const { replica } = replicasOn(url)
    const one = await replica({ mediaFolder: await openFolder() })
    const other = await replica({ mediaFolder: await openFolder() })
    const image = `data:image/png;base64,${(await fixture('first-frame.png')).toString('base64')}`
    const messages = [{ role: 'user', content: [{ image }, { text: 'in the fog' }] }]
    const { status, body } = await one.as('k').post(paths.image, { ...bodies.image(), input: { messages } })
    expect(status).toBe(200)
    const { pathname, search } = new URL(body.output.choices[0].message.content[0].image)
    const bytesFrom = async (from: string) =>
      Buffer.from(await (await fetch(from + pathname + search)).arrayBuffer())
    const bytes = await bytesFrom(other.url)
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.equals(await bytesFrom(one.url))).toBe(true)
  })

  test('what is uploaded on one replica is an asset on another one', async () => {
    const { replica } = replicasOn(url)
    const one = await replica({ mediaFolder: await openFolder() })
    const other = await replica({ mediaFolder: await openFolder() })
    const uploaded = await one.as('k').upload('first-frame.png', await fixture('first-frame.png'))
    await other.as('k').clock.advance('1h')
    const job = `/v1/asset/jobs/get-asset-id?task_id=${uploaded.body.data.task_id}`
    const { body } = await other.as('k').ask('GET', job)
    const image_url = { url: `asset://${body.data.asset_id}` }
    const content = [
      { type: 'text', text: 'in the fog' },
      { type: 'image_url', image_url },
    ]
    expect((await other.as('k').create({ content })).status).toBe(200)
  })

  test('a call for an asset job from before a reset is no call of the account that began anew', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    const uploaded = await one.as('k').upload('first-frame.png', await fixture('first-frame.png'))
    await one.as('k').reset()
    const job = `/v1/asset/jobs/get-asset-id?task_id=${uploaded.body.data.task_id}`
    for (const { url: base } of [one, other]) expect((await fetch(base + job)).status).toBe(404)
    expect(await other.as('k').requests.list()).toEqual([])
  })

  test('a replica unloads accounts until it has no more than maxAccounts, once they are no longer busy', async () => {
    const { replica } = replicasOn(url, { maxAccounts: 3 })
    const { as, emulator } = await replica()
    await Promise.all(Array.from({ length: 20 }, (_, nth) => as(`busy ${nth}`).create()))
    await as('later').create()
    const { size } = emulator.quotas.read().find(({ name }) => name === 'accounts') ?? {}
    expect(size).toBe(3)
  })

  test('a replica that comes later has the account with its tasks in their order', async () => {
    const { replica } = replicasOn(url)
    const one = await replica()
    for (let count = 0; count < 5; count += 1) await one.as('k').create()
    const before = (await one.as('k').list()).body
    await one.stop()
    expect((await (await replica()).as('k').list()).body).toEqual(before)
  })
})
