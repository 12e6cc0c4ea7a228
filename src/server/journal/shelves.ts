import type { ControlRecord } from '../../core/journal/control.js'
import { createJournal, type Journal, type LazyEntry } from '../../core/journal/journal.js'
import type { Settings } from '../../core/settings.js'
import type { Quotas } from '../bounds/bounds.js'
import { estimateBytes } from '../bounds/weight.js'

/** The journals of all accounts, and what was done to each, within bounds: so many calls of each, so many bytes of all. */
export interface AccountJournals {
  add(key: string, kept: LazyEntry, bytes: number): void
  addControl(key: string, control: ControlRecord): void
  /** Empty where nothing is kept of an account. */
  journalOf(key: string): Journal
  /** First come first. */
  controlsOf(key: string): readonly ControlRecord[]
  forget(key: string): void
}

interface AccountJournal {
  readonly journal: Journal
  readonly controls: { readonly control: ControlRecord; readonly bytes: number }[]
  controlBytes: number
}

export const createAccountJournals = (
  { journalEntries, journalBytes }: Settings,
  bounds: Quotas,
): AccountJournals => {
  const accountJournals = new Map<string, AccountJournal>()
  let total = 0
  bounds.measure({
    'journal-bytes': () => total,
    'journal-entries': () => largest(accountJournals, ({ journal }) => journal.size),
  })

  const accountJournalOf = (key: string): AccountJournal => {
    const known = accountJournals.get(key)
    if (known !== undefined) return known
    const accountJournal = { journal: createJournal(journalEntries), controls: [], controlBytes: 0 }
    accountJournals.set(key, accountJournal)
    return accountJournal
  }

  /** Does something to a shelf, and keeps all of them within their bytes. */
  const counting = (accountJournal: AccountJournal, act: () => void): void => {
    const before = bytesOf(accountJournal)
    act()
    total += bytesOf(accountJournal) - before
  }

  // A tenth of the largest at a time, so that the largest need not be looked for again and again.
  const lighten = (): void => {
    bounds.hit('journal-bytes')
    while (total > journalBytes) {
      const most = largest(accountJournals, bytesOf)
      const heaviest = [...accountJournals.values()].find(
        (accountJournal) => bytesOf(accountJournal) === most,
      )
      if (heaviest === undefined || most === 0) return
      counting(heaviest, () => dropTenth(heaviest))
    }
  }

  return {
    add: (key, kept, bytes) => {
      const accountJournal = accountJournalOf(key)
      if (accountJournal.journal.size === journalEntries) bounds.hit('journal-entries')
      counting(accountJournal, () => accountJournal.journal.add(kept, bytes))
      if (total > journalBytes) lighten()
    },
    addControl: (key, control) => {
      const accountJournal = accountJournalOf(key)
      const bytes = CONTROL_BYTES + estimateBytes(control.input)
      counting(accountJournal, () => {
        accountJournal.controls.push({ control, bytes })
        accountJournal.controlBytes += bytes
        if (accountJournal.controls.length > journalEntries) dropControls(accountJournal, 1)
      })
      if (total > journalBytes) lighten()
    },
    journalOf: (key) => accountJournals.get(key)?.journal ?? createJournal(journalEntries),
    controlsOf: (key) => (accountJournals.get(key)?.controls ?? []).map(({ control }) => control),
    forget: (key) => {
      const accountJournal = accountJournals.get(key)
      if (accountJournal !== undefined) total -= bytesOf(accountJournal)
      accountJournals.delete(key)
    },
  }
}

// What is kept of a control besides its input.
const CONTROL_BYTES = 500

const bytesOf = ({ journal, controlBytes }: AccountJournal): number => journal.bytes + controlBytes

const dropTenth = (accountJournal: AccountJournal): void => {
  const calls = Math.ceil(accountJournal.journal.size / 10)
  for (let dropped = 0; dropped < calls; dropped += 1) accountJournal.journal.dropOldest()
  dropControls(accountJournal, Math.ceil(accountJournal.controls.length / 10))
}

const dropControls = (accountJournal: AccountJournal, count: number): void => {
  for (const { bytes } of accountJournal.controls.splice(0, count)) accountJournal.controlBytes -= bytes
}

const largest = (
  accountJournals: ReadonlyMap<string, AccountJournal>,
  size: (accountJournal: AccountJournal) => number,
): number => {
  let most = 0
  for (const accountJournal of accountJournals.values()) most = Math.max(most, size(accountJournal))
  return most
}
