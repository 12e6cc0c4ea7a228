import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../../src/emulator/accounts/store.js'
import { CallbackDispatcher, createCallbacks } from '../../../src/emulator/callbacks/dispatcher.js'
import type {
  CallbackHttpClient,
  CallResult,
  OutboundCall,
} from '../../../src/emulator/callbacks/http-client.js'
import { apply } from '../../../src/emulator/core/account/apply.js'
import { EmulatorError } from '../../../src/emulator/core/errors.js'
import type { Callback, DeliveryJob } from '../../../src/emulator/core/model/account.js'
import { noQuotaReporter } from '../../../src/emulator/core/quotas.js'
import { clockAt } from '../../../src/emulator/core/schedule/time.js'
import { openStore } from '../accounts/open-store.js'
import { accountWith, taskWith } from '../core/callback/story.js'

const KEY = 'key'
const good: CallResult = { outcome: 'answered', status: 200, durationMs: 1 }

const jobOf = (id: string, url = 'http://127.0.0.1/hook'): DeliveryJob => ({
  callback: { ...([...accountWith(taskWith()).callbacks.log.values()][0] as Callback), id, url },
  at: 0,
  isResend: true,
})

/** A dispatcher whose receivers answer when the test says so. */
const dispatching = (
  bodyOf: (dispatcher: CallbackDispatcher) => unknown = () => ({ hello: 1 }),
  wrapStore: (store: Store) => Pick<Store, 'read' | 'transact'> = (store) => store,
) => {
  const sent: { url: string; text: string; timeoutMs: number; answer: (sent: CallResult) => void }[] = []
  const bugs: unknown[] = []
  const httpClient: CallbackHttpClient = {
    send: (url, _, text, timeoutMs) => {
      let answer: (sent: CallResult) => void = () => {}
      const exchange: OutboundCall = {
        result: new Promise((resolve) => {
          answer = resolve
        }),
        abort: () => answer({ outcome: 'failed', durationMs: 0 }),
      }
      sent.push({ url: url.href, text, timeoutMs, answer })
      return exchange
    },
    stop: () => {},
  }
  let onEvents = () => {}
  /** Does something the next time that something happens on the account. */
  const nextTime = <T>(act: () => Promise<T>) =>
    new Promise<T>((resolve) => {
      onEvents = () => {
        onEvents = () => {}
        resolve(act())
      }
    })
  const store = openStore({
    open: () => accountWith(taskWith()),
    // The account's own first attempt would come between those of the tests.
    onEffects: (key, { events, jobs }) => {
      if (events.length > 0) onEvents()
      for (const job of jobs) if (job.isResend) dispatcher.dispatch(key, job)
    },
  })
  const dispatcher: CallbackDispatcher = new CallbackDispatcher({
    store: wrapStore(store),
    bodyOf: () => bodyOf(dispatcher),
    httpClient,
    timeoutScale: 2,
    maxInFlight: 1_000,
    quotas: noQuotaReporter,
    onInternalError: (bug) => bugs.push(bug),
  })
  onTestFinished(() => dispatcher.stop())
  const begin = (job: DeliveryJob) => dispatcher.dispatch(KEY, job)
  /** What became of the account's own callback, whose id the jobs of these tests carry. */
  const attempts = () => store.read(KEY, ({ callbacks }) => callbacks.log.get('task-1')?.attempts ?? [])
  return { store, dispatcher, sent, bugs, attempts, begin, nextTime }
}

