import type { ClockMode } from '../core/time/clock.js'
import type { AccountLimits, AccountRecord, Snapshot } from './records/account.js'
import type { CallbackRecord, InboxMessage } from './records/callback.js'
import type { Advanced, ClockReading } from './records/clock.js'
import type { Finished, LooseEnds, TimelineItem } from './records/loose-ends.js'
import type { ExplainedRequest, RequestRecord } from './records/request.js'
import type { PlayingScenario } from './records/scenario.js'
import type { TaskRecord, TaskStatus } from './records/task.js'
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

export type Waited =
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
