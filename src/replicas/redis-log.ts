import { randomUUID } from 'node:crypto'
import { parseJson } from '../emulator/surface/journal.js'
import {
  type Batch,
  type ChangeRecord,
  type LoadedLog,
  type LogEntry,
  logGap,
  type Note,
  type Position,
  type SharedLog,
} from '../emulator/surface/persistence.js'
import { accountIdOf, clearInterval, EmulatorError, hash, setInterval } from '../emulator/surface/records.js'
import type { Connection } from './connection.js'
import { appendScript, foldScript, MAX_NOTES_OF_ENTRY } from './scripts.js'

/** Version of entries. A replica stands aside from an account with an entry of a later version; it reads earlier ones. */
const ENTRY_VERSION = 1

/** Number of entries between two folds of a log into the state. */
const FOLD_EVERY = 500
/** Lease of a replica: how long it counts as alive after a heartbeat. */
const LEASE_MS = 10_000
const HEARTBEAT_MS = 2_500

interface RedisLogParts {
  readonly connection: Connection
  readonly prefix: string
  /** How long an account is kept after its latest call. */
  readonly expiryMs: number
  /** How many notes are kept of an account. */
  readonly maxNotes: number
  /** Time of this machine in milliseconds since 1970. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/** Creates the shared log of a connection, and shows this replica to the others. @throws EmulatorError `store-unavailable` */
export const createRedisLog = async (parts: RedisLogParts): Promise<RedisLog> => {
  const log = new RedisLog(parts)
  await log.begin()
  return log
}

/** Shared log on streams of Redis or Valkey: one stream of entries per account, and a hash that it is folded into. */
class RedisLog implements SharedLog {
  readonly replica = randomUUID().slice(0, 8)
  readonly #parts: RedisLogParts
  readonly #send: Connection['send']
  readonly #clock: StoreClock
  readonly #names: Names
  #heartbeat: NodeJS.Timeout | undefined

  constructor(parts: RedisLogParts) {
    this.#parts = parts
    this.#send = parts.connection.send
    this.#clock = createStoreClock(parts.connection, parts.now)
    this.#names = new Names(parts.prefix)
  }

  get generation(): number {
    return this.#parts.connection.generation
  }

  /** A field, since timers and quotas take it as their clock. */
  readonly now: SharedLog['now'] = () => this.#clock.now()

  /** Shows this replica to the others, from now on again and again. */
  async begin(): Promise<void> {
    await this.#sendHeartbeat()
    this.#heartbeat = setInterval(() => void this.#sendHeartbeat().catch(() => {}), HEARTBEAT_MS).unref()
  }

