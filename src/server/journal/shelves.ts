import type { Control } from '../../core/journal/control.js'
import { createJournal, type Journal, type Kept } from '../../core/journal/journal.js'
import type { Settings } from '../../core/settings.js'
import type { Bounds } from '../bounds/bounds.js'
import { weightOf } from '../bounds/weight.js'

/** The journals of all accounts, and what was done to each, within bounds: so many calls of each, so many bytes of all. */
export interface Shelves {
  add(key: string, kept: Kept, bytes: number): void
  addControl(key: string, control: Control): void
  /** Empty where nothing is kept of an account. */
  journalOf(key: string): Journal
  /** First come first. */
  controlsOf(key: string): readonly Control[]
  forget(key: string): void
}

interface Shelf {
  readonly journal: Journal
  readonly controls: { readonly control: Control; readonly bytes: number }[]
  controlBytes: number
}

export const createShelves = ({ journalEntries, journalBytes }: Settings, bounds: Bounds): Shelves => {
  const shelves = new Map<string, Shelf>()
  let total = 0
  bounds.measure({
    'journal-bytes': () => total,
    'journal-entries': () => largest(shelves, ({ journal }) => journal.size),
  })

  const shelfOf = (key: string): Shelf => {
    const known = shelves.get(key)
    if (known !== undefined) return known
    const shelf = { journal: createJournal(journalEntries), controls: [], controlBytes: 0 }
    shelves.set(key, shelf)
    return shelf
  }

  /** Does something to a shelf, and keeps all of them within their bytes. */
  const counting = (shelf: Shelf, act: () => void): void => {
    const before = bytesOf(shelf)
    act()
    total += bytesOf(shelf) - before
  }

  // A tenth of the largest at a time, so that the largest need not be looked for again and again.
  const lighten = (): void => {
    bounds.hit('journal-bytes')
    while (total > journalBytes) {
      const most = largest(shelves, bytesOf)
      const heaviest = [...shelves.values()].find((shelf) => bytesOf(shelf) === most)
      if (heaviest === undefined || most === 0) return
      counting(heaviest, () => dropTenth(heaviest))
    }
  }

  return {
    add: (key, kept, bytes) => {
      const shelf = shelfOf(key)
      if (shelf.journal.size === journalEntries) bounds.hit('journal-entries')
      counting(shelf, () => shelf.journal.add(kept, bytes))
      if (total > journalBytes) lighten()
    },
    addControl: (key, control) => {
      const shelf = shelfOf(key)
      const bytes = CONTROL_BYTES + weightOf(control.input)
      counting(shelf, () => {
        shelf.controls.push({ control, bytes })
        shelf.controlBytes += bytes
        if (shelf.controls.length > journalEntries) dropControls(shelf, 1)
      })
      if (total > journalBytes) lighten()
    },
    journalOf: (key) => shelves.get(key)?.journal ?? createJournal(journalEntries),
    controlsOf: (key) => (shelves.get(key)?.controls ?? []).map(({ control }) => control),
    forget: (key) => {
      const shelf = shelves.get(key)
      if (shelf !== undefined) total -= bytesOf(shelf)
      shelves.delete(key)
    },
  }
}

// What is kept of a control besides its input.
const CONTROL_BYTES = 500

const bytesOf = ({ journal, controlBytes }: Shelf): number => journal.bytes + controlBytes

const dropTenth = (shelf: Shelf): void => {
  const calls = Math.ceil(shelf.journal.size / 10)
  for (let dropped = 0; dropped < calls; dropped += 1) shelf.journal.dropOldest()
  dropControls(shelf, Math.ceil(shelf.controls.length / 10))
}

const dropControls = (shelf: Shelf, count: number): void => {
  for (const { bytes } of shelf.controls.splice(0, count)) shelf.controlBytes -= bytes
}

const largest = (shelves: ReadonlyMap<string, Shelf>, size: (shelf: Shelf) => number): number => {
  let most = 0
  for (const shelf of shelves.values()) most = Math.max(most, size(shelf))
  return most
}
