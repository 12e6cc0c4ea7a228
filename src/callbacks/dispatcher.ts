import { clearTimeout, setTimeout } from 'node:timers'
import { noQuotas, type Quotas } from '../accounts/quotas.js'
import type { Store } from '../accounts/store.js'
import { createKeyedSemaphore } from '../concurrency.js'
import type { Outcome } from '../core/callback/attempts.js'
import type { DeliveryJob } from '../core/callback/queue.js'
import { SECOND } from '../core/schedule/duration.js'
import type { CallbackHttpClient, OutboundCall } from './http-client.js'
import { type CallbackBodyOf, DELIVERY_ID_HEADER } from './message.js'

/** A callback on its way. */
interface InFlightDelivery {
  /** Counts everything that was ever begun. */
  readonly number: number
  readonly posting: DeliveryJob
  readonly drained: Promise<void>
  land(): void
  /** Nobody is told how it ends. */
  isDropped: boolean
  /** Left out while it waits for a place. */
  exchange?: OutboundCall
}

/** What is on its way, by account. */
interface InFlightDeliveries {
  begin(key: string, posting: DeliveryJob): InFlightDelivery
  end(key: string, flight: InFlightDelivery): void
  /** Breaks off and forgets all of an account, or of everybody. */
  drop(key?: string): void
  /** Those of an account that were begun after `since`, first begun first. */
  after(key: string, since: number): InFlightDelivery[]
  isEmpty(key: string): boolean
  readonly latest: number
}

const createInFlightDeliveries = (): InFlightDeliveries => {
  const byAccount = new Map<string, Set<InFlightDelivery>>()
  let latest = 0
  const dropAll = (key: string) => {
    for (const flight of byAccount.get(key) ?? []) {
      flight.isDropped = true
      flight.exchange?.end()
      flight.land()
    }
    byAccount.delete(key)
  }
  return {
    begin: (key, posting) => {
      latest += 1
      const flight = newFlight(latest, posting)
      byAccount.set(key, (byAccount.get(key) ?? new Set()).add(flight))
      return flight
    },
    end: (key, flight) => {
      const inFlight = byAccount.get(key)
      inFlight?.delete(flight)
      if (inFlight?.size === 0) byAccount.delete(key)
      flight.land()
    },
    drop: (key) => {
      for (const one of key === undefined ? [...byAccount.keys()] : [key]) dropAll(one)
    },
    after: (key, since) => [...(byAccount.get(key) ?? [])].filter(({ number }) => number > since),
    isEmpty: (key) => !byAccount.has(key),
    get latest() {
      return latest
    },
  }
}

const newFlight = (number: number, posting: DeliveryJob): InFlightDelivery => {
  let land = () => {}
  const drained = new Promise<void>((resolve) => {
    land = resolve
  })
  return { number, posting, drained, land, isDropped: false }
}

/** How long a receiver has to answer, in real time (gap F8, F10, Z15). */
const TIMEOUT_MS = { challenge: 3 * SECOND, delivery: 5 * SECOND } as const

/** How long is waited for receivers that may themselves be waiting for whoever waits, in real time. */
const PATIENCE_MS = 0.25 * SECOND

/** How many callbacks are on their way to one receiver at a time. */
const MOST_PER_RECEIVER = 64

/** The name under which all receivers together have places. */
const ALL = 'all receivers'

interface CallbackDispatcherParts {
  readonly store: Store
  readonly bodyOf: CallbackBodyOf
  readonly post: CallbackHttpClient
  readonly timeoutScale: number
  /** How many are on their way at a time, of all receivers; left out, any number. */
  readonly atOnce?: number
  readonly bounds?: Quotas
  /** Told of what should never happen. */
  readonly onInternalError: (error: unknown) => void
}

/** Told how an attempt ended; resolves once that is written down and what follows from it has been begun. */
export type CompleteDelivery = (key: string, posting: DeliveryJob, outcome: Outcome) => Promise<void>

