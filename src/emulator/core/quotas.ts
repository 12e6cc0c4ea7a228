import type { RefusalDetails } from './model/call.js'
import type { Settings } from './settings.js'

/** Quota: what is limited, by which settings, and what happens at the limit. */
export interface QuotaSpec {
  readonly of: string
  /** The settings that say how many; the first is the one that matters most. */
  readonly settings: readonly [keyof Settings, ...(keyof Settings)[]]
  /** `account`: the size that is shown is that of the account with most. `call`: nothing is kept, and no size is shown. */
  readonly per: 'account' | 'emulator' | 'call'
  /** What happens there, as long as there is something that can go or wait. */
  readonly kind: 'forgets' | 'waits' | 'refuses'
  /** What happens there, in a sentence without a full stop. */
  readonly atBound: string
}

/** Table of quotas, in the order in which they are shown. */
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
  'assets-per-account': { of: 'assets of an account', settings: ['maxAssets'], per: 'account', kind: 'refuses', atBound: 'uploads are refused' },
  'asset-bytes-per-account': { of: 'bytes of the assets of an account', settings: ['assetTotalBytes'], per: 'account', kind: 'refuses',
    atBound: 'uploads are refused' },
  'assets-in-all': { of: 'assets of all accounts', settings: ['assetsInAll'], per: 'emulator', kind: 'refuses', atBound: 'uploads are refused' },
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
  'request-bodies': { of: 'bytes of a request body', settings: ['videoBodyBytes', 'imageBodyBytes'], per: 'call', kind: 'refuses',
    atBound: 'the request is refused' },
  'state-bodies': { of: 'bytes of a state that is sent to PUT /_backlot/state', settings: ['stateBodyBytes'], per: 'call', kind: 'refuses',
    atBound: 'the request is refused' },
  'asset-files': { of: 'bytes of an uploaded file', settings: ['assetVideoBytes', 'assetImageBytes', 'assetAudioBytes'], per: 'call', kind: 'refuses',
    atBound: 'the upload is refused' },
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

/** Name of a quota, as refusals carry it. */
export type QuotaName = keyof typeof quotaSpecs

/** Quota hit: a quota that was reached. */
export interface QuotaHit {
  readonly name: QuotaName
  readonly setting: keyof Settings
  readonly most: number
  /** How often it was met so far. */
  readonly hits: number
  /** A sentence: what is full, which setting says so, and what happens now. */
  readonly says: string
}

/** Quota exceeded: there is no room for one more, and nothing to evict. */
export interface QuotaExceeded {
  readonly bound: QuotaName
  readonly setting: keyof Settings
  readonly most: number
  readonly found: number
  /** A sentence without a full stop, which names the setting. */
  readonly says: string
}

/** Quota reporter: where parts say how full they are. */
export interface QuotaReporter {
  /** There was no room for one more: something old is evicted, or something new waits. Listeners are told at the first, tenth, hundredth … time. */
  hit(name: QuotaName): void
  /** There was no room for one more, and a caller is refused. */
  refuse(name: QuotaName): void
  /** The size at this moment; for what is counted where it grows, so that no peak is missed. */
  observe(name: QuotaName, size: number): void
  /** How sizes are measured, when they are asked for. */
  measure(sizes: Readonly<Partial<Record<QuotaName, () => number>>>): void
}

/** Reporter for parts that run on their own. */
export const noQuotaReporter: QuotaReporter = {
  hit: () => {},
  refuse: () => {},
  observe: () => {},
  measure: () => {},
}

/** Refusal of a call over a quota; the caller adds the family's name of the error, and of the rule. */
export const refusalFor = (exceeded: QuotaExceeded): RefusalDetails => ({
  found: exceeded.found,
  allowed: `at most ${exceeded.most} (setting ${exceeded.setting})`,
  message: exceeded.says,
  retryAfterSeconds: 1,
  bound: exceeded.bound,
})

/** Number of characters of all texts in a JSON value. */
export const lengthOfTexts = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 0
  let sum = 0
  for (const name in value) sum += lengthOfTexts((value as Readonly<Record<string, unknown>>)[name])
  return sum
}

/** Memory estimate of a JSON value, in bytes. It is rough because it runs on every call; eviction needs no better. */
export const estimateBytes = (value: unknown): number => {
  if (typeof value === 'string') return 16 + value.length
  if (value === null || typeof value !== 'object') return 8
  let sum = 32
  for (const name in value) sum += 16 + estimateBytes((value as Readonly<Record<string, unknown>>)[name])
  return sum
}
