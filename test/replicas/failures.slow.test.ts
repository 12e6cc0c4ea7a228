import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { diagnoseHealth } from '../../src/cli/doctor.js'
import { launch } from '../../src/cli/launch.js'
import { jsonLines } from '../../src/cli/reporter.js'
import type { CallbackHttpClient, CallResult } from '../../src/emulator/callbacks/http-client.js'
import type { HealthIssue } from '../../src/emulator/core/events.js'
import type { Emulator } from '../../src/emulator/emulator.js'
import { readSettings } from '../../src/emulator/settings.js'
import { createReceiver } from '../emulator/accounts/persistence/receiver.js'
import { clientOf } from '../emulator.js'
import { newFolder } from '../folder.js'
import { openClient } from './redis-process.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

/** Asks until an answer has what is wanted: the time of a reconnection is not in the hands of a test. */
const until = async <T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> => {
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    await new Promise(setImmediate)
  }
}

/** How long a store that was killed is away, in milliseconds of real time. */
const AWAY_MS = 3_000

/** Appends entries to the log of the account `k`. */
const spend = async ({ emulator }: { emulator: Emulator }, entries: number): Promise<void> => {
  for (let count = 0; count < entries; count += 1)
    await emulator.store.transact('k', (account) => {
      account.spent += 1
    })
}

