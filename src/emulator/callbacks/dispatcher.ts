import type { Store } from '../accounts/store.js'
import { createKeyedSemaphore, createSemaphore, type Semaphore, waitAtMost } from '../concurrency.js'
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

/**
 * Callback dispatcher: sends the callbacks of delivery jobs, many at a time, and completes each attempt in a transaction.
 * The order of callbacks is the business of the queue of each task (core/callback/queue.ts), as are retries.
 */
export class CallbackDispatcher {
  readonly #parts: CallbackDispatcherParts
  readonly #perReceiver = createKeyedSemaphore(MAX_PER_RECEIVER)
  readonly #overall: Semaphore
  readonly #deliveries = new Multimap<string, InFlightDelivery>()
  #latest = 0
  #isStopped = false

  constructor(parts: CallbackDispatcherParts) {
    const { maxInFlight, quotas } = parts
    this.#parts = parts
    this.#overall = createSemaphore(maxInFlight, {
      onWait: () => quotas.hit('callbacks'),
      onHold: (held) => quotas.observe('callbacks', held),
    })
    quotas.measure({ callbacks: () => this.#overall.held })
  }

  /** Number of the delivery that began last. */
  get latest(): number {
    return this.#latest
  }

  dispatch(key: string, job: DeliveryJob): void {
    if (!this.#isStopped) void this.#deliver(key, this.#begin(key, job))
  }

  /** Whether deliveries of an account that began after one of a number are in flight. */
  isBusy(key: string, number: number): boolean {
    return this.#startedAfter(key, number).length > 0
  }

  /** Resolves when none of them is in flight any more. */
  async drained(key: string, number: number): Promise<void> {
    for (;;) {
      const busy = this.#startedAfter(key, number)
      if (busy.length === 0) return
      await Promise.all(busy.map(({ ended }) => ended))
    }
  }

  /** Resolves when no delivery of an account is in flight, or after a while: a receiver may itself wait for the caller. */
  drainedOrStuck(key: string): Promise<void> {
    return waitAtMost(this.#scaled(STUCK_AFTER_MS), this.drained(key, 0))
  }

  /** Resolves when the delivery of a job has ended, or cannot be recorded for now since the shared store is away. */
  async settled(key: string, job: DeliveryJob): Promise<void> {
    return this.#startedAfter(key, 0).find((delivery) => delivery.job === job)?.tried
  }

  /** Aborts what is in flight for an account; how it ended is not recorded. */
  forget(key: string): void {
    for (const delivery of this.#deliveries.get(key)) {
      delivery.isAborted = true
      delivery.call?.abort()
      this.#end(key, delivery)
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const key of this.#deliveries.keys()) this.forget(key)
    this.#parts.httpClient.stop()
  }

  #begin(key: string, job: DeliveryJob): InFlightDelivery {
    this.#latest += 1
    const [ended, end] = createSignal()
    const [tried, markTried] = createSignal()
    const number = this.#latest
    const delivery: InFlightDelivery = { number, job, ended, end, tried, markTried, isAborted: false }
    this.#deliveries.add(key, delivery)
    return delivery
  }

  #end(key: string, delivery: InFlightDelivery): void {
    this.#deliveries.delete(key, delivery)
    delivery.markTried()
    delivery.end()
  }

  #startedAfter(key: string, number: number): InFlightDelivery[] {
    return this.#deliveries.get(key).filter((delivery) => delivery.number > number)
  }

  #scaled(ms: number): number {
    return Math.min(ms * this.#parts.timeoutScale, LONGEST_TIMER_MS)
  }

  async #deliver(key: string, delivery: InFlightDelivery): Promise<void> {
    const { store, policyOf = () => defaultDelivery, onInternalError } = this.#parts
    const { job } = delivery
    const result = await this.#attempt(key, delivery).catch((error): AttemptResult => {
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
    this.#end(key, delivery)
  }

  /** Undefined where it was aborted. */
  async #attempt(key: string, delivery: InFlightDelivery): Promise<AttemptResult | undefined> {
    const { store, bodyOf, policyOf = () => defaultDelivery, headersOf, httpClient } = this.#parts
    const { callback } = delivery.job
    const url = new URL(callback.url)
    const releaseReceiver = await this.#perReceiver.acquire(url.host)
    const release = await this.#overall.acquire()
    try {
      // An account that was forgotten meanwhile must not be opened again by looking at it.
      if (delivery.isAborted) return undefined
      const body = await whenStored(delivery, () => store.read(key, (account) => bodyOf(account, callback)))
      if (delivery.isAborted) return undefined
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const usual = { 'Content-Type': 'application/json', [DELIVERY_ID_HEADER]: callback.id }
      const headers = headersOf?.(callback, text, usual) ?? usual
      const { timeoutMs } = policyOf(callback.task.family)
      delivery.call = httpClient.send(url, headers, text, this.#scaled(timeoutMs[callback.kind]))
      const result = await delivery.call.result
      return delivery.isAborted ? undefined : { ...result, sent: body }
    } finally {
      release()
      releaseReceiver()
    }
  }
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

/** Callback log of each account, to read and to send again. */
export interface Callbacks {
  get(key: string, id: string): Promise<CallbackRecord | undefined>
  /** Newest first, with the number of entries that were evicted (setting callbackLogEntries). */
  list(key: string, filter?: CallbackFilter): Promise<{ items: CallbackRecord[]; evicted: number }>
  /**
   * Sends a callback again now, once, whatever became of it; resolves with the record when it was answered or failed.
   * @throws EmulatorError `unknown-callback`, or `callback-waiting` if its turn has not come yet
   */
  redeliver(key: string, id: string): Promise<CallbackRecord>
  /** Resolves when nothing of the account is in flight; attempts that a clock has yet to reach do not count. */
  idle(key: string): Promise<void>
}

export const createCallbacks = (
  store: Pick<Store, 'read' | 'transact'>,
  dispatcher: Pick<CallbackDispatcher, 'settled' | 'drained'>,
): Callbacks => {
  const get: Callbacks['get'] = async (key, id) => {
    const callback = await store.read(key, ({ callbacks }) => callbacks.log.get(id))
    return callback && shownCallback(callback)
  }

  return {
    get,
    list: (key, filter = {}) =>
      store.read(key, ({ callbacks: { log, evicted } }) => {
        const matching = [...log.values()].filter((callback) => matches(callback, filter))
        return { items: matching.map(shownCallback).reverse(), evicted }
      }),
    redeliver: async (key, id) => {
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
    idle: (key) => dispatcher.drained(key, 0),
  }
}

const matches = (callback: Callback, filter: CallbackFilter): boolean =>
  filterFields.every((field) => filter[field] === undefined || filter[field] === callback[field])
