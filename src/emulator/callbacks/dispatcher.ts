import type { Store } from '../accounts/store.js'
import { createKeyedSemaphore, createSemaphore, waitAtMost } from '../concurrency.js'
import { type AttemptResult, completeAttempt, isRecorded } from '../core/callback/attempts.js'
import { type DeliveryPolicy, defaultDelivery } from '../core/callback/delivery.js'
import { resend, unknownCallback } from '../core/callback/queue.js'
import { Multimap } from '../core/collections/multimap.js'
import { isStoreError } from '../core/errors.js'
import { type Callback, type CallbackRecord, type DeliveryJob, shownCallback } from '../core/model/account.js'
import type { QuotaReporter } from '../core/quotas.js'
import { LONGEST_TIMER_MS, SECOND } from '../core/schedule/time.js'
import { delay } from '../timers.js'
import type { CallbackBodyOf, CallbackHeadersOf } from './body.js'
import { type CallbackHttpClient, DELIVERY_ID_HEADER, type OutboundCall } from './http-client.js'

/** How long to wait for receivers that may themselves wait for the caller, in real time. */
const STUCK_AFTER_MS = 0.25 * SECOND

const MAX_PER_RECEIVER = 64

/** Exponential back-off while the shared store is away, in real time: the first delay, and the longest one. */
const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 2 * SECOND

interface CallbackDispatcherParts {
  readonly store: Pick<Store, 'read' | 'transact'>
  readonly bodyOf: CallbackBodyOf
  /** How a family sends its callbacks. Default: as gaps F8, F10 and B17 say. */
  readonly policyOf?: (family: string) => DeliveryPolicy
  /** Headers of a message besides its type and delivery id. Default: none. */
  readonly headersOf?: CallbackHeadersOf | undefined
  readonly httpClient: CallbackHttpClient
  readonly timeoutScale: number
  /** How many are in flight at a time, to all receivers. */
  readonly maxInFlight: number
  readonly quotas: QuotaReporter
  readonly onInternalError: (error: unknown) => void
}

/** In-flight delivery. */
interface InFlightDelivery {
  /** Counts all deliveries that ever began. */
  readonly number: number
  readonly job: DeliveryJob
  readonly ended: Promise<void>
  end(): void
  /** Resolves when its result is recorded, or cannot be for now since the shared store is away. */
  readonly tried: Promise<void>
  markTried(): void
  /** How it ends is not recorded. */
  isAborted: boolean
  /** Undefined while it waits for its turn. */
  call?: OutboundCall
}

export type CallbackDispatcher = ReturnType<typeof createCallbackDispatcher>

/**
 * Callback dispatcher: sends the callbacks of delivery jobs, many at a time, and completes each attempt in a transaction.
 * The order of callbacks is the business of the queue of each task (core/callback/queue.ts), as are retries.
 */
