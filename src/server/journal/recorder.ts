import type { EventEmitter } from 'node:events'
import type { Events } from '../../core/events.js'
import type { ControlRecord, InitialState } from '../../core/journal/control.js'
import type { JournalEntry } from '../../core/journal/entry.js'
import type { Journal } from '../../core/journal/journal.js'
import type { Settings } from '../../core/settings.js'
import { noQuotas, type Quotas } from '../bounds/bounds.js'
import { type AnsweredCall, entryOf, lazyEntryOf, sizeOf } from './entry-of.js'
import { createAccountJournals } from './shelves.js'

/** Keeps a journal for each account and tells listeners of every call. */
export interface JournalStore {
  record(recordable: AnsweredCall): void
  /** An account has been opened. */
  opened(accountKey: string, opening: InitialState): void
  /** Something has been done to an account. */
  controlled(accountKey: string, control: Omit<ControlRecord, 'sequence'>): void
  journalOf(accountKey: string): Journal
  /** Undefined where no such account is open. */
  initialStateOf(accountKey: string): InitialState | undefined
  /** First come first; as many as the journal keeps calls. */
  controlsOf(accountKey: string): readonly ControlRecord[]
  forget(accountKey: string): void
  /** Tells a follower of everything from now on; returns what ends that. */
  follow(follower: JournalListener): () => void
}

/** Told of everything that a recording holds, as it happens. Calls have their bodies whole. */
export interface JournalListener {
  opened(accountKey: string, opening: InitialState): void
  call(entry: JournalEntry): void
  controlled(accountKey: string, control: ControlRecord): void
  forgotten(accountKey: string): void
}

export const createJournalStore = (
  settings: Settings,
  events: EventEmitter<Events>,
  bounds: Quotas = noQuotas,
): JournalStore => {
  const accountJournals = createAccountJournals(settings, bounds)
  const openings = new Map<string, InitialState>()
  const followers = new Set<JournalListener>()
  let sequence = 0
  return {
    record: (recordable) => {
      sequence += 1
      const kept = lazyEntryOf(recordable, settings.journalBodyBytes, sequence)
      accountJournals.add(recordable.accountKey, kept, sizeOf(recordable, settings.journalBodyBytes))
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
      accountJournals.addControl(key, control)
      for (const follower of followers) follower.controlled(key, control)
    },
    journalOf: accountJournals.journalOf,
    initialStateOf: (key) => openings.get(key),
    controlsOf: accountJournals.controlsOf,
    forget: (key) => {
      accountJournals.forget(key)
      openings.delete(key)
      for (const follower of followers) follower.forgotten(key)
    },
    follow: (follower) => {
      followers.add(follower)
      return () => void followers.delete(follower)
    },
  }
}
