import { expect, test } from 'vitest'
import type { AccountRecord, ClockReading, PlayingScenario } from '../../../src/generated/control-api.js'
import { createStore } from '../../../src/ui/state/store.js'
import { callback, request, task } from './records.js'

const START = Date.parse('2026-01-01T00:00:00Z')

/** A store whose updates run when the test says so. */
const openStore = (maxRecords?: number) => {
  const pending: (() => void)[] = []
  let updates = 0
  const store = createStore({
    now: () => START,
    schedule: (run) => void pending.push(run),
    ...(maxRecords === undefined ? {} : { maxRecords }),
  })
  store.subscribe(() => {
    updates += 1
  })
  const flush = () => {
    for (const run of pending.splice(0)) run()
  }
  store.reset('a1')
  flush()
  updates = 0
  return { store, flush, updates: () => updates }
}

const requestItem = (id: string) => ({ kind: 'request', account: 'a1', record: request({ id }) }) as const
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id)

test('everything that arrives in one go is one update', () => {
  const { store, flush, updates } = openStore()
  store.apply([requestItem('r1'), requestItem('r2')])
  store.apply([{ kind: 'task', account: 'a1', record: task() }])
  expect(ids(store.get().requests)).toEqual([])
  flush()
  expect(updates()).toBe(1)
  expect(ids(store.get().requests)).toEqual(['r2', 'r1'])
  expect(ids(store.get().tasks)).toEqual(['t1'])
})

test('the record of an event is newer than an answer that is read afterwards', () => {
  const { store, flush } = openStore()
  store.apply([{ kind: 'task', account: 'a1', record: task({ id: 't2', status: 'running' }) }])
  store.load({ tasks: [task({ id: 't2', status: 'queued' }), task({ id: 't1' })] })
  flush()
  expect(store.get().tasks.map(({ id, status }) => [id, status])).toEqual([
    ['t2', 'running'],
    ['t1', 'queued'],
  ])
})

test('a task that was deleted while the lists are read does not come back with them', () => {
  const { store, flush } = openStore()
  store.apply([{ kind: 'gone', account: 'a1', id: 't1' }])
  store.load({ tasks: [task({ id: 't2' }), task({ id: 't1' })] })
  store.finishLoading()
  flush()
  expect(ids(store.get().tasks)).toEqual(['t2'])
})

test('calls come in their order where the events have told only of the first before the list is read', () => {
  const { store, flush } = openStore()
  store.apply([requestItem('r2')])
  const items = ['r4', 'r3', 'r2', 'r1'].map((id) => request({ id }))
  store.load({ requests: { items, evicted: 0 } })
  store.apply(['r3', 'r4', 'r5'].map(requestItem))
  flush()
  expect(ids(store.get().requests)).toEqual(['r5', 'r4', 'r3', 'r2', 'r1'])
})

test('an account that is read again is shown as it was until it is whole', () => {
  const { store, flush, updates } = openStore()
  store.load({ tasks: [task({ id: 't1' })] })
  store.finishLoading()
  flush()
  store.reset('a1')
  store.load({ tasks: [task({ id: 't2' })] })
  flush()
  expect(ids(store.get().tasks)).toEqual(['t1'])
  store.finishLoading()
  flush()
  expect(ids(store.get().tasks)).toEqual(['t2'])
  expect(updates()).toBe(2)
  store.reset('another')
  flush()
  expect(store.get().tasks).toEqual([])
})

test('pages of a list stand behind each other, newest first', () => {
  const { store, flush } = openStore()
  store.load({ requests: { items: [request({ id: 'r4' }), request({ id: 'r3' })], evicted: 0 } })
  store.apply([requestItem('r5')])
  store.load({ requests: { items: [request({ id: 'r2' }), request({ id: 'r1' })], evicted: 7 } })
  flush()
  expect(ids(store.get().requests)).toEqual(['r5', 'r4', 'r3', 'r2', 'r1'])
  expect(store.get().evictedRequests).toBe(7)
})

test('a full store drops the oldest and counts them', () => {
  const { store, flush } = openStore(2)
  store.apply(['r1', 'r2', 'r3'].map(requestItem))
  flush()
  expect(ids(store.get().requests)).toEqual(['r3', 'r2'])
  expect(store.get().evictedRequests).toBe(1)
  expect(['r1', 'r2'].map(store.get().arrivedAt)).toEqual([undefined, START])
})

test('a list is the same array until something in it changes', () => {
  const { store, flush } = openStore()
  store.apply([requestItem('r1'), { kind: 'callback', account: 'a1', record: callback() }])
  flush()
  const { requests, callbacks } = store.get()
  store.apply([requestItem('r2')])
  flush()
  expect(store.get().callbacks).toBe(callbacks)
  expect(store.get().requests).not.toBe(requests)
})

test('calls of a task are its newest versions, without those that were dropped', () => {
  const { store, flush } = openStore(3)
  const item = (id: string, status = 200) =>
    ({ kind: 'request', account: 'a1', record: request({ id, status, task: 't1' }) }) as const
  store.load({ requests: { items: [request({ id: 'r1', task: 't1' })], evicted: 0 } })
  store.apply([item('r2'), item('r3'), item('r2', 500), item('r4')])
  flush()
  expect(
    store
      .get()
      .requestsOf('t1')
      .map(({ id, status }) => [id, status]),
  ).toEqual([
    ['r4', 200],
    ['r3', 200],
    ['r2', 500],
  ])
})

test('what events have told of a clock, an account and its scenarios is newer than what is read', () => {
  const { store, flush } = openStore()
  const clock: ClockReading = { now: '2026-01-02T00:00:00.000Z', mode: 'paused', speed: 1, next: null }
  const playing: PlayingScenario = { name: 'burst', says: '', since: clock.now, steps: [] }
  const record = { tag: 'a1', balance: 1 } as AccountRecord
  store.load({ scenarios: [playing] })
  flush()
  expect(store.get().scenarios).toEqual([playing])
  store.apply([
    { kind: 'clock', account: 'a1', record: clock },
    { kind: 'account', account: 'a1', record },
    { kind: 'scenario', account: 'a1', items: [] },
  ])
  const older = { clock: { ...clock, now: '2026-01-01T00:00:00.000Z' }, record: { ...record, balance: 2 } }
  store.load({ ...older, scenarios: [playing] })
  flush()
  const expected = { clock: { ...clock, receivedAt: START }, record, scenarios: [] }
  expect(store.get()).toMatchObject(expected)
})

test('items of other accounts change nothing', () => {
  const { store, flush, updates } = openStore()
  store.apply([{ kind: 'task', account: 'other', record: task() }])
  flush()
  expect(updates()).toBe(0)
})

test('a task that was deleted is gone, and a message in a box is counted', () => {
  const { store, flush } = openStore()
  const { inboxRevision } = store.get()
  store.apply([{ kind: 'task', account: 'a1', record: task() }])
  store.apply([
    { kind: 'gone', account: 'a1', id: 't1' },
    { kind: 'inbox', account: 'a1', name: 'hooks' },
  ])
  flush()
  expect(store.get().tasks).toEqual([])
  expect(store.get().inboxRevision).toBe(inboxRevision + 1)
})

test('a call that arrived by an event has a time of this machine, one that was read has none', () => {
  const { store, flush } = openStore()
  store.apply([requestItem('r2')])
  store.load({ requests: { items: [request({ id: 'r1' })], evicted: 0 } })
  flush()
  expect(store.get().arrivedAt('r2')).toBe(START)
  expect(store.get().arrivedAt('r1')).toBeUndefined()
})
