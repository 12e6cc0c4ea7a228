import type { QuotaName } from '../core/quotas.js'
import type { ClockMode } from '../core/schedule/clock.js'
import type { ScenarioDocument } from './scenario-document.js'

/** The first is asked first. */
interface PlayingScenarios {
  readonly items: readonly PlayingScenario[]
}

/** What a call gives and what comes back. */
interface Call<ActionInput, ActionOutput> {
  readonly given: ActionInput
  readonly result: ActionOutput
}

interface Page {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

interface Listed<Item> {
  readonly items: readonly Item[]
  /** How many there are, on all pages. */
  readonly total: number
}

/** As `Listed`, of something that is kept within a bound. */
interface Logged<Item> extends Listed<Item> {
  /** How many had to go. */
  readonly evicted: number
}

/** What a clock is to do otherwise; what is left out stays as it is. */
export interface ClockChange {
  readonly mode?: ClockMode | undefined
  /** How many times faster than the wall a live clock runs. */
  readonly speed?: number | undefined
  /** An ISO time at which the clock is to begin, for an account that has not been called yet. */
  readonly now?: string | undefined
}

/** Every part that is left out matches everything. */
export interface TaskFilter {
  readonly status?: TaskStatus | undefined
  /** `b-video-task`, `f-video-v2` and so on. */
  readonly family?: string | undefined
}

/** Every part that is left out matches everything. */
export interface RequestFilter {
  /** `b-video-task.create`, or all of a family: `b-video-task.*`. */
  readonly operation?: string | undefined
  readonly status?: number | undefined
  /** A part of the path. */
  readonly path?: string | undefined
  /** A rule, or the beginning of one; `any` for every call that was refused. */
  readonly problem?: string | undefined
}

/** Every part that is left out matches everything. */
export interface CallbackFilter {
  readonly taskId?: string | undefined
  readonly kind?: CallbackRecord['kind'] | undefined
  readonly status?: TaskStatus | undefined
  readonly state?: CallbackRecord['state'] | undefined
}

/** What an account is to be worth and allowed; what is left out stays as it is. */
export interface AccountChange {
  /** How many calls it has made; request ids are counted from it. */
  readonly requests?: number | undefined
  /** In the currency that the setting `prices` is in. */
  readonly balance?: number | undefined
  readonly agreementAccepted?: boolean | undefined
  /** Those that are left out stay as they are. */
  readonly limits?: { readonly [Name in keyof AccountLimits]?: AccountLimits[Name] | undefined } | undefined
}

type Nothing = Readonly<Record<string, never>>

interface Patience {
  readonly timeout?: string | undefined
}

/** With any text for `all`, every account is meant. */
interface All {
  readonly all?: string | undefined
}

interface Count {
  /** How many there have to be; 1 when left out. */
  readonly count?: number | undefined
}

type Waited =
  | ({ readonly for: 'task'; readonly id: string; readonly status?: TaskStatus | undefined } & Patience)
  | ({ readonly for: 'request' } & RequestFilter & Count & Patience)
  | ({ readonly for: 'callback' } & CallbackFilter & Count & Patience)
  | ({ readonly for: 'inbox'; readonly name: string } & Count & Patience)
  | ({ readonly for: 'idle' } & Patience)

/**
 * The actions that handles are made of, each with what it is given and what it answers. An action that a handle needs
 * is entered here; published.ts holds the table against the actions themselves.
 */
export interface ActionTypes {
  'clock.read': Call<Nothing, ClockReading>
  'clock.change': Call<ClockChange, ClockReading>
  'clock.advance': Call<{ readonly by?: string | number; readonly to?: string }, Advanced>
  'recording.read': Call<{ readonly format: 'replay'; readonly all?: string | undefined }, string>
  'requests.list': Call<RequestFilter & Page, Logged<RequestRecord>>
  'requests.read': Call<{ readonly id: string }, ExplainedRequest>
  'tasks.list': Call<TaskFilter & Page, Listed<TaskRecord>>
  'tasks.read': Call<{ readonly id: string }, TaskRecord>
  'tasks.force': Call<
    {
      readonly id: string
      readonly status: TaskStatus
      readonly error?: string | undefined
    },
    TaskRecord
  >
  'callbacks.list': Call<CallbackFilter & Page, Logged<CallbackRecord>>
  'callbacks.read': Call<{ readonly id: string }, CallbackRecord>
  'callbacks.redeliver': Call<{ readonly id: string }, CallbackRecord>
  'inbox.read': Call<
    { readonly name: string },
    { readonly name: string; readonly items: readonly InboxMessage[]; readonly evicted: number }
  >
  'scenario.read': Call<Nothing, PlayingScenarios>
  'scenario.play': Call<ScenarioDocument | { readonly name: string }, PlayingScenarios>
  'scenario.stop': Call<{ readonly name?: string | undefined }, PlayingScenarios>
  'account.read': Call<Nothing, AccountRecord>
  'account.change': Call<AccountChange, AccountRecord>
  'timeline.read': Call<Nothing, { readonly items: readonly TimelineItem[] }>
  'loose-ends.read': Call<Nothing, LooseEnds>
  wait: Call<Waited, unknown>
  finish: Call<All, Finished>
  reset: Call<All, { readonly reset: string; readonly accounts: number }>
  'snapshots.take': Call<All, Snapshot>
  'snapshots.restore': Call<{ readonly id: string } & All, Snapshot>
}

/** A number is the most there may be; null is no limit. */
export interface AccountLimits {
  readonly requestsPerMinute: number | null
  readonly tasksInFlight: number | null
  readonly imageQuota: number | null
}

/** What an account is worth, what it is allowed, and how much there is on it. */
export interface AccountRecord {
  /** What stands for the API key where it must not be shown. */
  readonly tag: string
  /** What was paid in, less what was spent; in the currency that the setting `prices` is in, as `spent`. */
  readonly balance: number
  readonly spent: number
  readonly agreementAccepted: boolean
  readonly limits: AccountLimits
  /** Creates and uploads accepted so far. */
  readonly ordinal: number
  readonly tasks: number
  readonly tasksInFlight: number
  readonly imagesMade: number
  readonly now: string
}

/** Accounts as they were at one time; they stand in the memory of the emulator under its id. */
export interface Snapshot {
  readonly id: string
  readonly accounts: number
  /** Of all of these accounts together. */
  readonly tasks: number
}

/** A try to reach a receiver. */
export interface CallbackAttempt {
  readonly at: string
  /** Milliseconds of real time. */
  readonly durationMs: number
  /** `refused-address`: the emulator does not send there, and nothing was sent. */
  readonly outcome: 'answered' | 'timeout' | 'refused-address' | 'failed'
  /** Left out where no answer came, like `answer`, the beginning of its text. */
  readonly status?: number
  readonly answer?: string
  /** Left out where there was an answer in time. */
  readonly error?: string
}

/** A message to a receiver and what became of it. */
export interface CallbackRecord {
  /** The task's id and a number; sent along as `X-Backlot-Delivery-Id`. */
  readonly id: string
  readonly taskId: string
  readonly kind: 'challenge' | 'delivery'
  /** The status that is reported; null for a challenge. */
  readonly status: TaskStatus | null
  readonly url: string
  /** `waiting`: still to be sent, or between two attempts. `skipped`: never sent, for the reason given. */
  readonly state: 'waiting' | 'delivered' | 'failed' | 'skipped'
  readonly reason?: string
  /** What was sent; null before the first attempt has ended. */
  readonly body: unknown
  readonly attempts: readonly CallbackAttempt[]
  /** What scenarios had to do with it; null where none was about it. */
  readonly scenario: PlayedRecord | null
}

/** A message in a box of the built-in receiver. */
export interface InboxMessage {
  readonly receivedAt: string
  /** Null for a message that did not come from the emulator. */
  readonly deliveryId: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What the clock of an account says, and how it goes on. */
export interface ClockReading {
  readonly now: string
  readonly mode: ClockMode
  /** How many times faster than the wall a live clock runs. */
  readonly speed: number
  /** When something next happens; null when nothing is left to happen. */
  readonly next: string | null
}

/** Something that came about on an account's clock. */
export interface Happened {
  readonly at: string
  readonly kind: 'task' | 'asset' | 'callback'
  /** The id of the task, the asset job or the callback. */
  readonly id: string
  /** What it became: `running`, `succeeded`, `delivered`. */
  readonly detail: string
}

/** What moving a clock has brought about. */
export interface Advanced {
  /** What the clock says afterwards. */
  readonly now: string
  /** In order; everything that came about on the way. */
  readonly happened: readonly Happened[]
}

/** One thing that happened on an account. */
export interface TimelineItem {
  readonly at: string
  /** What stands for the API key where it must not be shown. */
  readonly account: string
  readonly kind: 'request' | 'task' | 'asset' | 'callback'
  readonly id: string
  /** In one line. */
  readonly says: string
}

/** What a test should not leave behind. */
export interface LooseEnds {
  /** Calls that no operation has a route for, oldest first, each with what was meant, as far as that can be guessed. */
  readonly unexpectedCalls: readonly (RequestRecord & { readonly explanation: readonly string[] })[]
  /** Callbacks that their receiver has not accepted, oldest first. */
  readonly undeliveredCallbacks: readonly CallbackRecord[]
  /** Required steps of scenarios that have not acted. */
  readonly unusedSteps: readonly (ScenarioStepRecord & { readonly scenario: string })[]
}

/** What a test has left behind. */
export interface Finished extends LooseEnds {
  /** Everything that happened, where there are loose ends; empty where there are none. */
  readonly timeline: readonly TimelineItem[]
}

/** Why a call was refused. */
export interface RefusalRecord {
  /** `a-image.size-area`, or `a-image.schema.parameters.n` for what the schema asks. */
  readonly rule: string
  /** The place in the specification or in the table of what it leaves open. */
  readonly place: string
  /** The family's name of the error. */
  readonly error: string
  /** The path of the field: `content[0].image_url.url`. */
  readonly field?: string
  readonly found?: unknown
  readonly allowed?: string
  readonly message?: string
  readonly retryAfterSeconds?: number
  /** The bound of the emulator that was met: `tasks-per-account`; left out where it is the service that refuses. */
  readonly bound?: QuotaName
}

/** A call as the journal keeps it: without credentials, long texts cut. */
export interface RequestRecord {
  /** The request id of the answer. */
  readonly id: string
  /** What stands for the API key where it must not be shown. */
  readonly account: string
  readonly at: string
  /** `b-video-task.create`; null where no operation has such a route. */
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly bytes: number
  readonly status: number
  readonly answer: unknown
  /** Every rule that refused, in order; the first one made the answer. */
  readonly refusedBy: readonly RefusalRecord[]
  /** Fields that the interface does not know. */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** The task that was made, read or cancelled, or whose result was fetched. */
  readonly task: string | null
  /** What scenarios had to do with it; null where none was about it. */
  readonly scenario: PlayedRecord | null
}

/** A call with why it was answered so, and what followed from it. */
export interface ExplainedRequest extends RequestRecord {
  /** In sentences. */
  readonly explanation: readonly string[]
  readonly followed: {
    readonly task: TaskRecord | null
    readonly downloads: readonly { readonly id: string; readonly at: string; readonly status: number }[]
  }
}

/** What scenarios had to do with a call or a message. */
export interface PlayedRecord {
  /** The step that acted; null where none did. */
  readonly acted: {
    readonly scenario: string
    /** From 1. */
    readonly step: number
    readonly says: string | null
    /** What it did, as its file names it: `answer.error`, `transport.hang`. */
    readonly effects: readonly string[]
  } | null
  /** Steps that could have acted, each with why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}

/** How a step of a scenario stands. */
export interface ScenarioStepRecord {
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** Fitting calls so far, and those on which it acted. */
  readonly seen: number
  readonly acted: number
  /** How often it may act; null is without end. */
  readonly times: number | null
  readonly required: boolean
  /** Why it did not act on the latest call that it was about; null where it did, and where there was none. */
  readonly lastMiss: string | null
}

/** A scenario that plays for an account. */
export interface PlayingScenario {
  readonly name: string
  readonly says: string
  /** When it began. */
  readonly since: string
  readonly steps: readonly ScenarioStepRecord[]
}

/** The state of a task, in the same words for every family. */
export type TaskStatus = 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/** A task of any family in one shape, with everything that was and will be. */
export interface TaskRecord {
  readonly id: string
  /** `b-video-task`, `f-video-v2` and so on. */
  readonly family: string
  readonly model: string
  readonly status: TaskStatus
  /** Whole percent. */
  readonly progress: number
  readonly createdAt: string
  /** When it reached its status. */
  readonly since: string
  /** The request that made it. */
  readonly requestId: string
  /** What it costs when it succeeds. */
  readonly price: number
  readonly callbackUrl: string | null
  /** The request with everything settled that it left open: ratio, length, seed. */
  readonly order: unknown
  readonly timeline: readonly TaskMoment[]
}

/** What a task becomes, and when. */
export interface TaskMoment {
  readonly at: string
  readonly status: TaskStatus
  /** The name of the family's error; only where the task fails. */
  readonly error?: string
  /** How many results; only where the task succeeds. */
  readonly media?: number
}