  async load(key: string): Promise<LoadedLog> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const loaded = await this.#loadOnce(key)
      if (loaded !== undefined) return loaded
    }
    throw logGap(key)
  }

  readonly readAfter: SharedLog['readAfter'] = async (key, position, { mark, hasNotes }) => {
    const [read, notes] = await Promise.all([
      this.#range(key, mark === undefined ? `(${idOf(position)}` : idOf(position)),
      hasNotes
        ? this.#send<StreamReply>('XRANGE', this.#names.notes(key), firstNoteAfter(position), '+')
        : [],
    ])
    const entries = mark === undefined ? read : afterMarked(read, position, mark)
    if (typeof entries === 'string') return entries
    if (hasGap(position, entries)) return 'gap'
    const last = entries.at(-1)
    if (last !== undefined) this.#clock.notBefore(last.at)
    return withNotes(entries, notes)
  }

  async notes(key: string, to: Position): Promise<readonly Note[]> {
    const notes = await this.#send<StreamReply>(
      'XRANGE',
      this.#names.notes(key),
      '-',
      `(${firstNoteAfter(to)}`,
    )
    return notes.map(([, [, note = '']]) => note)
  }

  readonly append: SharedLog['append'] = async (key, entry, options) => {
    const { connection, expiryMs, maxNotes, onError } = this.#parts
    const { dueAt, jobs = [], isNew = false, isGone = false } = options
    const { position, notes } = entry
    const names = this.#names
    for (const job of jobs)
      void this.#send('SET', names.job(job), key, 'PX', String(expiryMs)).catch(() => {})
    const isAdded = await connection.run<number>(
      appendScript,
      [
        names.log(key),
        names.due,
        names.state(key),
        names.notes(key),
        names.epoch(key),
        names.accountId(accountIdOf(key)),
        names.accounts,
      ],
      [
        idOf(position),
        key,
        dueArgument(dueAt),
        String(expiryMs),
        String(maxNotes),
        isGone ? '-' : isNew ? '1' : '',
        writtenEntry(entry),
        notes.join('\n'),
      ],
    )
    if (isAdded === 1 && position.n % FOLD_EVERY === 0) void this.#fold(key, position).catch(onError)
    return isAdded === 1
  }

  async open(key: string): Promise<number> {
    const epoch = await this.#nextEpoch()
    const name = this.#names.epoch(key)
    await this.#send('SET', name, String(epoch), 'NX', 'PX', String(2 * this.#parts.expiryMs))
    return Number(await this.#send<string>('GET', name))
  }

  async restart(key: string): Promise<void> {
    const names = this.#names
    // The other epoch comes first: it refuses what is still appended to the log that goes.
    const epoch = await this.#nextEpoch()
    await this.#send('SET', names.epoch(key), String(epoch), 'PX', String(2 * this.#parts.expiryMs))
    await this.#send('DEL', names.log(key), names.state(key), names.notes(key))
  }

  // A little sooner: clocks differ, and earlier versions did not renew the expiry with every entry.
  canHaveExpired(at: number): boolean {
    return this.#clock.now() - at >= 0.95 * this.#parts.expiryMs
  }

  async keys(): Promise<readonly string[]> {
    const names = this.#names
    const keys = await this.#send<string[]>('ZRANGE', names.accounts, '0', '-1')
    const exist = await Promise.all(
      keys.map((key) => this.#send<number>('EXISTS', names.log(key), names.state(key))),
    )
    const expired = keys.filter((_, index) => exist[index] === 0)
    if (expired.length > 0) await this.#send('ZREM', names.accounts, ...expired)
    return keys.filter((_, index) => exist[index] !== 0)
  }

  async keyOfAccountId(id: string): Promise<string | undefined> {
    return (await this.#send<string | null>('GET', this.#names.accountId(id))) ?? undefined
  }

  async ownerOf(jobId: string): Promise<string | undefined> {
    const { expiryMs } = this.#parts
    const name = this.#names.job(jobId)
    return (await this.#send<string | null>('GETEX', name, 'PX', String(expiryMs))) ?? undefined
  }

  readonly overdue: SharedLog['overdue'] = (before, { skip, max }) =>
    this.#send('ZRANGEBYSCORE', this.#names.due, '-inf', String(before), 'LIMIT', String(skip), String(max))

  async watch(key: string, dueAt: number | null): Promise<void> {
    if (dueAt === null) await this.#send('ZREM', this.#names.due, key)
    else await this.#send('ZADD', this.#names.due, String(Math.ceil(dueAt)), key)
  }

  async isAlive(id: string): Promise<boolean> {
    return (await this.#send<number>('EXISTS', this.#names.replica(id))) === 1
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat)
    await this.#send('DEL', this.#names.replica(this.replica)).catch(() => {})
  }

  async #sendHeartbeat(): Promise<void> {
    const name = this.#names.replica(this.replica)
    await this.#parts.connection.sendHeartbeat('SET', name, '1', 'PX', String(LEASE_MS))
    await this.#clock.sync()
  }

  // It begins at the time, so that no epoch comes back where a store was emptied while replicas have accounts in memory.
  async #nextEpoch(): Promise<number> {
    await this.#send('SET', this.#names.epochs, String(this.#clock.now()), 'NX')
    return this.#send<number>('INCR', this.#names.epochs)
  }

  async #range(key: string, from: string): Promise<LogEntry[]> {
    const entries = await this.#send<StreamReply>('XRANGE', this.#names.log(key), from, '+')
    return entries.map((entry) => readEntry(key, entry))
  }

  async #loadOnce(key: string): Promise<LoadedLog | undefined> {
    const [fields, entries] = await Promise.all([
      this.#send<string[]>('HGETALL', this.#names.state(key)),
      this.#range(key, '-'),
    ])
    const latest = entries.at(-1)
    if (latest !== undefined) this.#clock.notBefore(latest.at)
    return loadedLog(readState(key, fields), entries, this.#clock.now())
  }

  async #fold(key: string, to: Position): Promise<void> {
    const { connection, expiryMs } = this.#parts
    const names = this.#names
    const before = await this.#send<string | null>('HGET', names.state(key), '@')
    const all = await this.#range(key, before === null ? '-' : `(${before}`)
    const entries = all.filter(({ position }) => !isAfter(position, to))
    const [first] = entries
    // Entries without the state that they continue would become the whole account.
    if (
      first === undefined ||
      hasGap(before === null ? { ...first.position, n: 0 } : positionOf(before), entries)
    )
      return
    const { records, isNew } = folded(entries)
    await connection.run(
      foldScript,
      [names.state(key), names.log(key)],
      [before ?? '', idOf(to), isNew ? '1' : '', String(expiryMs), ...records],
    )
  }
}

