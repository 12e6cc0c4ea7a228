import { expect, test } from 'vitest'
import type { StoreParts } from '../../../src/emulator/accounts/store.js'
import { changeAccountSettings, openAccount } from '../../../src/emulator/core/account/account.js'
import { apply } from '../../../src/emulator/core/account/apply.js'
import { completeAttempt } from '../../../src/emulator/core/callback/attempts.js'
import type { AccountEvent, Effects } from '../../../src/emulator/core/model/account.js'
import { clockAt } from '../../../src/emulator/core/schedule/time.js'
import { settingsSchema } from '../../../src/emulator/settings.js'
import { assetWith } from '../core/asset-literals.js'
import { refused, taskWith } from '../core/callback/story.js'
import { taskWith as plainTaskWith } from '../core/task/literals.js'
import { contentsOf } from './contents.js'
import { openStore } from './open-store.js'

const KEY = 'alice'

const openedStore = (parts: Partial<StoreParts> = {}) =>
  openStore({
    open: (key) =>
      openAccount(key, settingsSchema.parse({}), { mode: 'paused', speed: 1, now: 0, wall: 0 }, [
        { name: 'counting', steps: [{ when: {}, then: {} }] } as never,
      ]),
    ...parts,
  })

test('a change that throws in the middle changes nothing, and nothing is handed out', async () => {
  const handedOut: Effects[] = []
  const store = openedStore({ onEffects: (_, effects) => handedOut.push(effects) })
  await store.transact(KEY, (account) => {
    apply(account, [
      { acceptCreate: 0 },
      { putTask: { ...taskWith(), id: 'first' } },
      { putTask: { ...taskWith(), id: 'second' } },
      { putAsset: assetWith() },
    ])
  })
  const before = await store.read(KEY, contentsOf)
  const job = handedOut[0]?.jobs.find(({ callback }) => callback.taskId === 'second')
  expect(job).toBeDefined()
  handedOut.length = 0
  const failing = store.transact(KEY, (account) => {
    account.requests += 1
    account.clock = clockAt(account.clock, 20_000, 0)
    changeAccountSettings(account, { balance: 5, limits: { requestsPerMinute: 3 } })
    account.playing = account.playing.map((run) => ({ ...run, seen: [1] }))
    apply(account, [
      { dropTask: 'first' },
      { putTask: { ...taskWith(), id: 'second', price: 7 } },
      { acceptCreate: 10 },
      { putTask: { ...taskWith(), id: 'third' } },
      { putAsset: { ...assetWith(), id: 'asset-2', jobId: 'job-2' } },
      { countImages: 2 },
    ])
    account.schedule.take()
    if (job !== undefined) completeAttempt(account, job, refused, 10)
    throw new Error('in the middle')
  })
  await expect(failing).rejects.toThrow('in the middle')
  expect(await store.read(KEY, contentsOf)).toEqual(before)
  expect(handedOut).toEqual([])
  expect(store.isFree('job-2')).toBe(true)
})

test('a transaction runs what is due before the change, and what the change makes due after it', async () => {
  const handedOut: Effects[] = []
  const store = openedStore({ onEffects: (_, effects) => handedOut.push(effects) })
  await store.transact(KEY, (account) => apply(account, [{ putTask: taskWith() }]))
  expect(handedOut.at(-1)?.jobs).toMatchObject([{ callback: { id: 'task-1' }, at: 0 }])
  await store.transact(KEY, (account) => {
    account.clock = clockAt(account.clock, 10_000, 0)
  })
  expect(handedOut.at(-1)?.events).toMatchObject([{ id: 'task', detail: 'running' }])
})

test('a query counts the call, after what is due', async () => {
  let systemNow = 0
  const handedOut: AccountEvent[] = []
  const store = openStore({
    open: (key) => openAccount(key, settingsSchema.parse({}), { mode: 'live', speed: 1, now: 0, wall: 0 }),
    systemNow: () => systemNow,
    onEffects: (_, { events }) => void handedOut.push(...events),
    setTimer: () => () => {},
  })
  const count = (account: { requests: number }) => {
    account.requests += 1
    return account.requests
  }
  const timeline = plainTaskWith({}).timeline.slice(0, 1)
  const later = { at: 10, value: { state: 'running' } } as const
  await store.transact(KEY, (account) => {
    apply(account, [{ putTask: plainTaskWith({ id: 'one', timeline: [...timeline, later] }) }])
  })
  expect(await store.query(KEY, count)).toBe(1)
  expect(handedOut).toEqual([])
  systemNow = 10
  expect(await store.query(KEY, count)).toBe(2)
  expect(handedOut.map(({ id, detail }) => `${id} ${detail}`)).toEqual(['one running'])
})

