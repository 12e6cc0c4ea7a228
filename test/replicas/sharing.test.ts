import { beforeAll, expect, test } from 'vitest'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

describeWithRedis('replicas on a shared store', () => {
  let url: string
  beforeAll(async () => {
    url = (await startRedis()).url
  })

  test('a replica knows the tasks of another one', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    const { body } = await one.as('k').create()
    expect((await other.as('k').query(body.id)).body).toMatchObject({ id: body.id, status: 'queued' })
    await other.as('k').clock.advance('1h')
    expect((await one.as('k').query(body.id)).body).toMatchObject({ status: 'succeeded' })
    expect([...one.problems, ...other.problems]).toEqual([])
  })

  test('a task that one replica cancels and another one has never seen is gone on both', async () => {
    const { replica } = replicasOn(url)
    const [one, other] = [await replica(), await replica()]
    const { body } = await one.as('k').create()
    expect((await other.as('k').remove(body.id)).status).toBe(200)
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
    for (const { as, problems } of [one, other]) {
      const { body } = await as('k').list()
      expect(new Set(body.items.map(({ id }: { id: string }) => id))).toEqual(new Set(ids))
      expect(problems).toEqual([])
    }
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

  test('a replica that comes later has the account with its tasks in their order', async () => {
    const { replica } = replicasOn(url)
    const one = await replica()
    for (let count = 0; count < 5; count += 1) await one.as('k').create()
    const before = (await one.as('k').list()).body
    await one.stop()
    expect((await (await replica()).as('k').list()).body).toEqual(before)
  })
})