describeWithRedis('a store that goes', () => {
  test('calls get 503 with the cause in the words of the family, and nothing is lost when it comes back', async () => {
    const redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
    const { replica } = replicasOn(redis.url)
    const one = await replica()
    const { body } = await one.as('k').create()
    await redis.stop('SIGKILL')
    const gone = await one.as('k').create()
    expect(gone).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'InternalServiceError',
          message: expect.stringContaining('The shared store redis://127.0.0.1'),
        },
      },
    })
    const redelivered = await one.as('k').ask('POST', `/_backlot/callbacks/${body.id}-0/redeliver`)
    expect(redelivered.status).toBe(503)
    const health = (await one.as('k').ask('GET', '/_backlot/health')).body
    expect(JSON.stringify(health)).toContain('The shared store cannot be used')
    await until(
      () => one.as('k').create(),
      ({ body }) => body.error.message.includes('cannot be used: connect ECONNREFUSED'),
    )
    expect(await one.as('k').ask('GET', '/nowhere')).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringContaining('The shared store redis://127.0.0.1') } },
    })
    await redis.start()
    const again = await until(
      () => one.as('k').query(body.id),
      ({ status }) => status === 200,
    )
    expect(again.body.id).toBe(body.id)
    expect((await one.as('k').create()).status).toBe(200)
    expect((await one.as('k').list()).body.total).toBe(2)
    expect(one.bugs).toEqual([])
  })

  test('a restore that the store refuses leaves no files pinned, and one that it takes keeps them', async () => {
    const redis = await startRedis(['--maxmemory-policy', 'noeviction'])
    const one = await replicasOn(redis.url).replica({ maxSnapshots: 1 })
    const client = await openClient(redis.url)
    const { ask, upload } = one.as('k')
    const picture = await readFile('fixtures/media/landscape.jpg')
    await upload('landscape.jpg', picture)
    const { body: snapshot } = await ask('POST', '/_backlot/snapshots')
    const restored = () => ask('POST', `/_backlot/snapshots/${snapshot.id}/restore`)
    const pinnedBytes = () => one.emulator.blobs.stats().pinnedBytes
    await client.configSet('maxmemory', '1')
    expect((await restored()).status).toBe(503)
    await client.configSet('maxmemory', '0')
    expect((await restored()).status).toBe(200)
    expect(pinnedBytes()).toBe(picture.byteLength)
    // The account goes, and then the snapshot for another one.
    expect((await ask('POST', '/_backlot/reset')).status).toBe(200)
    expect(pinnedBytes()).toBe(picture.byteLength)
    expect((await ask('POST', '/_backlot/snapshots')).status).toBe(200)
    expect(pinnedBytes()).toBe(0)
    await client.close()
  })

  test('a replica without its store says how it is by itself, and when to ask again for the rest', async () => {
    const redis = await startRedis()
    const one = await replicasOn(redis.url).replica()
    await redis.stop('SIGKILL')
    const ask = (path: string) => fetch(`${one.url}/_backlot/${path}`)
    const tasks = await ask('tasks')
    expect([tasks.status, tasks.headers.get('Retry-After')]).toEqual([503, '1'])
    // A probe that is to fail without the store.
    expect((await ask('clock')).status).toBe(503)
    expect((await ask('health')).status).toBe(200)
    expect(await (await ask('metrics')).text()).toContain('backlot_bound_limit')
    const { items } = (await (await ask('doctor')).json()) as { items: { what: string }[] }
    expect(items.map(({ what }) => what)).toContain('node')
    const health = (await (await ask('health?full')).json()) as Parameters<typeof diagnoseHealth>[0]
    expect(diagnoseHealth(health)).toContainEqual(
      expect.objectContaining({ what: 'trouble', detail: expect.stringContaining('The shared store') }),
    )
  })

  test('a store without memory is a health issue until it accepts changes again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const redis = await startRedis(['--maxmemory-policy', 'noeviction'])
    const one = await replicasOn(redis.url).replica()
    const client = await openClient(redis.url)
    const issues: HealthIssue[] = []
    one.emulator.events.on('trouble', (issue) => issues.push(issue))
    const health = async () => JSON.stringify((await one.as('k').ask('GET', '/_backlot/health')).body)
    expect((await one.as('k').create()).status).toBe(200)
    await client.configSet('maxmemory', '1')
    const { status, body } = await one.as('k').create()
    expect([status, body.error.message]).toEqual([503, expect.stringContaining('maxmemory')])
    expect(await health()).toContain('Give it more memory (maxmemory)')
    await client.configSet('maxmemory', '0')
    expect((await one.as('k').create()).status).toBe(200)
    // One change that is accepted is not enough.
    expect(await health()).toContain('troubles')
    await until(
      async () => {
        vi.advanceTimersByTime(2_500)
        return health()
      },
      (text) => !text.includes('troubles'),
    )
    expect(issues.map(({ need, state }) => [need, state])).toEqual([
      ['store', 'begun'],
      ['store', 'over'],
    ])
    await client.close()
  })

  test.each([
    ['allkeys-lru', '100mb', true],
    ['volatile-ttl', '100mb', true],
    ['noeviction', '100mb', false],
    ['allkeys-lru', '0', false],
  ])('a store with the policy %s and a memory of %s: a health issue: %s', async (policy, memory, isIssue) => {
    const redis = await startRedis(['--maxmemory-policy', policy, '--maxmemory', memory])
    const one = await replicasOn(redis.url).replica()
    const health = JSON.stringify((await one.as('k').ask('GET', '/_backlot/health')).body)
    expect(health.includes(`Set its maxmemory-policy, which is ${policy}, to noeviction.`)).toBe(isIssue)
    expect((await one.as('k').create()).status).toBe(200)
  })

  test('a store that evicts keys is named on standard error, in the log and by --json', async () => {
    const redis = await startRedis(['--maxmemory-policy', 'allkeys-lru', '--maxmemory', '100mb'])
    const logFile = join(newFolder(), 'backlot.log')
    const errors: string[] = []
    const stderr = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => errors.push(String(text)) > 0)
    onTestFinished(() => stderr.mockRestore())
    const lines: string[] = []
    const { close } = await launch(
      readSettings({ port: 0, store: redis.url, logFile }),
      jsonLines((line) => void lines.push(line)),
      {},
    )
    await close()
    const evicts = 'which is allkeys-lru, to noeviction.'
    expect(errors.join('')).toContain(evicts)
    expect(await readFile(logFile, 'utf8')).toContain(evicts)
    expect(lines.filter((line) => line.includes(evicts))).toEqual([
      expect.stringContaining('"event":"trouble"'),
    ])
  })

  test('a callback that is answered while the store is away for 3 s is recorded when it is back, and a wait for idle ends', async () => {
    const redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
    let answer = () => {}
    const result = new Promise<CallResult>((resolve) => {
      answer = () => resolve({ outcome: 'answered', status: 200, durationMs: 1 })
    })
    let sent = 0
    const post: CallbackHttpClient = {
      send: () => {
        sent += 1
        return { result, abort: () => {} }
      },
      stop: () => {},
    }
    const one = await replicasOn(redis.url).replica({ clock: 'paused' }, { post })
    const { body } = await one.as('k').create({ callback_url: 'http://127.0.0.1:9/hook' })
    const { ask } = one.as('k')
    await until(
      async () => sent,
      (count) => count === 1,
    )
    await redis.stop('SIGKILL')
    answer()
    const back = performance.now() + AWAY_MS
    await until(
      () => ask('GET', '/_backlot/clock'),
      ({ status }) => {
        expect(status).toBe(503)
        return performance.now() >= back
      },
    )
    await redis.start()
    await until(
      () => ask('GET', '/_backlot/clock'),
      ({ status }) => status === 200,
    )
    expect((await ask('POST', '/_backlot/clock/advance', { to: 'idle' })).status).toBe(200)
    expect((await ask('GET', '/_backlot/wait?for=idle&timeout=15s')).status).toBe(200)
    const { items } = (await ask('GET', '/_backlot/callbacks')).body
    const delivered = { state: 'delivered', attempts: [{ status: 200 }] }
    expect(items.reverse()).toMatchObject([
      { id: `${body.id}-1`, status: 'queued', ...delivered },
      { status: 'running', ...delivered },
      { status: 'succeeded', ...delivered },
    ])
    expect([sent, one.bugs]).toEqual([3, []])
  })

  test('an attempt that cannot be recorded is no internal error, and a stop does not wait for the store', async () => {
    const redis = await startRedis()
    let answer = () => {}
    const result = new Promise<CallResult>((resolve) => {
      answer = () => resolve({ outcome: 'answered', status: 200, durationMs: 1 })
    })
    const post: CallbackHttpClient = { send: () => ({ result, abort: () => {} }), stop: () => {} }
    const one = await replicasOn(redis.url).replica({}, { post })
    await one.as('k').create({ callback_url: 'http://127.0.0.1:9/hook' })
    await redis.stop('SIGKILL')
    answer()
    await until(
      () => one.as('k').create(),
      ({ status }) => status === 503,
    )
    await one.emulator.stop()
    await one.emulator.callbacks.idle('k')
    expect(one.bugs).toEqual([])
  })

  test('inputs that the store refuses are 503 with Retry-After, uploads and those of bodies', async () => {
    const redis = await startRedis()
    const { replica, storePrefix } = replicasOn(redis.url)
    const one = await replica()
    const client = await openClient(redis.url)
    const { upload, create } = one.as('k')
    const picture = await readFile('fixtures/media/landscape.jpg')
    const url = `data:image/jpeg;base64,${picture.toString('base64')}`
    const content = [
      { type: 'text', text: 'a lighthouse' },
      { type: 'image_url', image_url: { url }, role: 'first_frame' },
    ]
    const both = async () => [await upload('landscape.jpg', picture), await create({ content })]
    // The calls themselves could be recorded.
    await client.set(`${storePrefix}inputs`, 'of another program')
    for (const { status, headers, body } of await both()) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(JSON.stringify(body)).toContain('The shared store redis://127.0.0.1')
    }
    expect(one.emulator.blobs.stats().pinnedBytes).toBe(0)
    await client.del(`${storePrefix}inputs`)
    for (const { status } of await both()) expect(status).toBeLessThan(300)
    await client.close()
  })

  test('a store that comes back without its latest entries is noticed, and the account continues from the entries that remain', async () => {
    const redis = await startRedis()
    const { replica, storePrefix } = replicasOn(redis.url)
    const one = await replica()
    await one.as('k').create()
    const client = await openClient(redis.url)
    const [log] = await client.keys(`${storePrefix}*:log`)
    const kept = (await client.xRange(log as string, '-', '+')) ?? []
    await one.as('k').create()
    // As after a failover: the last entry is gone, and every connection is broken.
    await client.del(log as string)
    for (const { id, message } of kept) await client.xAdd(log as string, id, message)
    await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
    const left = await until(
      () => one.as('k').list(),
      ({ status }) => status === 200,
    )
    expect(left.body.total).toBe(1)
    const health = (await one.as('k').ask('GET', '/_backlot/health')).body
    expect(JSON.stringify(health)).toContain('has lost changes')
    expect((await one.as('k').create()).status).toBe(200)
    await client.close()
  })
})

