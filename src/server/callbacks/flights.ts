import type { DeliveryJob } from '../../core/callback/posting.js'
import type { OutboundCall } from './post.js'

/** A callback on its way. */
export interface InFlightDelivery {
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
export interface InFlightDeliveries {
  begin(key: string, posting: DeliveryJob): InFlightDelivery
  end(key: string, flight: InFlightDelivery): void
  /** Breaks off and forgets all of an account, or of everybody. */
  drop(key?: string): void
  /** Those of an account that were begun after `since`, first begun first. */
  after(key: string, since: number): InFlightDelivery[]
  isEmpty(key: string): boolean
  readonly latest: number
}

export const createInFlightDeliveries = (): InFlightDeliveries => {
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