/** Lets everything happen that needs no time. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('at most 64 deliveries are on their way to one receiver, and the next starts when one ends', async () => {
  const { begin, sent } = dispatching()
  for (let count = 0; count < 66; count += 1) begin(jobOf(`task-${count}`))
  await settled()
  expect(sent).toHaveLength(64)
  sent[0]?.answer(good)
  await settled()
  expect(sent).toHaveLength(65)
})

test('a receiver that takes no more does not hold up another', async () => {
  const { begin, sent } = dispatching()
  for (let count = 0; count < 65; count += 1) begin(jobOf(`task-${count}`))
  begin(jobOf('other', 'http://127.0.0.1:8080/hook'))
  await settled()
  expect(sent.at(-1)?.url).toBe('http://127.0.0.1:8080/hook')
})

test('a delivery has 5 seconds to be answered, times the scale', async () => {
  const { begin, sent } = dispatching()
  begin(jobOf('task-1'))
  await settled()
  expect(sent[0]?.timeoutMs).toBe(10_000)
})

test('a challenge has 3 seconds to be answered, times the scale', async () => {
  const { begin, sent } = dispatching()
  const job = jobOf('task-1')
  begin({ ...job, callback: { ...job.callback, kind: 'challenge' } })
  await settled()
  expect(sent[0]?.timeoutMs).toBe(6_000)
})

test('a delivery whose account is forgotten while it waits for its turn does not open the account again', async () => {
  const { begin, dispatcher, store, sent } = dispatching()
  for (let count = 0; count < 65; count += 1) begin(jobOf(`task-${count}`))
  await settled()
  dispatcher.forget(KEY)
  await store.forget(KEY)
  await settled()
  expect(sent).toHaveLength(64)
  expect(await store.keys()).toEqual([])
})

test('the result of a dropped delivery is not recorded, and no call waits for it', async () => {
  const { begin, dispatcher, sent, attempts } = dispatching()
  begin(jobOf('task-1'))
  await settled()
  dispatcher.forget(KEY)
  await dispatcher.drained(KEY, 0)
  sent[0]?.answer(good)
  await settled()
  expect(await attempts()).toEqual([])
})

test('the result of a delivery is not recorded in the account that follows on one that was forgotten with much due', async () => {
  const { begin, dispatcher, store, sent, attempts, nextTime } = dispatching()
  begin(jobOf('task-1'))
  await settled()
  await store.read(KEY, (account) => {
    for (let count = 0; count < 60; count += 1)
      apply(account, [{ putTask: { ...taskWith(), id: `other-${count}` } }])
    account.clock = clockAt(account.clock, 10_000, 0)
  })
  const forgotten = nextTime(() => {
    dispatcher.forget(KEY)
    return store.forget(KEY)
  })
  sent[0]?.answer(good)
  await forgotten
  expect(await attempts()).toEqual([])
  await settled()
  expect(await attempts()).toEqual([])
})

test('a delivery that is dropped before it was sent is never sent', async () => {
  const { begin, sent } = dispatching((dispatcher) => dispatcher.forget(KEY))
  begin(jobOf('task-1'))
  await settled()
  expect(sent).toEqual([])
})

test('waiting for what is newer does not wait for what is older', async () => {
  const { begin, dispatcher, sent } = dispatching()
  begin(jobOf('old'))
  const since = dispatcher.latest
  expect(dispatcher.isBusy(KEY, since)).toBe(false)
  begin(jobOf('new'))
  expect(dispatcher.isBusy(KEY, since)).toBe(true)
  await settled()
  sent[1]?.answer(good)
  await dispatcher.drained(KEY, since)
  expect(dispatcher.isBusy(KEY, 0)).toBe(true)
})

test('a message that cannot be made is a bug to tell of and a failed attempt', async () => {
  const { begin, bugs, attempts } = dispatching(() => {
    throw new Error('no such family')
  })
  begin(jobOf('task-1'))
  await settled()
  expect(bugs).toHaveLength(1)
  expect(await attempts()).toMatchObject([{ outcome: 'failed' }])
})

test('a callback that is sent again twice at a time is awaited by each for its own attempt', async () => {
  const { store, dispatcher, sent } = dispatching()
  await store.transact(KEY, ({ callbacks: { log } }) => {
    const callback = log.get('task-1') as Callback
    log.set('task-1', { ...callback, state: 'delivered' })
  })
  const callbacks = createCallbacks(store, dispatcher)
  const [first, second] = [callbacks.redeliver(KEY, 'task-1'), callbacks.redeliver(KEY, 'task-1')]
  await settled()
  sent[1]?.answer({ ...good, status: 502 })
  expect((await second).attempts).toMatchObject([{ status: 502 }])
  sent[0]?.answer(good)
  expect((await first).attempts).toMatchObject([{ status: 502 }, { status: 200 }])
})

/** A store that is away for its first operations; `isApplied`: a transaction is lost only after it was applied. */
const awayFor = (turns: number, { isApplied = false } = {}) => {
  let left = turns
  const away = () =>
    new EmulatorError('The shared store cannot be used.', { code: 'store-unavailable', hint: '' })
  return {
    left: () => left,
    wrap: (store: Store): Pick<Store, 'read' | 'transact'> => {
      const whenBack = async <T>(run: () => Promise<T>, isLost: boolean): Promise<T> => {
        if (left === 0) return run()
        left -= 1
        if (isLost) await run()
        throw away()
      }
      return {
        read: (key, look) => whenBack(() => store.read(key, look), false),
        transact: (key, change) => whenBack(() => store.transact(key, change), isApplied),
      }
    },
  }
}

test('a delivery whose body cannot be read while the shared store is away is sent once it is back', async () => {
  const store = awayFor(2)
  const { begin, sent, bugs, attempts, dispatcher } = dispatching(undefined, store.wrap)
  begin(jobOf('task-1'))
  await expect.poll(() => sent.length).toBe(1)
  sent[0]?.answer(good)
  await dispatcher.drained(KEY, 0)
  expect(await attempts()).toMatchObject([{ status: 200 }])
  expect([store.left(), bugs]).toEqual([0, []])
})

test.each([false, true])(
  'a result that cannot be recorded while the shared store is away is recorded once, also where it was applied: %j',
  async (isApplied) => {
    const store = awayFor(2, { isApplied })
    const wrap = (given: Store) => ({ ...store.wrap(given), read: given.read })
    const { begin, sent, bugs, attempts, dispatcher } = dispatching(undefined, wrap)
    const job = jobOf('task-1')
    begin(job)
    await settled()
    sent[0]?.answer(good)
    // A caller that waits for this one alone can learn that the store is away; one that waits for all waits on.
    await dispatcher.settled(KEY, job)
    expect(dispatcher.isBusy(KEY, 0)).toBe(true)
    await dispatcher.drained(KEY, 0)
    expect(await attempts()).toMatchObject([{ status: 200 }])
    expect(bugs).toEqual([])
  },
)

test('a result that cannot be recorded is given up with its account', async () => {
  const store = awayFor(Number.POSITIVE_INFINITY)
  const wrap = (given: Store) => ({ ...store.wrap(given), read: given.read })
  const { begin, sent, dispatcher } = dispatching(undefined, wrap)
  begin(jobOf('task-1'))
  await settled()
  sent[0]?.answer(good)
  await settled()
  expect(dispatcher.isBusy(KEY, 0)).toBe(true)
  dispatcher.forget(KEY)
  await dispatcher.drained(KEY, 0)
})
