import { hash, randomUUID } from 'node:crypto'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { resumeAccount } from '../../src/emulator/accounts/persistence/resume-account.js'
import type { SettingsInput } from '../../src/emulator/settings.js'
import { contentsOf } from '../emulator/accounts/contents.js'
import { createReceiver } from '../emulator/accounts/persistence/receiver.js'
import { openFolder } from '../emulator/accounts/persistence/start.js'
import type { Answer } from '../emulator.js'
import { openClient } from './redis-process.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

/** Where accounts are kept. */
type Place = SettingsInput

/** A kind of persistence under test. */
interface Kind {
  /** A place that holds nothing. */
  place(): Promise<Place>
  /** The place as a process leaves it behind that is killed now. */
  leftBehind(place: Place): Promise<Place>
  /** Writes bytes of version 99 into a place. */
  makeNewer(place: Place): Promise<void>
  bytesOf(place: Place): Promise<string>
  readonly writers: 'one' | 'several'
}

const start = (place: Place, post = createReceiver().post) =>
  replicasOn('').replica({ store: undefined, signingSecret: 'the same for all of them', ...place }, { post })

type Started = Awaited<ReturnType<typeof start>>

/** Everything that a client and a test see of a conversation, without the address of the emulator. */
const conversation = async ({ as, url }: Started) => {
  const one = as('k')
  const observed: unknown[] = []
  const say = (answer: Answer): Answer => {
    observed.push({ status: answer.status, body: answer.body })
    return answer
  }
  const first = say(await one.create({ callback_url: 'http://127.0.0.1:9/hook' }))
  const second = say(await one.create())
  say(await one.create({ model: 'none' }))
  say(await one.cancel(second.body.id))
  say(await as('other').create())
  await one.clock.advance('1h')
  for (const { body } of [first, second]) say(await one.query(body.id))
  say(await one.list())
  const image = say(await one.createImage())
  const { pathname, search } = new URL(image.body.output.choices[0].message.content[0].image)
  const bytes = Buffer.from(await (await fetch(url + pathname + search)).arrayBuffer())
  observed.push(hash('sha256', bytes, 'hex'))
  const calls = (await one.ask('GET', '/_backlot/requests')).body.items
  observed.push(
    calls.map(({ id, operation, status }: Record<string, unknown>) => ({ id, operation, status })),
  )
  const callbacks = (await one.ask('GET', '/_backlot/callbacks')).body.items
  observed.push(callbacks.map(({ id, state, status }: Record<string, unknown>) => ({ id, state, status })))
  say(await one.ask('GET', '/_backlot/account'))
  say(await one.ask('POST', '/_backlot/reset'))
  say(await one.list())
  say(await one.create())
  return JSON.parse(JSON.stringify(observed).replaceAll(url, 'http://backlot'))
}

const accountOf = ({ emulator }: Started, key = 'k') => emulator.store.read(key, contentsOf)

const idsOf = async ({ as }: Started): Promise<string[]> =>
  (await as('k').list()).body.items.map(({ id }: { id: string }) => id).sort()

