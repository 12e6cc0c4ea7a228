import type { JournalEntry } from './journal/entry.js'
import type { AccountEvent, CallbackRecord } from './model/account.js'
import type { QuotaHit } from './quotas.js'

/** Event map of the emulator, for the screen, the JSON log and waiting calls. */
export interface Events {
  request: [entry: JournalEntry]
  happening: [happening: AccountEvent & { readonly account: string }]
  /** An attempt has ended, or the callback will not be sent. */
  callback: [record: CallbackRecord & { readonly account: string }]
  /** A call of the service has been answered, or its connection has gone. */
  served: [served: Served]
  /** A quota was met for the first, tenth, hundredth … time. */
  quota: [hit: QuotaHit]
  /** A CORS preflight was refused; the sentence names the setting. */
  preflight: [refused: { readonly origin: string; readonly says: string }]
  /** A request was refused before its family was known, so that no journal has it. */
  refused: [error: { readonly status: number; readonly code: string; readonly message: string }]
  /** A scenario file that plays has changed. `isPlayed`: as it is now; false: it cannot be, and the former one plays on. */
  scenario: [
    change: {
      readonly file: string
      readonly name: string
      readonly isPlayed: boolean
      readonly says: string
    },
  ]
  /** A file of the profile has changed. `isInForce`: as it is now; false: it cannot be used, and the former one stays. */
  profile: [change: { readonly file: string; readonly isInForce: boolean; readonly says: string }]
  /** Something around the emulator has broken, or is whole again. */
  trouble: [trouble: HealthIssue]
  /** Something failed that should not. */
  bug: [error: unknown]
  /** The built-in receiver has kept a message. */
  inbox: [about: { readonly account: string; readonly name: string }]
  /** A control action has changed something; `task` is the one that it names. */
  control: [done: { readonly account: string; readonly task?: string }]
  /** The emulator begins to stop. */
  stopping: []
  /** An account has been opened, or forgotten with all that belongs to it. */
  account: [change: { readonly account: string }]
}

/** Metadata of a served call, without bodies. */
export interface Served {
  readonly requestId: string
  /** Undefined where the service has no such route. */
  readonly operation: string | undefined
  /** The key of the account; outputs show only the account id. */
  readonly account: string
  readonly method: string
  /** 0 where no answer was begun. */
  readonly status: number
  /** Of real time, until the answer was handed over to the system. */
  readonly durationMs: number
  /** What is odd about the request, without any word of the client. Default: nothing. */
  readonly hints?: readonly string[]
}

/** Dependencies of the emulator on its machine that can fail for a while, with the sentence for each. */
export const dependencies = {
  pictures: 'Pictures cannot be rendered',
  videos: 'Videos cannot be rendered',
  results: 'Results cannot be sent',
  inputs: 'What users send cannot be kept',
  'large-bodies': 'Large request bodies cannot be read',
  control: 'The control API cannot be used',
  listening: 'Connections cannot be taken',
  log: 'The log cannot be written',
  state: 'What happens cannot be written into the state file',
  recording: 'The recording cannot be written',
  store: 'The shared store cannot be used',
  'store-eviction': 'What the shared store holds cannot be relied on',
  'store-tail': 'The shared store cannot be relied on',
} as const

export type Dependency = keyof typeof dependencies

/** Health issue: a dependency failed, or works again. */
export interface HealthIssue {
  readonly need: Dependency
  readonly state: 'begun' | 'over'
  /** Of the error: `ffmpeg-missing`, `disk-full`. */
  readonly code: string
  /** A sentence or two: what is wrong, and why. */
  readonly says: string
  /** What to do; empty where nothing is known, and when it is over. */
  readonly hint: string
  /** How many calls have met it so far. */
  readonly times: number
}

/** Reporter of health issues, as the parts that meet them see it. */
export interface HealthReporter {
  report(dependency: Dependency, error: unknown): void
  /** The dependency works. Cheap, so that it can be called every time. */
  resolve(dependency: Dependency): void
}

/** Reporter for parts that run on their own. */
export const noHealthReporter: HealthReporter = { report: () => {}, resolve: () => {} }