export const createCallbackDispatcher = (parts: CallbackDispatcherParts) => {
  const {
    store,
    bodyOf,
    policyOf = () => defaultDelivery,
    headersOf,
    httpClient,
    timeoutScale,
    maxInFlight,
  } = parts
  const { quotas, onInternalError } = parts
  const scaled = (ms: number): number => Math.min(ms * timeoutScale, LONGEST_TIMER_MS)
  const perReceiver = createKeyedSemaphore(MAX_PER_RECEIVER)
  const overall = createSemaphore(maxInFlight, {
    onWait: () => quotas.hit('callbacks'),
    onHold: (held) => quotas.observe('callbacks', held),
  })
  quotas.measure({ callbacks: () => overall.held })
  const deliveries = new Multimap<string, InFlightDelivery>()
  let latest = 0
  let isStopped = false

  const begin = (key: string, job: DeliveryJob): InFlightDelivery => {
    latest += 1
    const [ended, end] = createSignal()
    const [tried, markTried] = createSignal()
    const delivery: InFlightDelivery = { number: latest, job, ended, end, tried, markTried, isAborted: false }
    deliveries.add(key, delivery)
    return delivery
  }

  const end = (key: string, delivery: InFlightDelivery): void => {
    deliveries.delete(key, delivery)
    delivery.markTried()
    delivery.end()
  }

  const abort = (key: string): void => {
    for (const delivery of deliveries.get(key)) {
      delivery.isAborted = true
      delivery.call?.abort()
      end(key, delivery)
    }
  }

  const deliver = async (key: string, delivery: InFlightDelivery): Promise<void> => {
    const { job } = delivery
    const result = await attempt(key, delivery).catch((error): AttemptResult => {
      onInternalError(error)
      return { outcome: 'failed', durationMs: 0, error: `It could not be sent: ${error}.`, sent: null }
    })
    if (result !== undefined)
      await whenStored(delivery, (isRepeated) =>
        store.transact(key, (account, now, { events }) => {
          // Where much is due first, the account can be forgotten meanwhile, and the next one has callbacks of the same ids.
          if (delivery.isAborted || (isRepeated && isRecorded(account, job, result))) return
          const { retryDelaysMs } = policyOf(job.callback.task.family)
          events.push(...completeAttempt(account, job, result, now, retryDelaysMs))
        }),
      ).catch(onInternalError)
    end(key, delivery)
  }

  /**
   * Retries with back-off what needs the shared store, for as long as that is away and the delivery is not given up: no other
   * replica completes an attempt of one that lives.
   * @param run is told whether it is repeated: the outcome of an earlier transaction may be unknown
   */
  const whenStored = async <T>(
    delivery: InFlightDelivery,
    run: (isRepeated: boolean) => Promise<T>,
  ): Promise<T | undefined> => {
    let delayMs = FIRST_RETRY_MS
    for (let isRepeated = false; !delivery.isAborted; isRepeated = true) {
      try {
        return await run(isRepeated)
      } catch (error) {
        if (!isStoreError(error)) throw error
        delivery.markTried()
      }
      await delay(delayMs, undefined, { ref: false })
      delayMs = Math.min(2 * delayMs, MAX_RETRY_MS)
    }
    return undefined
  }

  /** Undefined where it was aborted. */
  const attempt = async (key: string, delivery: InFlightDelivery): Promise<AttemptResult | undefined> => {
    const { callback } = delivery.job
    const url = new URL(callback.url)
    const releaseReceiver = await perReceiver.acquire(url.host)
    const release = await overall.acquire()
    try {
      // An account that was forgotten meanwhile must not be opened again by looking at it.
      if (delivery.isAborted) return undefined
      const body = await whenStored(delivery, () => store.read(key, (account) => bodyOf(account, callback)))
      if (delivery.isAborted) return undefined
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const headers = {
        'Content-Type': 'application/json',
        [DELIVERY_ID_HEADER]: callback.id,
        ...headersOf?.(callback, text),
      }
      const { timeoutMs } = policyOf(callback.task.family)
      delivery.call = httpClient.send(url, headers, text, scaled(timeoutMs[callback.kind]))
      const result = await delivery.call.result
      return delivery.isAborted ? undefined : { ...result, sent: body }
    } finally {
      release()
      releaseReceiver()
    }
  }

  const startedAfter = (key: string, number: number): InFlightDelivery[] =>
    deliveries.get(key).filter((delivery) => delivery.number > number)

  const drained = async (key: string, number: number): Promise<void> => {
    for (let busy = startedAfter(key, number); busy.length > 0; busy = startedAfter(key, number))
      await Promise.all(busy.map(({ ended }) => ended))
  }

  return {
    dispatch: (key: string, job: DeliveryJob): void => {
      if (!isStopped) void deliver(key, begin(key, job))
    },
    get latest() {
      return latest
    },
    isBusy: (key: string, number: number): boolean => startedAfter(key, number).length > 0,
    drained,
    drainedOrStuck: (key: string): Promise<void> => waitAtMost(scaled(STUCK_AFTER_MS), drained(key, 0)),
    /** Resolves when the delivery of a job has ended, or cannot be recorded for now since the shared store is away. */
    settled: async (key: string, job: DeliveryJob): Promise<void> =>
      startedAfter(key, 0).find((delivery) => delivery.job === job)?.tried,
    /** Aborts what is in flight for an account; how it ended is not recorded. */
    forget: abort,
    stop: (): void => {
      isStopped = true
      for (const key of deliveries.keys()) abort(key)
      httpClient.stop()
    },
  }
}

/** Signal: a promise without a value, and what resolves it. */
const createSignal = (): readonly [Promise<void>, () => void] => {
  let resolve = () => {}
  const promise = new Promise<void>((resolved) => {
    resolve = resolved
  })
  return [promise, resolve]
}

const filterFields = ['taskId', 'kind', 'status', 'state'] as const

/** Filter of the callback log; undefined parts match everything. */
type CallbackFilter = {
  readonly [F in (typeof filterFields)[number]]?: CallbackRecord[F] | undefined
}

export type Callbacks = ReturnType<typeof createCallbacks>

/** Callback log of each account, to read and to send again. */
export const createCallbacks = (
  store: Pick<Store, 'read' | 'transact'>,
  dispatcher: Pick<CallbackDispatcher, 'settled' | 'drained'>,
) => {
  const get = async (key: string, id: string): Promise<CallbackRecord | undefined> => {
    const callback = await store.read(key, ({ callbacks }) => callbacks.log.get(id))
    return callback && shownCallback(callback)
  }

  return {
    get,
    /** Newest first, with the number of entries that were evicted (setting callbackLogEntries). */
    list: (key: string, filter: CallbackFilter = {}): Promise<{ items: CallbackRecord[]; evicted: number }> =>
      store.read(key, ({ callbacks: { log, evicted } }) => {
        const matching = [...log.values()].filter((callback) => matches(callback, filter))
        return { items: matching.map(shownCallback).reverse(), evicted }
      }),
    /**
     * Sends a callback again now, once, whatever became of it; resolves with the record when it was answered or failed.
     * @throws EmulatorError `unknown-callback`, or `callback-waiting` if its turn has not come yet
     */
    redeliver: async (key: string, id: string): Promise<CallbackRecord> => {
      const { jobs } = await store.transact(key, (account, now, effects) => {
        resend(account, id, now, effects)
        return effects
      })
      // Others may send the same callback at the same time. A scenario can have it sent several times at once.
      const own = jobs.filter(({ callback }) => callback.id === id)
      await Promise.all(own.map((job) => dispatcher.settled(key, job)))
      const record = await get(key, id)
      if (record === undefined) throw unknownCallback(id)
      return record
    },
    /** Resolves when nothing of the account is in flight; attempts that a clock has yet to reach do not count. */
    idle: (key: string): Promise<void> => dispatcher.drained(key, 0),
  }
}

const matches = (callback: Callback, filter: CallbackFilter): boolean =>
  filterFields.every((field) => filter[field] === undefined || filter[field] === callback[field])
