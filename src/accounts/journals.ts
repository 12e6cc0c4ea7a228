import type { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Decision } from '../core/contract.js'
import type { RefusedBy } from '../core/errors.js'
import type { Events } from '../core/events.js'
import {
  type Answered,
  type ControlRecord,
  IDEMPOTENCY_KEY,
  type InitialState,
  type JournalEntry,
} from '../core/journal/entry.js'
import { createJournal, type Journal, type LazyEntry } from '../core/journal/journal.js'
import { shorten } from '../core/journal/redact.js'
import { sentOf } from '../core/journal/sent.js'
import type { ResolvedMedia } from '../core/media/references.js'
import type { Call } from '../core/model/call.js'
import { estimateBytes } from '../core/quotas.js'
import type { ScenarioMatch } from '../core/scenario/match.js'
import type { Instant } from '../core/schedule/timeline.js'
import type { Settings } from '../core/settings.js'
import { noQuotas, type Quotas } from './quotas.js'

/** A call that has been answered. */
export interface AnsweredCall {
  readonly accountKey: string
  /** When it was decided. */
  readonly at: Instant
  /** Where the clock has to stand for the same call to go the same way again. */
  readonly begunAt: Instant
  readonly id: string
  readonly operation: string | undefined
  readonly incoming: {
    readonly call: Call
    readonly headers: IncomingHttpHeaders
    readonly rawQuery: string
    readonly bytes: number
    readonly key: string | undefined
    readonly origin: string
    /** Signed query, which the journal does not show; undefined: the query is not secret. */
    readonly signedQuery?: string
  }
  /** Resolved media of the body; undefined: they were not looked up. */
  readonly found?: ReadonlyMap<string, ResolvedMedia>
  readonly decision: Decision
  /** Facts of the answer beyond the decision; undefined: none. */
  readonly answered?: Answered
  /** Scenario match of the call; undefined: scenarios were not asked. */
  readonly played?: ScenarioMatch
}

// Headers, the call and its answer around their bodies; a body as an object takes about twice what it took as text.
const ENTRY_BYTES = 4_000

/** About how much memory an entry takes. */
const sizeOf = ({ incoming: { bytes }, decision: { reply } }: AnsweredCall, maxBytes: number): number =>
  ENTRY_BYTES + 2 * Math.min(bytes, maxBytes) + estimateBytes(reply.body)

// A large body is cut now, so that it can be let go; all the rest can wait until somebody looks.
const lazyEntryOf = (recordable: AnsweredCall, maxBytes: number, sequence: number): LazyEntry =>
  recordable.incoming.bytes > maxBytes
    ? entryOf(recordable, maxBytes, sequence)
    : () => entryOf(recordable, maxBytes, sequence)

/** A call as the journal keeps it; bodies of more than `mostBytes` are cut. */
const entryOf = (
  {
    accountKey,
    at,
    begunAt,
    id,
    operation,
    incoming,
    found = nothingFound,
    decision,
    answered,
    played,
  }: AnsweredCall,
  maxBytes: number,
  sequence: number,
): JournalEntry => {
  const { call, headers, rawQuery, bytes, key, origin, signedQuery: query = rawQuery } = incoming
  const { meta: notes, reply } = decision
  return {
    id,
    account: accountKey,
    at,
    ...(operation === undefined ? {} : { operation }),
    method: call.method,
    path: call.path,
    query: rawQuery,
    headers: headers as Record<string, string>,
    requestBody: bodyOf(call, bytes, maxBytes),
    requestBytes: bytes,
    status: reply.status,
    responseBody: reply.body,
    ...notes,
    warnings: [...notes.warnings, ...unknownHeaders(call.method, headers, notes.task)],
    refusedBy: bytes > maxBytes ? notes.refusedBy.map(withoutLongFinds) : notes.refusedBy,
    ...(played === undefined || played.traces.length === 0 ? {} : { played }),
    sequence,
    sent: sentOf(
      { begunAt, hasKey: key !== undefined, origin, query, body: call.body, found },
      bytes,
      maxBytes,
    ),
    ...(answered === undefined && reply.headers === undefined
      ? {}
      : { answered: { ...(reply.headers === undefined ? {} : { headers: reply.headers }), ...answered } }),
  }
}

const unknownHeaders = (method: string, headers: IncomingHttpHeaders, task: string | undefined): string[] =>
  method === 'POST' && task !== undefined && headers[IDEMPOTENCY_KEY] !== undefined
    ? ['The service does not know the header Idempotency-Key, so this call made a task of its own']
    : []

const nothingFound: ReadonlyMap<string, ResolvedMedia> = new Map()

const withoutLongFinds = (refusal: RefusedBy): RefusedBy => ({ ...refusal, found: shorten(refusal.found) })

// A small body is kept as it is and cut when it is shown; a large one is cut now, so that it can be let go.
const bodyOf = ({ body }: Call, bytes: number, maxBytes: number): unknown => {
  if (body.kind === 'form') return { fields: body.fields, files: body.files }
  if (body.kind !== 'json') return undefined
  return bytes > maxBytes ? shorten(body.value) : body.value
}

/** The journals of all accounts, and what was done to each, within bounds: so many calls of each, so many bytes of all. */
interface AccountJournals {
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

const createAccountJournals = (
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
      const candidate = [...accountJournals.values()].find(
        (accountJournal) => bytesOf(accountJournal) === most,
      )
      if (candidate === undefined || most === 0) return
      counting(candidate, () => dropTenth(candidate))
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

/** Keeps a journal for each account and tells listeners of every call. */
export interface JournalStore {
  record(recordable: AnsweredCall): void
  /** The entry of a call as text, for other replicas. */
  textOf(recordable: AnsweredCall): string
  /** Adds the entry of a call that another replica has answered. */
  addText(accountKey: string, text: string): void
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
interface JournalListener {
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
    textOf: (recordable) => JSON.stringify(entryOf(recordable, settings.journalBodyBytes, 0), withMaps),
    addText: (key, text) => {
      sequence += 1
      const place = sequence
      const read = () => ({ ...(JSON.parse(text, asMap) as JournalEntry), sequence: place })
      accountJournals.add(key, read, 2 * text.length)
      if (events.listenerCount('request') > 0) events.emit('request', read())
    },
    opened: (key, opening) => {
      openings.set(key, opening)
      if (events.listenerCount('account') > 0) events.emit('account', { account: key, is: 'opened' })
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
      if (events.listenerCount('account') > 0) events.emit('account', { account: key, is: 'forgotten' })
      for (const follower of followers) follower.forgotten(key)
    },
    follow: (follower) => {
      followers.add(follower)
      return () => void followers.delete(follower)
    },
  }
}

// JSON has no maps; the resolved media of a call are one.
const withMaps = (_: string, value: unknown): unknown =>
  value instanceof Map ? { [MAP]: [...value] } : value

const asMap = (_: string, value: unknown): unknown => {
  const entries = (value as { readonly [MAP]?: [string, unknown][] } | null)?.[MAP]
  return entries === undefined ? value : new Map(entries)
}

const MAP = '\u0000map'