test('the result and the effects wait for the log', async () => {
  const order: string[] = []
  let written = () => {}
  const store = openedStore({
    onEffects: () => order.push('effects'),
    persistence: {
      secret: '',
      mediaFolder: '',
      accounts: [],
      batchOf: ({ ids }) => [...ids.tasks].map((id) => ['task', id, null] as const),
      append: (key, batch) =>
        new Promise((resolve) => {
          order.push(`append ${key} ${batch.length}`)
          written = resolve
        }),
      reportTo: () => {},
      listening: async () => {},
      facts: () => ({ file: '', bytes: 0, writtenAt: null, trouble: null }),
      stop: async () => {},
    },
  })
  const done = store
    .transact(KEY, (account) => apply(account, [{ putTask: taskWith() }]))
    .then(() => order.push('resolved'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['append alice 1'])
  written()
  await done
  expect(order).toEqual(['append alice 1', 'effects', 'resolved'])
})

test('an asset job leads to the account that has it, and to the one that is asked for first where several do', async () => {
  const store = openedStore()
  for (const key of ['alice', 'bob'])
    await store.transact(key, (account) => apply(account, [{ putAsset: assetWith() }]))
  expect(await store.ownerOf('task_1')).toBe('alice')
  expect(await store.ownerOf('task_1', 'bob')).toBe('bob')
  expect(await store.ownerOf('task_1', 'carol')).toBe('alice')
  expect(await store.ownerOf('task_2')).toBeUndefined()
})

test('a store that forgets an account forgets its asset jobs', async () => {
  const store = openedStore()
  for (const key of ['alice', 'bob'])
    await store.transact(key, (account) => apply(account, [{ putAsset: assetWith() }]))
  await store.forget('alice')
  expect(await store.ownerOf('task_1')).toBe('bob')
  await store.forget('bob')
  expect(store.isFree('task_1')).toBe(true)
})

test('however much is due, all of it is run before a change, and all that becomes due after it', async () => {
  let systemNow = 0
  const happened: AccountEvent[] = []
  const store = openStore({
    open: (key) => openAccount(key, settingsSchema.parse({}), { mode: 'live', speed: 1, now: 0, wall: 0 }),
    systemNow: () => systemNow,
    onEffects: (_, { events }) => happened.push(...events),
  })
  // Nothing wakes by itself.
  store.stop()
  const ids = Array.from({ length: 60 }, (_, n) => `task-${n}`)
  await store.transact(KEY, (account) =>
    apply(
      account,
      ids.map((id) => ({ putTask: plainTaskWith({ id }) })),
    ),
  )
  systemNow = 10
  const seen = await store.transact(KEY, (account) => {
    const { tasks } = account
    account.clock = clockAt(account.clock, 20, systemNow)
    return tasks.counts().map(({ facts, size }) => [facts.state, size])
  })
  expect(seen).toEqual([['running', 60]])
  expect(await store.read(KEY, ({ spent }) => spent)).toBe(60 * 5)
  expect(happened.map(({ id, detail }) => `${id} ${detail}`)).toEqual([
    ...ids.map((id) => `${id} running`),
    ...ids.map((id) => `${id} succeeded`),
  ])
})

test('an entry that a change has deleted is back in its place when the change throws', async () => {
  const store = openedStore()
  await store.transact(KEY, (account) =>
    apply(
      account,
      ['first', 'second', 'third'].map((id) => ({ putTask: { ...taskWith(), id } })),
    ),
  )
  const loggedIds = () => store.read(KEY, ({ callbacks }) => [...callbacks.log.keys()])
  const before = await loggedIds()
  expect(before).toEqual(['first-1', 'second-1', 'third-1'])
  const failing = store.transact(KEY, ({ callbacks }) => {
    callbacks.log.delete('first-1')
    throw new Error('in the middle')
  })
  await expect(failing).rejects.toThrow('in the middle')
  expect(await loggedIds()).toEqual(before)
})

test('a key that stands in for another does not take its account id away, and neither does its end', async () => {
  const store = openedStore({
    open: (key) => openAccount(key, settingsSchema.parse({}), { mode: 'paused', speed: 1, now: 0, wall: 0 }),
  })
  const id = await store.read(KEY, (account) => account.id)
  const other = `other~${id}`
  expect(await store.read(other, (account) => account.id)).toBe(id)
  expect(await store.keyOfAccountId(id)).toBe(KEY)
  await store.forget(other)
  expect(await store.keyOfAccountId(id)).toBe(KEY)
})

test('what comes of a transaction is not handed out once its account is forgotten', async () => {
  const handedOut: string[] = []
  const written: (() => void)[] = []
  const store = openedStore({
    onEffects: (key) => handedOut.push(key),
    persistence: {
      secret: '',
      mediaFolder: '',
      accounts: [],
      batchOf: () => [],
      append: () => new Promise((resolve) => void written.push(resolve)),
      reportTo: () => {},
      listening: async () => {},
      facts: () => ({ file: '', bytes: 0, writtenAt: null, trouble: null }),
      stop: async () => {},
    },
  })
  const done = store.transact(KEY, (account) => apply(account, [{ putTask: taskWith() }]))
  const forgotten = store.forget(KEY)
  for (const resolve of written) resolve()
  await Promise.all([done, forgotten])
  expect(handedOut).toEqual([])
})

test('an account that is forgotten before its turn to run what is due is not opened again', async () => {
  let hasRun = () => {}
  const last = new Promise<void>((resolve) => {
    hasRun = resolve
  })
  const store = openedStore({ onEffects: (key) => (key === 'carol' ? hasRun() : undefined) })
  for (const key of ['alice', 'bob', 'carol']) {
    const clock = { mode: 'paused', speed: 1, now: 0, wall: 0 } as const
    const account = openAccount(key, settingsSchema.parse({}), clock)
    apply(account, [{ putTask: taskWith() }])
    await store.put({ ...account, clock: clockAt(clock, 10_000, 0) })
  }
  store.wake()
  await store.forget('bob')
  await last
  expect(await store.keys()).toEqual(['alice', 'carol'])
})

test('an account that is forgotten while what a change made due is run is not opened again', async () => {
  let onSlice = () => {}
  const store = openedStore({ onEffects: () => onSlice() })
  const tasks = Array.from({ length: 60 }, (_, n) => ({ putTask: plainTaskWith({ id: `task-${n}` }) }))
  await store.transact(KEY, (account) => apply(account, tasks))
  onSlice = () => {
    onSlice = () => {}
    void store.forget(KEY)
  }
  await store.transact(KEY, (account) => {
    account.clock = clockAt(account.clock, 10, 0)
  })
  expect(await store.keys()).toEqual([])
})
