import type { QuotaName } from '../generated/names.js'
import type { QuotaHit, QuotaReporter, QuotaSpec } from './core/quotas.js'
import type { Settings } from './core/settings.js'
import { assetsQuotas } from './families/d-assets/settings.js'
import { sharedQuotas } from './families/shared/settings.js'

/** Table of quotas, in the order in which they are shown. A family has its own beside its settings. */
// biome-ignore format: one row a line, or two where it is long
export const quotaSpecs = {
  connections: { of: 'connections', settings: ['maxConnections'], per: 'emulator', kind: 'refuses',
    atBound: 'a new connection gets 503 for any request and is closed' },
  accounts: { of: 'accounts', settings: ['maxAccounts'], per: 'emulator', kind: 'forgets',
    atBound: 'idle accounts are evicted, those called longest ago first; when all are busy, calls of new ones are refused' },
  'tasks-per-account': { of: 'tasks of an account', settings: ['tasksPerAccount'], per: 'account', kind: 'forgets',
    atBound: 'the oldest tasks that have ended are evicted; when none has ended, new ones are refused' },
  'tasks-in-all': { of: 'tasks of all accounts', settings: ['tasksInAll'], per: 'emulator', kind: 'forgets',
    atBound: 'tasks that have ended are evicted, the oldest of the account with most; when none has ended, new ones are refused' },
  'task-bytes': { of: 'bytes of all tasks, estimated; mostly long prompts', settings: ['taskBytes'], per: 'emulator', kind: 'forgets',
    atBound: 'tasks that have ended are evicted, the oldest of the account with most; when that is not enough, new ones are refused' },
  'assets-per-account': assetsQuotas['assets-per-account'],
  'asset-bytes-per-account': assetsQuotas['asset-bytes-per-account'],
  'assets-in-all': assetsQuotas['assets-in-all'],
  'journal-entries': { of: 'calls in the journal of an account', settings: ['journalEntries'], per: 'account', kind: 'forgets',
    atBound: 'the oldest call is evicted' },
  'journal-bytes': { of: 'bytes of all journals, estimated', settings: ['journalBytes'], per: 'emulator', kind: 'forgets',
    atBound: 'the oldest calls of all accounts are evicted' },
  'callback-log': { of: 'callbacks in the log of an account', settings: ['callbackLogEntries'], per: 'account', kind: 'forgets',
    atBound: 'the oldest delivered or given up entry is evicted; when there is none, the oldest entry' },
  'callback-logs': { of: 'callbacks in all logs', settings: ['callbacksLoggedInAll'], per: 'emulator', kind: 'forgets',
    atBound: 'the oldest entries of the longest log are evicted' },
  callbacks: { of: 'callbacks on their way', settings: ['callbacksAtOnce'], per: 'emulator', kind: 'waits', atBound: 'others wait' },
  'inbox-messages': { of: 'messages in the inbox of an account, of all names', settings: ['callbackLogEntries'], per: 'account', kind: 'forgets',
    atBound: 'the oldest message is evicted' },
  'inbox-bytes': { of: 'bytes of all inbox messages', settings: ['inboxBytes'], per: 'emulator', kind: 'forgets',
    atBound: 'the oldest messages of the largest inbox are evicted' },
  scenarios: { of: 'scenarios that play for an account', settings: ['maxScenarios'], per: 'account', kind: 'refuses', atBound: 'another one is refused' },
  waits: { of: 'calls of /_backlot/wait that wait', settings: ['waitsAtOnce'], per: 'emulator', kind: 'refuses', atBound: 'another one is refused' },
  uploads: { of: 'uploads that are read', settings: ['uploadsAtOnce'], per: 'emulator', kind: 'refuses', atBound: 'another one is refused' },
  bodies: { of: 'bytes of request bodies that are read', settings: ['bodyBytesAtOnce'], per: 'emulator', kind: 'refuses',
    atBound: 'a request whose body has no room is refused' },
  'request-bodies': sharedQuotas['request-bodies'],
  'state-bodies': { of: 'bytes of a state that is sent to PUT /_backlot/state', settings: ['stateBodyBytes'], per: 'call', kind: 'refuses',
    atBound: 'the request is refused' },
  'asset-files': assetsQuotas['asset-files'],
  renders: { of: 'media that are rendered', settings: ['rendersAtOnce'], per: 'emulator', kind: 'waits', atBound: 'others wait' },
  'renders-waiting': { of: 'media that wait to be rendered', settings: ['rendersWaiting'], per: 'emulator', kind: 'refuses',
    atBound: 'downloads of others are refused' },
  'media-on-disk': { of: 'bytes of rendered media', settings: ['mediaDiskBytes'], per: 'emulator', kind: 'forgets',
    atBound: 'the least recently used file is evicted, and rendered again when a client fetches it' },
  'media-in-memory': { of: 'bytes of pictures cut for rendering', settings: ['mediaMemoryBytes'], per: 'emulator', kind: 'forgets',
    atBound: 'the least recently used picture is evicted, and cut again when it is needed' },
  inputs: { of: 'bytes of media that users sent, assets among them', settings: ['inputBytes'], per: 'emulator', kind: 'forgets',
    atBound: 'the least recently used input that is no asset is evicted; when all are assets, further ones are refused' },
  snapshots: { of: 'snapshots', settings: ['maxSnapshots'], per: 'emulator', kind: 'forgets',
    atBound: 'the oldest is evicted, and cannot be restored any more' },
} as const satisfies Readonly<Record<string, QuotaSpec>>

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

