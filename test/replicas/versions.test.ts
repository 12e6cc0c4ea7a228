import { expect, test } from 'vitest'
import { clientOf } from '../emulator.js'
import { launch } from './launch.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

/** Hook of Node's loader that makes the program one which writes the next version of entries. */
const nextVersion = `export const load = async (url, context, next) => {
  const loaded = await next(url, context)
  const text = String(loaded.source)
  const changed = text.replace(/const ENTRY_VERSION = (\\d+)/, (_, version) => 'const ENTRY_VERSION = ' + (Number(version) + 1))
  return text === changed ? loaded : { ...loaded, source: changed }
}`

const registering = `import { register } from 'node:module'
  register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(nextVersion))})`

describeWithRedis('replicas of two versions', () => {
  test('a rolling update: accounts of before can be used on both, and those that the later version has changed on it alone', async () => {
    const { url: store } = await startRedis()
    const { replica, storePrefix } = replicasOn(store)
    const earlier = await replica()
    const startLater = async () => {
      const { ready } = launch(
        ['--store', store, '--clock', 'paused', '--set', `storePrefix=${storePrefix}`],
        {
          node: ['--import', `data:text/javascript,${encodeURIComponent(registering)}`],
        },
      )
      return ready()
    }
    for (const key of ['k', 'other']) expect((await earlier.as(key).create()).status).toBe(200)
    const later = clientOf(await startLater(), 'k')
    expect((await later.list()).body.total).toBe(1)
    const { body } = await later.create()

    const refused = await earlier.as('k').create()
    expect(refused).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringContaining('update this replica as well') } },
    })
    expect((await earlier.as('k').query(body.id)).status).toBe(503)
    expect((await earlier.as('other').create()).status).toBe(200)
    expect((await later.list()).body.total).toBe(2)

    await earlier.stop()
    const updated = await startLater()
    expect((await clientOf(updated, 'k').query(body.id)).body.id).toBe(body.id)
    expect((await clientOf(updated, 'k').list()).body.total).toBe(2)
    expect((await clientOf(updated, 'other').list()).body.total).toBe(2)
    expect(earlier.bugs).toEqual([])
  }, 120_000)
})
