import type { EventEmitter } from 'node:events'
import type { Events } from '../core/events.js'
import {
  type QuotaHit,
  type QuotaName,
  type QuotaReporter,
  type QuotaSpec,
  quotaSpecs,
} from '../core/quotas.js'
import type { Settings } from '../core/settings.js'

/** Quota status: a limit, and its usage. */
export interface QuotaStatus extends QuotaSpec {
  readonly name: QuotaName
  readonly most: number
  /** How much there is now; null where nothing is kept. */
  readonly size: number | null
  /** The largest size that was seen; null where nothing is kept. */
  readonly peak: number | null
  /** How often the limit was met, and in how many of these cases a call was refused. */
  readonly hits: number
  readonly refused: number
}

/** Quotas of an emulator: how much there is of everything that is bounded, and how often each bound was met. */
export interface Quotas extends QuotaReporter {
  read(): readonly QuotaStatus[]
}

interface Counters {
  hits: number
  refused: number
  peak: number
  /** Number of hits at which the next event is emitted. */
  nextEventAt: number
}

const names = Object.keys(quotaSpecs) as QuotaName[]

/** @param defaults limits that depend on the machine where the settings have none */
export const createQuotas = (
  settings: Settings,
  events: EventEmitter<Events>,
  defaults: Readonly<Partial<Record<QuotaName, number>>> = {},
): Quotas => {
  const counters = Object.fromEntries(
    names.map((name) => [name, { hits: 0, refused: 0, peak: 0, nextEventAt: 1 }]),
  ) as Record<QuotaName, Counters>
  const sizes: Partial<Record<QuotaName, () => number>> = {}
  const maxOf = (name: QuotaName): number => defaults[name] ?? Number(settings[quotaSpecs[name].settings[0]])

  const observe = (name: QuotaName, size: number): void => {
    counters[name].peak = Math.max(counters[name].peak, size)
  }

  const hit = (name: QuotaName): void => {
    const counter = counters[name]
    counter.hits += 1
    if (counter.hits < counter.nextEventAt) return
    // A full journal hits its limit with every call: the event is emitted at the 1st, 10th, 100th … hit.
    counter.nextEventAt *= 10
    events.emit('bound', hitOf(name, counter.hits))
  }

  const hitOf = (name: QuotaName, hits: number): QuotaHit => {
    const { of, settings: named, atBound } = quotaSpecs[name]
    const limits = named.map((setting) => `${setting} ${settings[setting] ?? maxOf(name)}`).join(', ')
    const says = `There is no room for more ${of} (${limits}): ${atBound}.`
    return { name, setting: named[0], most: maxOf(name), hits, says }
  }

  const reading = (name: QuotaName): QuotaStatus => {
    const spec: QuotaSpec = quotaSpecs[name]
    const size = sizes[name]?.() ?? null
    if (size !== null) observe(name, size)
    const { hits, refused, peak } = counters[name]
    return { ...spec, name, most: maxOf(name), size, peak: spec.per === 'call' ? null : peak, hits, refused }
  }

  return {
    hit,
    refuse: (name) => {
      counters[name].refused += 1
      hit(name)
    },
    observe,
    measure: (more) => void Object.assign(sizes, more),
    read: () => names.map(reading),
  }
}
