import type { EventEmitter } from 'node:events'
import type { Events } from '../../core/events.js'
import type { Control, Opening } from '../../core/journal/control.js'
import type { Entry } from '../../core/journal/entry.js'
import type { Journal } from '../../core/journal/journal.js'
import type { Settings } from '../../core/settings.js'
import { type Bounds, noBounds } from '../bounds/bounds.js'
import { entryOf, keptOf, type Recordable, sizeOf } from './entry-of.js'
import { createShelves } from './shelves.js'

/** Keeps a journal for each account and tells listeners of every call. */
export interface Recorder {
  record(recordable: Recordable): void
  /** An account has been opened. */
  opened(accountKey: string, opening: Opening): void
  /** Something has been done to an account. */
  controlled(accountKey: string, control: Omit<Control, 'sequence'>): void
  journalOf(accountKey: string): Journal
  /** Undefined where no such account is open. */
  openingOf(accountKey: string): Opening | undefined
  /** First come first; as many as the journal keeps calls. */
  controlsOf(accountKey: string): readonly Control[]
  forget(accountKey: string): void
  /** Tells a follower of everything from now on; returns what ends that. */
  follow(follower: Follower): () => void
}

/** Told of everything that a recording holds, as it happens. Calls have their bodies whole. */
export interface Follower {
  opened(accountKey: string, opening: Opening): void
  call(entry: Entry): void
  controlled(accountKey: string, control: Control): void
  forgotten(accountKey: string): void
}

export const createRecorder = (
  settings: Settings,
  events: EventEmitter<Events>,
  bounds: Bounds = noBounds,
): Recorder => {
  const shelves = createShelves(settings, bounds)
  const openings = new Map<string, Opening>()
  const followers = new Set<Follower>()
  let sequence = 0
  return {
    record: (recordable) => {
      sequence += 1
      const kept = keptOf(recordable, settings.journalBodyBytes, sequence)
      shelves.add(recordable.accountKey, kept, sizeOf(recordable, settings.journalBodyBytes))
      if (events.listenerCount('request') > 0)
        events.emit('request', typeof kept === 'function' ? kept() : kept)
      if (followers.size === 0) return
      const whole = entryOf(recordable, Number.POSITIVE_INFINITY, sequence)
      for (const follower of followers) follower.call(whole)
    },
    opened: (key, opening) => {
      openings.set(key, opening)
      for (const follower of followers) follower.opened(key, opening)
    },
    controlled: (key, done) => {
      sequence += 1
      const control = { ...done, sequence }
      shelves.addControl(key, control)
      for (const follower of followers) follower.controlled(key, control)
    },
    journalOf: shelves.journalOf,
    openingOf: (key) => openings.get(key),
    controlsOf: shelves.controlsOf,
    forget: (key) => {
      shelves.forget(key)
      openings.delete(key)
      for (const follower of followers) follower.forgotten(key)
    },
    follow: (follower) => {
      followers.add(follower)
      return () => void followers.delete(follower)
    },
  }
}
