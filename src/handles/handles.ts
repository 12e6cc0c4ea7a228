import type { Duration } from '../core/time/duration.js'
import type { AccountChange, CallbackFilter, ClockChange, RequestFilter, TaskFilter } from './calls.js'
import type { Failing } from './failing.js'
import type { AccountRecord, Snapshot } from './records/account.js'
import type { CallbackRecord, InboxMessage } from './records/callback.js'
import type { Advanced, ClockReading } from './records/clock.js'
import type { Finished, LooseEnds, TimelineItem } from './records/loose-ends.js'
import type { ExplainedRequest, RequestRecord } from './records/request.js'
import type { PlayingScenario, ScenarioStepRecord } from './records/scenario.js'
import type { TaskRecord, TaskStatus } from './records/task.js'
import type { ScenarioDocument } from './scenario-document.js'

/** How far to move a clock: by a duration, to the next moment, until nothing is left to happen, or to a time (ISO text). */
export type Advance = Duration | { readonly to: 'next' | 'idle' | Date | string }

/** How patient a wait is. */
export interface WaitOptions {
  /** How long to wait, in real time; 5 s when left out. */
  readonly timeout?: Duration
}

/** How many to wait for, and how long. */
export interface CountedWaitOptions extends WaitOptions {
  /** How many there have to be; 1 when left out. */
  readonly count?: number
}

/** Which part of a long list. */
export interface Paging {
  /** How many at most; 100 when left out. */
  readonly limit?: number
  /** How many to leave out at the beginning. */
  readonly offset?: number
}

/** A step with the name of its scenario. */
export type NamedStep = ScenarioStepRecord & { readonly scenario: string }

/** A box of the built-in callback receiver, as far as it concerns one account. */
export interface InboxHandles {
  /** What to send as the callback address. It passes the handshake. */
  readonly url: string
  /** Oldest first. */
  list(): Promise<readonly InboxMessage[]>
  /** Resolves with what there is once there is enough. @throws EmulatorError `not-yet` */
  waitFor(options?: CountedWaitOptions): Promise<readonly InboxMessage[]>
}

/** What can be done with one account of an emulator. Everything answers with plain data, as the control API does. */
export interface AccountHandles {
  /** The API key of the account. */
  readonly key: string
  readonly clock: {
    read(): Promise<ClockReading>
    /**
     * Moves the clock; when it resolves, everything due has happened, and it says what did.
     * @throws EmulatorError `bad-duration`, `bad-time`, `time-runs-forward` or `time-ends`
     */
    advance(how: Advance): Promise<Advanced>
    /** From now on; what the clock says does not jump. @throws EmulatorError `clock-has-run` */
    change(change: ClockChange): Promise<ClockReading>
  }
  readonly tasks: {
    /** Newest first. @throws EmulatorError `unknown-family` */
    list(filter?: TaskFilter & Paging): Promise<readonly TaskRecord[]>
    /** @throws EmulatorError `no-such-task` */
    get(id: string): Promise<TaskRecord>
    /**
     * Forces what has not happened yet: `failed` with the name of an error of the family.
     * @throws EmulatorError `no-such-task`, `task-has-ended`, `unknown-status` (the family has none such), `unknown-error` or
     * `error-without-failure`
     */
    force(id: string, status: TaskStatus, error?: string): Promise<TaskRecord>
    /** As `force` with `failed`. */
    fail(id: string, error: string): Promise<TaskRecord>
    /**
     * Resolves once the task has reached the status, or has ended where none is given.
     * @throws EmulatorError `not-yet` when it has not in time, `never` when it has ended otherwise
     */
    waitFor(id: string, status?: TaskStatus, options?: WaitOptions): Promise<TaskRecord>
  }
  readonly requests: {
    /** Newest first. @throws EmulatorError `unknown-operation` or `unknown-rule` */
    list(filter?: RequestFilter & Paging): Promise<readonly RequestRecord[]>
    /** A call by its request id, which the service sends as `X-Request-Id`. @throws EmulatorError `no-such-request` */
    get(id: string): Promise<ExplainedRequest>
    /** Why a call was answered as it was, in sentences. @throws EmulatorError `no-such-request` */
    explain(id: string): Promise<readonly string[]>
    /** Writes the journal into a file that `backlot replay` runs again: without keys and media. */
    save(file: string): Promise<void>
    /**
     * Resolves with all such calls once there are enough, newest first.
     * @throws EmulatorError `not-yet`, `unknown-operation` or `unknown-rule`
     */
    waitFor(filter: RequestFilter, options?: CountedWaitOptions): Promise<readonly RequestRecord[]>
  }
  readonly callbacks: {
    /** Challenges and deliveries, newest first. */
    list(filter?: CallbackFilter & Paging): Promise<readonly CallbackRecord[]>
    /** @throws EmulatorError `unknown-callback` */
    get(id: string): Promise<CallbackRecord>
    /**
     * Sends one again now, once; resolves when the receiver has answered, or has not.
     * @throws EmulatorError `unknown-callback` or `callback-waiting`
     */
    redeliver(id: string): Promise<CallbackRecord>
    /** Resolves with all such callbacks once enough are delivered, or are in the state that is named, newest first. @throws EmulatorError `not-yet` */
    waitFor(filter: CallbackFilter, options?: CountedWaitOptions): Promise<readonly CallbackRecord[]>
  }
  readonly scenario: {
    /**
     * Plays for this account from now on, before what plays already: a document, the name of a ready-made scenario or of
     * one given at the start, or a file. One of the same name begins anew.
     * @throws EmulatorError `bad-scenario`, `unknown-scenario` or `no-such-file`
     */
    play(scenario: string | ScenarioDocument): Promise<readonly PlayingScenario[]>
    /** Every step that plays, in the order in which they are asked, with how often it was seen and acted. */
    steps(): Promise<readonly NamedStep[]>
    /** Required steps that have not acted. */
    unused(): Promise<readonly NamedStep[]>
    /** Stops one, or all; those given at the start come back with a reset. @throws EmulatorError `not-playing` */
    stop(name?: string): Promise<void>
  }
  /**
   * Makes calls of an operation fail: `fail('b-video-task.create', { error: 'ServerOverloaded', times: 2 })`. Plays a
   * scenario of one step; the same failure again begins anew.
   */
  fail(operation: string, failing: Failing): Promise<void>
  /** A box of the built-in callback receiver; any name will do. */
  inbox(name: string): InboxHandles
  /** What the account is worth and allowed. */
  read(): Promise<AccountRecord>
  change(change: AccountChange): Promise<AccountRecord>
  /** Everything that has happened on the account, in order. */
  timeline(): Promise<readonly TimelineItem[]>
  /** What a test should not leave behind. */
  looseEnds(): Promise<LooseEnds>
  /** The end of a test: what it leaves behind, with everything that happened where that is anything; and `reset`. */
  finish(): Promise<Finished>
  /** Resolves once nothing is left to happen. @throws EmulatorError `not-yet` */
  idle(options?: WaitOptions): Promise<void>
  /** The account begins anew. */
  reset(): Promise<void>
  /** Remembers the account as it is now, in the memory of the emulator: for `restore`, as often as it takes. */
  snapshot(): Promise<Snapshot>
  /**
   * The account is again as it was, its clock too; calls of the meantime leave no trace.
   * @throws EmulatorError `unknown-snapshot` or `other-snapshot`
   */
  restore(snapshot: Pick<Snapshot, 'id'>): Promise<void>
}
