import type { Account } from '../../core/model/account.js'
import type { Instant } from '../../core/schedule/timeline.js'
import { batchOf, everythingIn } from './batch.js'
import { recordLine, type Sizes } from './parse.js'
import type { Batch as AccountBatch } from './port.js'
import type { StateRecord } from './records.js'

/** Lines to write in one piece. */
export interface Batch {
  readonly lines: readonly string[]
  /** Marks the lines as pending again, after a failed write. */
  undo(): void
}

/** Pending records: the latest value of everything that was appended since the last write. */
export interface ChangeTracker {
  /** `current` lists the accounts as they are now. */
  begin(current: () => Iterable<Account>): void
  append(key: string, batch: AccountBatch): void
  /** Marks everything as pending: for a file that is written anew. */
  countAll(): void
  readonly isEmpty: boolean
  next(): Batch
  accounts(): Iterable<Account>
}

interface BatchParts {
  /** What the server is, where the file does not say it yet. */
  readonly server: StateRecord
  readonly isServerWritten: boolean
  /** The ids of the scenarios that the file holds: of those that somebody plays, and of the others. */
  readonly scenarios: { readonly played: readonly string[]; readonly unused: readonly string[] }
  readonly sizes: Sizes
  readonly wall: () => Instant
  /** Told whenever there is something to write. */
  readonly onChange: () => void
}

export const createChangeTracker = (parts: BatchParts): ChangeTracker => {
  let pending = new Map<string, StateRecord>()
  let current: () => Iterable<Account> = () => []
  const written = new Set(parts.scenarios.played)

  const add = (record: StateRecord): void => {
    const [kind, key, id, value] = record
    const name = `${kind}|${key}|${id}`
    if (kind === 'scenario' && value !== null && written.has(id)) return
    if (kind === 'account' && value === null)
      for (const [one, [, owner]] of pending) if (owner === key) pending.delete(one)
    // The last comes last: what removes an account is before what begins it anew.
    pending.delete(name)
    pending.set(kind === 'account' && value === null ? `gone|${key}` : name, record)
  }

  const append = (key: string, batch: AccountBatch): void => {
    for (const [kind, id, value] of batch) add([kind, kind === 'scenario' ? '' : key, id, value])
  }

  if (!parts.isServerWritten) add(parts.server)
  for (const id of parts.scenarios.unused) add(['scenario', '', id, null])

  return {
    begin: (list) => {
      current = list
    },
    append: (key, batch) => {
      append(key, batch)
      parts.onChange()
    },
    countAll: () => {
      pending.clear()
      written.clear()
      add(parts.server)
      for (const account of current()) append(account.key, batchOf(everythingIn(account, parts.wall())))
    },
    get isEmpty() {
      return pending.size === 0
    },
    next: () => {
      const taken = pending
      pending = new Map()
      const lines: string[] = []
      for (const record of taken.values()) {
        const [kind, , id, value] = record
        if (kind === 'scenario' && value !== null) written.add(id)
        const line = recordLine(record)
        parts.sizes.count(kind, line.length)
        lines.push(line)
      }
      const undo = (): void => {
        const later = pending
        pending = taken
        for (const [kind, , id] of taken.values()) if (kind === 'scenario') written.delete(id)
        for (const record of later.values()) add(record)
      }
      return { lines, undo }
    },
    accounts: () => current(),
  }
}