const MAX_TRIES = 5

/** Argument of the append script: `-` removes the account from those that are due, nothing leaves it as it is. */
const dueArgument = (dueAt: number | null | undefined): string =>
  dueAt === null ? '-' : String(dueAt === undefined ? '' : Math.ceil(dueAt))

/** Names of the keys of the store. An API key may be long and is hashed; the lists of accounts hold it in full. */
class Names {
  readonly #prefix: string
  readonly epochs: string
  readonly accounts: string
  readonly due: string

  constructor(prefix: string) {
    this.#prefix = prefix
    this.epochs = `${prefix}epochs`
    this.accounts = `${prefix}accounts`
    this.due = `${prefix}due`
  }

  log(key: string): string {
    return this.#of(key, 'log')
  }

  state(key: string): string {
    return this.#of(key, 'state')
  }

  notes(key: string): string {
    return this.#of(key, 'notes')
  }

  epoch(key: string): string {
    return this.#of(key, 'epoch')
  }

  accountId(id: string): string {
    return `${this.#prefix}account-id:${id}`
  }

  job(id: string): string {
    return `${this.#prefix}job:${id}`
  }

  replica(id: string): string {
    return `${this.#prefix}replica:${id}`
  }

  #of(key: string, what: string): string {
    return `${this.#prefix}{${hash('sha256', key, 'hex').slice(0, 24)}}:${what}`
  }
}

// Clocks of replicas differ by milliseconds, and those of the machines between which a store moves by seconds.
const MAX_AHEAD_MS = 60_000

/**
 * Clock of the store: the time of this machine, corrected by what the store says. It never goes back, nor behind an entry; but
 * for one that is far ahead, which was written by a clock that was wrong, and would move the clocks of all accounts.
 */
interface StoreClock {
  now(): number
  /** The clock is not behind an instant from now on. */
  notBefore(at: number): void
  /** Asks the store for its time. */
  sync(): Promise<void>
}

const createStoreClock = ({ send }: Connection, now: () => number): StoreClock => {
  let offset = 0
  let floor = Number.NEGATIVE_INFINITY
  const read = (): number => {
    floor = Math.max(floor, Math.floor(now() + offset))
    return floor
  }
  return {
    now: read,
    notBefore: (at) => {
      if (at <= read() + MAX_AHEAD_MS) floor = Math.max(floor, at)
    },
    sync: async () => {
      const sent = now()
      const [seconds, micros] = await send<[string, string]>('TIME')
      offset = Number(seconds) * 1_000 + Number(micros) / 1_000 - (sent + now()) / 2
    },
  }
}

const idOf = ({ epoch, n }: Position): string => `${epoch}-${n}`

const positionOf = (id: string): Position => {
  const [epoch, n] = id.split('-').map(Number) as [number, number]
  return { epoch, n }
}

const isAfter = (one: Position, other: Position): boolean =>
  one.epoch === other.epoch ? one.n > other.n : one.epoch > other.epoch

/** Log of a state and of the entries that it is continued by, or undefined where the log was folded between the two answers. */
const loadedLog = (
  { folded, batch }: FoldedState,
  entries: readonly LogEntry[],
  now: number,
): LoadedLog | undefined => {
  const latest = entries.at(-1)
  if (latest === undefined && folded !== undefined) return undefined
  const unfolded = entries.filter(({ position }) => folded === undefined || isAfter(position, folded))
  const [first] = unfolded
  if (first !== undefined && hasGap(folded ?? { ...first.position, n: 0 }, unfolded)) return undefined
  return { latest, batches: [{ batch, writer: '', at: now }, ...unfolded] }
}