describeWithRedis('replicas that differ or end', () => {
  let url: string
  let client: Awaited<ReturnType<typeof openClient>>
  beforeAll(async () => {
    url = (await startRedis()).url
    client = await openClient(url)
  })
  afterAll(() => client.close())

  test('a replica stands aside from an account with an entry of a version that it does not know', async () => {
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica()
    await one.as('k').create()
    const [log = ''] = await client.keys(`${storePrefix}*:log`)
    const [{ id = '' } = {}] = (await client.xRevRange(log, '+', '-', { COUNT: 1 })) ?? []
    const [epoch, n] = id.split('-')
    await client.xAdd(log, `${epoch}-${Number(n) + 1}`, { b: JSON.stringify({ v: 99 }) })
    expect(await one.as('k').list()).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringContaining('an entry of version 99') } },
    })
    expect((await one.as('other').create()).status).toBe(200)
  })

  test('an account whose log has a gap is refused by replicas that load it, and can be used again after a reset', async () => {
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica()
    for (let count = 0; count < 3; count += 1) await one.as('k').create()
    const [log = ''] = await client.keys(`${storePrefix}*:log`)
    const entries = (await client.xRange(log, '-', '+')) ?? []
    await client.xDel(log, entries[1]?.id ?? '')
    const other = await replica()
    expect(await other.as('k').list()).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringContaining('is missing') } },
    })
    expect((await other.as('k').ask('POST', '/_backlot/reset')).status).toBe(200)
    expect((await other.as('k').create()).status).toBe(200)
    for (const { as } of [one, other]) expect((await as('k').list()).body.total).toBe(1)
  })

  test.each([
    ['is no JSON', '{'],
    ['is empty', '{}'],
    ['has a change that is none', '{"v":1,"t":1,"r":[null],"e":[]}'],
  ])(
    'an account of which an entry %s is refused, alone, and can be used again after a reset',
    async (_, entry) => {
      const { replica, storePrefix } = replicasOn(url)
      const one = await replica({ clock: 'live' })
      await one.as('k').create()
      const [log = ''] = await client.keys(`${storePrefix}*:log`)
      const [latest] = (await client.xRevRange(log, '+', '-')) ?? []
      const [epoch, n] = (latest?.id ?? '').split('-')
      await client.xAdd(log, `${epoch}-${Number(n) + 1}`, { e: entry })
      const other = await replica({ clock: 'live' })
      for (const { as } of [one, other]) {
        expect(await as('k').list()).toMatchObject({
          status: 503,
          body: { error: { message: expect.stringContaining('is missing or damaged') } },
        })
        expect((await as('untouched').create()).status).toBe(200)
      }
      expect((await other.as('k').ask('POST', '/_backlot/reset')).status).toBe(200)
      for (const { as } of [one, other]) expect((await as('k').create()).status).toBe(200)
    },
  )

  test.each([
    [50_000, true],
    [70_000, false],
  ])('an entry whose time is %i ms ahead moves the clocks of other accounts: %s', async (ahead, isMoved) => {
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica({ clock: 'live' })
    await one.as('k').create()
    const [log = ''] = await client.keys(`${storePrefix}*:log`)
    const [latest] = (await client.xRevRange(log, '+', '-', { COUNT: 1 })) ?? []
    const [epoch, n] = (latest?.id ?? '').split('-')
    const [text = ''] = Object.values(latest?.message ?? {})
    const { m, t } = JSON.parse(text)
    const entry = { v: 1, m: 'ahead', p: m, w: '', t: t + ahead, r: [], e: [] }
    await client.xAdd(log, `${epoch}-${Number(n) + 1}`, { b: JSON.stringify(entry) })
    const other = await replica({ clock: 'live' })
    for (const { as } of [one, other]) {
      expect((await as('k').create()).status).toBe(200)
      const { now } = (await as('untouched').ask('GET', '/_backlot/clock')).body
      expect(Date.parse(now) >= t + ahead).toBe(isMoved)
    }
    for (const { as } of [one, other]) expect((await as('k').list()).body.total).toBe(3)
  })

  test('an account whose state is damaged is refused, and can be used again after a reset', async () => {
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica()
    await one.as('k').create()
    await spend(one, 500)
    const [log = ''] = await client.keys(`${storePrefix}*:log`)
    const state = log.replace(/log$/, 'state')
    await until(
      () => client.exists(state),
      (count) => count === 1,
    )
    await client.hSet(state, 'account\0', '1|{')
    const other = await replica()
    expect((await other.as('k').list()).status).toBe(503)
    expect((await other.as('k').ask('POST', '/_backlot/reset')).status).toBe(200)
    expect((await other.as('k').create()).status).toBe(200)
  })

  const parts = ['epoch', 'log', 'notes', 'state']
  const lost = parts.flatMap((one, index) => [[one], ...parts.slice(index + 1).map((other) => [one, other])])
  test.each(
    lost.flatMap((names) => [0, 500].map((entries) => [names.join(' and '), entries, names] as const)),
  )(
    'an account that has lost its %s, with %i entries, is refused or answered at once, and begins anew with a reset',
    async (_, entries, names) => {
      const { replica, storePrefix } = replicasOn(url)
      const one = await replica()
      await one.as('k').create()
      await spend(one, entries)
      const [log = ''] = await client.keys(`${storePrefix}*:log`)
      const nameOf = (name: string) => log.replace(/log$/, name)
      const hasState = () => client.exists(nameOf('state'))
      await until(hasState, (count) => count === (entries > 0 ? 1 : 0))
      await client.del(names.map(nameOf))
      const other = await replica()
      for (const { as } of [one, other])
        for (const ask of [as('k').create, as('k').list]) {
          const { status, body } = await ask()
          if (status === 200) expect(names.includes('epoch') && !names.includes('log')).toBe(false)
          else expect(body.error.message).toContain('is missing')
        }
      expect((await other.as('untouched').create()).status).toBe(200)
      expect((await one.as('k').ask('POST', '/_backlot/reset')).status).toBe(200)
      expect((await other.as('k').create()).status).toBe(200)
      for (const { as } of [one, other]) expect((await as('k').list()).body.total).toBe(1)
      expect([...one.bugs, ...other.bugs]).toEqual([])
    },
  )

  test('a log that has lost its state is not folded into one that has only the entries since', async () => {
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica()
    await one.as('k').create()
    await spend(one, 500)
    const stateName = async () => (await client.keys(`${storePrefix}*:state`))[0]
    const state = await until(stateName, (name) => name !== undefined)
    await client.del(state as string)
    await spend(one, 550)
    expect(await stateName()).toBeUndefined()
    const { status, body } = await (await replica()).as('k').list()
    expect([status, body.error?.message]).toEqual([503, expect.stringContaining('is missing')])
  })

  test('replicas agree on an account after the store was emptied, whatever they have in memory', async () => {
    const redis = await startRedis()
    const { replica } = replicasOn(redis.url)
    const [one, other] = [await replica(), await replica()]
    for (const { as } of [one, other, one]) await as('k').create()
    const emptying = await openClient(redis.url)
    await emptying.flushAll()
    await emptying.close()
    for (const { as } of [one, other]) expect((await as('k').create()).status).toBe(200)
    for (const { as } of [one, other]) expect((await as('k').list()).body.total).toBe(2)
  })

  test('an account that is not called for long expires, and begins anew under another epoch', async () => {
    let passed = 0
    const { replica, storePrefix } = replicasOn(url, { storeExpiryMs: 3_600_000 })
    const outside = { systemNow: () => Date.now() + passed }
    const one = await replica({}, outside)
    const other = await replica({}, outside)
    for (let count = 0; count < 3; count += 1) await one.as('k').create()
    await other.as('k').create()
    const keys = await client.keys(`${storePrefix}{*`)
    expect(keys.length).toBeGreaterThan(2)
    for (const key of keys) {
      const left = await client.pTTL(key)
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThanOrEqual(3_600_000)
    }
    const lastId = async (name: string) =>
      (await client.xRevRange(name, '+', '-', { COUNT: 1 }))?.[0]?.id ?? ''
    const [log = ''] = keys.filter((key) => key.endsWith(':log'))
    const before = await lastId(log)
    // The clocks are moved, and the server does what it does at the end of the time.
    passed = 7_200_000
    for (const { as } of [one, other]) await as('later').create()
    for (const key of keys) await client.pExpire(key, 0)
    expect((await other.as('k').create()).status).toBe(200)
    expect((await one.as('k').list()).body.total).toBe(1)
    expect(Number((await lastId(log)).split('-')[0])).toBeGreaterThan(Number(before.split('-')[0]))
    const health = (await one.as('k').ask('GET', '/_backlot/health')).body
    expect(JSON.stringify(health)).not.toContain('has lost changes')
    expect([...one.bugs, ...other.bugs]).toEqual([])
  })

  test('the names of an account and of its asset jobs are kept as long as the account is called', async () => {
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica()
    const picture = await readFile('fixtures/media/landscape.jpg')
    const uploaded = await one.as('k').upload('landscape.jpg', picture)
    const [accountId = ''] = await client.keys(`${storePrefix}account-id:*`)
    const [job = ''] = await client.keys(`${storePrefix}job:*`)
    for (const name of [accountId, job]) await client.pExpire(name, 60_000)
    await one.as('k').create()
    expect(await client.pTTL(accountId)).toBeGreaterThan(60_000)
    const jobOf = `/v1/asset/jobs/get-asset-id?task_id=${uploaded.body.data.task_id}`
    await clientOf(one.url, undefined).get(jobOf)
    expect(await client.pTTL(job)).toBeGreaterThan(60_000)
  })

  test('the log is folded into a state, from which a later replica has everything, and stays short', async () => {
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica()
    for (let count = 0; count < 20; count += 1) {
      const { body } = await one.as('k').create()
      if (count % 5 === 0) await one.as('k').cancel(body.id)
      else await one.as('k').query(body.id)
    }
    await spend(one, 500)
    const [log = ''] = await client.keys(`${storePrefix}*:log`)
    await until(
      () => client.exists(log.replace(/log$/, 'state')),
      (count) => count === 1,
    )
    expect(await client.xLen(log)).toBeLessThan(200)
    const list = (await one.as('k').list()).body
    const other = await replica()
    expect((await other.as('k').list()).body).toEqual(list)
    const requests = (await one.as('k').ask('GET', '/_backlot/requests?limit=1000')).body
    const ids = requests.items.map(({ id }: { id: string }) => id)
    const others = (await other.as('k').ask('GET', '/_backlot/requests?limit=1000')).body
    expect(others.items.map(({ id }: { id: string }) => id)).toEqual(ids)
  }, 120_000)

  test('a callback whose replica ended before the answer is sent again by another one, and the log says so', async () => {
    const { replica, storePrefix } = replicasOn(url, { callbackTimeoutScale: 0.01 })
    const silent = createReceiver({ isSilent: () => true })
    const answering = createReceiver()
    const one = await replica({}, { post: silent.post })
    await one.as('k').create({ callback_url: 'http://127.0.0.1:9/hook' })
    await until(
      async () => silent.sent,
      ({ length }) => length > 0,
    )
    // What a kill leaves behind: the attempt is in the log, and the lease is over.
    const [lease = ''] = await client.keys(`${storePrefix}replica:*`)
    const other = await replica({}, { post: answering.post })
    const sent = await until(
      async () => {
        await client.del(lease)
        return answering.sent
      },
      ({ length }) => length > 0,
    )
    expect(sent[0]?.id).toBe(silent.sent[0]?.id)
    const log = await until(
      () => other.as('k').ask('GET', '/_backlot/callbacks'),
      ({ body }) => body.items.some(({ state }: { state: string }) => state === 'delivered'),
    )
    expect(JSON.stringify(log.body)).toContain('ended before it recorded the answer')
  })

  test('an answer that reaches a replica after another one has taken over is not recorded', async () => {
    const { replica, storePrefix } = replicasOn(url, { callbackTimeoutScale: 0.01 })
    let answer = (_: { outcome: 'failed'; durationMs: number; error: string }) => {}
    const late: CallbackHttpClient = {
      send: () => ({
        result: new Promise((resolve) => {
          answer = resolve
        }),
        abort: () => {},
      }),
      stop: () => {},
    }
    const answering = createReceiver()
    const one = await replica({}, { post: late })
    await one.as('k').create({ callback_url: 'http://127.0.0.1:9/hook' })
    const [lease = ''] = await client.keys(`${storePrefix}replica:*`)
    const other = await replica({}, { post: answering.post })
    const log = () => other.as('k').ask('GET', '/_backlot/callbacks')
    const isDelivered = ({ body }: Awaited<ReturnType<typeof log>>) => body.items[0]?.state === 'delivered'
    await until(async () => {
      await client.del(lease)
      return log()
    }, isDelivered)
    answer({ outcome: 'failed', durationMs: 1, error: 'It came too late.' })
    await one.as('k').create()
    const { items } = (await log()).body
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ state: 'delivered' })
    expect(items[0].attempts).toHaveLength(2)
    expect(JSON.stringify(items)).not.toContain('too late')
  })
})