/** Takes callbacks to their receivers, many at a time. Their order is not its business: it is given each in its turn. */
export interface CallbackDispatcher {
  begin(key: string, posting: DeliveryJob, completeAttempt: CompleteDelivery): void
  /** The number of what was begun last, of all accounts. */
  readonly latest: number
  /** Whether something of an account that was begun after `since` is on its way. */
  isBusy(key: string, since: number): boolean
  /** Resolves when nothing of an account that was begun after `since` is on its way, nor what followed from it. */
  drained(key: string, since: number): Promise<void>
  /**
   * Resolves when nothing of an account is on its way, nor what followed from it; or as soon as receivers have taken
   * so long that they seem to wait for the asker before they answer.
   */
  drainedOrStuck(key: string): Promise<void>
  /** Resolves when a callback is not on its way any more. */
  settledOne(key: string, callbackId: string): Promise<void>
  /** Breaks off what is on its way for an account; nobody is told how it ended. */
  forget(key: string): void
  stop(): void
}

export const createCallbackDispatcher = (parts: CallbackDispatcherParts): CallbackDispatcher => {
  const { store, bodyOf, post, timeoutScale, onInternalError, bounds = noQuotas } = parts
  const slots = createKeyedSemaphore(MOST_PER_RECEIVER)
  const everywhere = createKeyedSemaphore(parts.atOnce ?? Number.POSITIVE_INFINITY, () =>
    bounds.hit('callbacks'),
  )
  bounds.measure({ callbacks: () => everywhere.taken(ALL) })
  const inFlight = createInFlightDeliveries()
  let isStopped = false

  const fly = async (
    key: string,
    flight: InFlightDelivery,
    completeAttempt: CompleteDelivery,
  ): Promise<void> => {
    const outcome = await reach(key, flight).catch((error): Outcome => {
      onInternalError(error)
      return { outcome: 'failed', durationMs: 0, error: `It could not be sent: ${error}.`, sent: null }
    })
    if (outcome !== undefined) await completeAttempt(key, flight.posting, outcome).catch(onInternalError)
    inFlight.end(key, flight)
  }

  /** Undefined when it was dropped meanwhile. */
  const reach = async (key: string, flight: InFlightDelivery): Promise<Outcome | undefined> => {
    const url = new URL(flight.posting.callback.url)
    await slots.take(url.host)
    await everywhere.take(ALL)
    try {
      const outcome = flight.isDropped ? undefined : await send(key, flight, url)
      return flight.isDropped ? undefined : outcome
    } finally {
      everywhere.give(ALL)
      slots.give(url.host)
    }
  }

  const send = async (key: string, flight: InFlightDelivery, url: URL): Promise<Outcome | undefined> => {
    const { callback } = flight.posting
    const message = await store.run(key, (account) => bodyOf(account, callback))
    if (flight.isDropped) return undefined
    const headers = { 'Content-Type': 'application/json', [DELIVERY_ID_HEADER]: callback.id }
    const timeoutMs = TIMEOUT_MS[callback.kind] * timeoutScale
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    flight.exchange = post.send(url, headers, text, timeoutMs)
    return { ...(await flight.exchange.sent), sent: message }
  }

  const drained = async (key: string, since: number): Promise<void> => {
    for (let busy = inFlight.after(key, since); busy.length > 0; busy = inFlight.after(key, since))
      await Promise.all(busy.map((flight) => flight.drained))
  }

  return {
    begin: (key, posting, completeAttempt) => {
      if (!isStopped) void fly(key, inFlight.begin(key, posting), completeAttempt)
    },
    get latest() {
      return inFlight.latest
    },
    isBusy: (key, since) => !inFlight.isEmpty(key) && inFlight.after(key, since).length > 0,
    drained,
    drainedOrStuck: (key) => orAfter(drained(key, 0), PATIENCE_MS * timeoutScale),
    settledOne: async (key, callbackId) => {
      const flight = inFlight.after(key, 0).find(({ posting }) => posting.callback.id === callbackId)
      await flight?.drained
    },
    forget: (key) => inFlight.drop(key),
    stop: () => {
      isStopped = true
      inFlight.drop()
      post.stop()
    },
  }
}

const orAfter = (awaited: Promise<void>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void awaited.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