/** What accounts do wherever they are kept. */
const storeCases = (place: () => Promise<Place>) => {
  test('transactions that are asked for at once run one after the other, and resolve in their order', async () => {
    const { store } = (await start(await place())).emulator
    const resolved: number[] = []
    const spend = () => store.transact('k', (account) => ++account.spent)
    await Promise.all(Array.from({ length: 20 }, () => spend().then((spent) => resolved.push(spent))))
    expect(resolved).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test('a transaction that throws changes nothing, also between others', async () => {
    const one = await start(await place())
    const { store } = one.emulator
    await one.as('k').create()
    const before = await accountOf(one)
    const failing = store.transact('k', (account) => {
      account.spent += 1
      for (const id of account.tasks.keys()) account.tasks.delete(id)
      throw new Error('in the middle')
    })
    const other = store.transact('k', (account) => {
      account.imagesMade += 1
    })
    await expect(failing).rejects.toThrow('in the middle')
    await other
    expect(await accountOf(one)).toEqual({ ...before, imagesMade: before.imagesMade + 1 })
  })

  test('an account is found by its key and its id, until it is forgotten', async () => {
    const one = await start(await place())
    const { store } = one.emulator
    await one.as('k').create()
    const { id: tag } = await accountOf(one)
    expect(await store.keys()).toContain('k')
    expect(await store.keyOfAccountId(tag)).toBe('k')
    expect((await store.forget('k'))?.tasks.size).toBe(1)
    expect(await store.keys()).not.toContain('k')
    expect(await store.keyOfAccountId(tag)).toBeUndefined()
    expect(await idsOf(one)).toEqual([])
  })

  test('an account that is put takes the place of the one under its key, which is returned', async () => {
    const one = await start(await place())
    const { store } = one.emulator
    await one.as('k').create()
    const ids = await idsOf(one)
    const now = await store.read('k', (_, time) => time)
    const first = await store.forget('k')
    for (let count = 0; count < 2; count += 1) await one.as('k').create()
    const before = first === undefined ? undefined : await store.put(resumeAccount(first, now, now))
    expect(before?.tasks.size).toBe(2)
    expect(await idsOf(one)).toEqual(ids)
    expect((await one.as('k').create()).status).toBe(200)
  })
}

/** What a persistence port does. */
const portCases = (kind: () => Kind) => {
  test('what has resolved is there after a kill and after a stop, in its order', async () => {
    const { place, leftBehind } = kind()
    const where = await place()
    const one = await start(where)
    const { body } = await one.as('k').create()
    for (let count = 0; count < 3; count += 1) await one.as('k').create()
    await one.as('k').cancel(body.id)
    await one.as('k').clock.advance('10s')
    const before = await accountOf(one)
    const afterKill = await start(await leftBehind(where))
    expect(await accountOf(afterKill)).toEqual(before)
    await afterKill.stop()
    await one.stop()
    for (let times = 0; times < 2; times += 1) {
      const again = await start(where)
      expect(await accountOf(again)).toEqual(before)
      await again.stop()
    }
  })

  test('numbers of before are not given again, and callbacks still come', async () => {
    const where = await kind().place()
    const before = createReceiver()
    const one = await start(where, before.post)
    const callback_url = 'http://127.0.0.1:9/hook'
    const ids = [(await one.as('k').create({ callback_url })).body.id, (await one.as('k').create()).body.id]
    await one.stop()
    const after = createReceiver()
    const other = await start(where, after.post)
    expect(ids).not.toContain((await other.as('k').create()).body.id)
    await other.as('k').clock.advance('1h')
    expect((await other.as('k').query(ids[0])).body.status).toBe('succeeded')
    const statuses = [...before.sent, ...after.sent].map(({ body: { status } }) => status)
    expect(statuses.at(0)).toBe('queued')
    expect(statuses.at(-1)).toBe('succeeded')
  })

  test('an account that was removed is gone, and what was begun anew has nothing of it', async () => {
    const { place, leftBehind } = kind()
    const where = await place()
    const one = await start(where)
    for (const key of ['k', 'other']) await one.as(key).create()
    for (const key of ['k', 'other']) await one.emulator.store.forget(key)
    const { body } = await one.as('k').create()
    const other = await start(await leftBehind(where))
    expect(await idsOf(other)).toEqual([body.id])
    expect(await other.emulator.store.keys()).not.toContain('other')
  })

  test('the secret that signs results is kept', async () => {
    const { place } = kind()
    const where = { ...(await place()), signingSecret: undefined }
    const secrets = []
    for (let times = 0; times < 2; times += 1) {
      const { emulator, stop } = await start(where)
      secrets.push(emulator.persistence?.secret)
      await stop()
    }
    expect(secrets[0]?.length).toBeGreaterThan(15)
    expect(secrets[1]).toBe(secrets[0])
  })

  test('a second writer is refused, or what both have answered is there', async () => {
    const { place, writers } = kind()
    const where = await place()
    const one = await start(where)
    const both = [one]
    if (writers === 'one') await expect(start(where)).rejects.toMatchObject({ code: 'state-held' })
    else both.push(await start(where))
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) => both[index % both.length]?.as('k').create()),
    )
    const ids = new Set(created.map((answer) => answer?.body.id))
    expect(ids.size).toBe(20)
    for (const { stop } of both) await stop()
    expect(await idsOf(await start(where))).toEqual([...ids].sort())
  })

  test('bytes of a version that is not known are refused, and stay as they are', async () => {
    const { place, makeNewer, bytesOf } = kind()
    const where = await place()
    const one = await start(where)
    await one.as('k').create()
    await one.stop()
    await makeNewer(where)
    const before = await bytesOf(where)
    const reading = start(where).then((other) => accountOf(other))
    await expect(reading).rejects.toThrow(/version 99/)
    expect(await bytesOf(where)).toBe(before)
  })
}

describe('accounts in memory', () => storeCases(async () => ({})))

describe('accounts in a state file', () => {
  const place = async () => ({ state: join(await openFolder(), 'state.jsonl') })
  const fileOf = ({ state }: Place) => state as string

  test('a conversation is the same as without', async () => {
    expect(await conversation(await start(await place()))).toEqual(await conversation(await start({})))
  })
  storeCases(place)
  portCases(() => ({
    place,
    leftBehind: async (where) => {
      const copy = await place()
      await copyFile(fileOf(where), copy.state)
      await copyFile(`${fileOf(where)}.1.log`, `${copy.state}.1.log`)
      return copy
    },
    makeNewer: async (where) => {
      const text = await readFile(fileOf(where), 'utf8')
      await writeFile(fileOf(where), text.replace(/"version":\d+/, '"version":99'))
    },
    bytesOf: (where) => readFile(fileOf(where), 'utf8'),
    writers: 'one',
  }))
})

describeWithRedis('accounts in a shared store', () => {
  let store: string
  let client: Awaited<ReturnType<typeof openClient>>
  beforeAll(async () => {
    store = (await startRedis()).url
    client = await openClient(store)
    return () => client.close()
  })
  const place = async () => ({ store, storePrefix: randomUUID() })
  const logOf = async ({ storePrefix }: Place) => (await client.keys(`${storePrefix}*:log`))[0] ?? ''

  test('a conversation is the same as without', async () => {
    expect(await conversation(await start(await place()))).toEqual(await conversation(await start({})))
  })
  storeCases(place)
  portCases(() => ({
    place,
    leftBehind: async (where) => where,
    makeNewer: async (where) => {
      const log = await logOf(where)
      const [{ id = '' } = {}] = (await client.xRevRange(log, '+', '-', { COUNT: 1 })) ?? []
      const [epoch, n] = id.split('-')
      await client.xAdd(log, `${epoch}-${Number(n) + 1}`, { b: JSON.stringify({ v: 99 }) })
    },
    bytesOf: async (where) => JSON.stringify(await client.xRange(await logOf(where), '-', '+')),
    writers: 'several',
  }))
})