interface Counters {
  hits: number
  refused: number
  peak: number
  /** Number of hits at which the next one is reported. */
  nextReportAt: number
}

const names = Object.keys(quotaSpecs) as QuotaName[]

/** Quotas of an emulator: how much there is of everything that is limited, and how often each limit was met. */
export class Quotas implements QuotaReporter {
  readonly #settings: Settings
  readonly #onHit: (hit: QuotaHit) => void
  readonly #defaults: Readonly<Partial<Record<QuotaName, number>>>
  readonly #counters = Object.fromEntries(
    names.map((name) => [name, { hits: 0, refused: 0, peak: 0, nextReportAt: 1 }]),
  ) as Record<QuotaName, Counters>
  readonly #sizes: Partial<Record<QuotaName, () => number>> = {}

  /**
   * @param onHit called at the first, tenth, hundredth … hit of a quota: a full journal hits its limit with every call
   * @param defaults limits that depend on the machine where the settings have none
   */
  constructor(
    settings: Settings,
    onHit: (hit: QuotaHit) => void,
    defaults: Readonly<Partial<Record<QuotaName, number>>> = {},
  ) {
    this.#settings = settings
    this.#onHit = onHit
    this.#defaults = defaults
  }

  hit(name: QuotaName): void {
    const counter = this.#counters[name]
    counter.hits += 1
    if (counter.hits < counter.nextReportAt) return
    counter.nextReportAt *= 10
    this.#onHit(this.#hitOf(name, counter.hits))
  }

  refuse(name: QuotaName): void {
    this.#counters[name].refused += 1
    this.hit(name)
  }

  observe(name: QuotaName, size: number): void {
    const counter = this.#counters[name]
    if (size > counter.peak) counter.peak = size
  }

  measure(sizes: Readonly<Partial<Record<QuotaName, () => number>>>): void {
    Object.assign(this.#sizes, sizes)
  }

  /** The status of every quota, in the order of the table. */
  read(): readonly QuotaStatus[] {
    return names.map((name) => this.#statusOf(name))
  }

  #maxOf(name: QuotaName): number {
    return this.#defaults[name] ?? Number(this.#settings[quotaSpecs[name].settings[0]])
  }

  #hitOf(name: QuotaName, hits: number): QuotaHit {
    const { of, settings: named, atBound } = quotaSpecs[name]
    const limits = named.map((setting) => `${setting} ${this.#settings[setting] ?? this.#maxOf(name)}`)
    const says = `There is no room for more ${of} (${limits.join(', ')}): ${atBound}.`
    return { name, setting: named[0], most: this.#maxOf(name), hits, says }
  }

  #statusOf(name: QuotaName): QuotaStatus {
    const spec: QuotaSpec = quotaSpecs[name]
    const size = this.#sizes[name]?.() ?? null
    if (size !== null) this.observe(name, size)
    const { hits, refused, peak } = this.#counters[name]
    return {
      ...spec,
      name,
      most: this.#maxOf(name),
      size,
      peak: spec.per === 'call' ? null : peak,
      hits,
      refused,
    }
  }
}