/** Entries after the first, which must be at a position and have a mark. */
const afterMarked = ([first, ...entries]: readonly LogEntry[], position: Position, mark: string) => {
  if (first === undefined || idOf(first.position) !== idOf(position)) return 'gap'
  return first.mark === mark ? entries : 'replaced'
}

/** Whether entries do not follow a position, one after the other. */
const hasGap = ({ epoch, n }: Position, entries: readonly LogEntry[]): boolean =>
  entries.some(({ position }, index) => position.epoch !== epoch || position.n !== n + index + 1)

type StreamReply = [id: string, fields: string[]][]

const writtenEntry = ({ mark, previous, writer, at, batch, events }: LogEntry): string =>
  JSON.stringify({ v: ENTRY_VERSION, m: mark, p: previous, w: writer, t: at, r: batch, e: events })

/** @throws EmulatorError `store-version`, or `store-gap` where it is damaged */
const readEntry = (key: string, [id, fields]: StreamReply[number]): LogEntry => {
  const { v, m, p, w, t, r, e } = Object(parseJson(fields[1] ?? ''))
  if (v > ENTRY_VERSION) throw newerVersion(v)
  const areLists = [r, e].every((list) => Array.isArray(list) && list.every(Array.isArray))
  if (!Number.isSafeInteger(t) || !areLists) throw logGap(key)
  return { position: positionOf(id), mark: m, previous: p, writer: w, at: t, batch: r, events: e, notes: [] }
}

/** Id of the first note of the entry after a position. */
const firstNoteAfter = ({ epoch, n }: Position): string => `${epoch}-${(n + 1) * MAX_NOTES_OF_ENTRY}`

/** Entries, each with its notes. */
const withNotes = (entries: readonly LogEntry[], notes: StreamReply): readonly LogEntry[] => {
  const notesOf = new Map<number, Note[]>(entries.map(({ position: { n } }) => [n, []]))
  for (const [id, [, note = '']] of notes)
    notesOf.get(Math.floor(positionOf(id).n / MAX_NOTES_OF_ENTRY))?.push(note)
  return entries.map((entry) => ({ ...entry, notes: notesOf.get(entry.position.n) ?? [] }))
}

const newerVersion = (version: unknown): EmulatorError =>
  new EmulatorError(
    `The shared store has an entry of version ${version} of this account, and this replica reads version ${ENTRY_VERSION}.`,
    { code: 'store-version', hint: 'A newer Backlot has changed the account: update this replica as well.' },
  )

const SEPARATOR = '\u0000'

/** State of an account as the store holds it. */
interface FoldedState {
  /** Position up to which the log is folded into it, or undefined where nothing is folded yet. */
  readonly folded: Position | undefined
  readonly batch: Batch
}

/**
 * State of an account as the hash holds it: `kind\0id` with `place|value`, and the position under `@`.
 * @throws EmulatorError `store-gap` where it is damaged
 */
const readState = (key: string, fields: readonly string[]): FoldedState => {
  let position: Position | undefined
  const records: { readonly place: number; readonly record: ChangeRecord }[] = []
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? ''
    const text = fields[at + 1] ?? ''
    if (name === '@') {
      position = positionOf(text)
      continue
    }
    const bar = text.indexOf('|')
    const [kind, id = ''] = name.split(SEPARATOR)
    const value = parseJson(text.slice(bar + 1))
    if (value === undefined) throw logGap(key)
    records.push({ place: Number(text.slice(0, bar)), record: [kind, id, value] as ChangeRecord })
  }
  records.sort((one, other) => one.place - other.place)
  return { folded: position, batch: records.map(({ record }) => record) }
}

/** Fold of entries: the latest value of each record. */
const folded = (entries: readonly LogEntry[]) => {
  const latest = new Map<string, { readonly place: number; readonly text: string }>()
  let isNew = false
  for (const { position, batch } of entries) {
    for (const [index, [kind, id, value]] of batch.entries()) {
      if (kind === 'account' && value === null) {
        latest.clear()
        isNew = true
        continue
      }
      const name = kind + SEPARATOR + id
      const known = latest.get(name)
      const place = known === undefined || known.text === '' ? position.n * 100_000 + index : known.place
      latest.set(name, { place, text: value === null ? '' : JSON.stringify(value) })
    }
  }
  const records = [...latest].flatMap(([name, { place, text }]) => [name, String(place), text])
  return { records, isNew }
}
