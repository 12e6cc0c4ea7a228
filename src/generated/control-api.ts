// Written by `npm run generate` from src/emulator/control/actions. Change those.
import type { OperationName, OperationPattern, RulePattern, TaskFamilyName } from './names.js'

/** The clock of an account. */
export interface ClockReading {
  /** ISO time. */
  readonly now: string
  /** `live` runs, `paused` is moved by hand, `on-poll` moves when a task is asked about. */
  readonly mode: 'live' | 'paused' | 'on-poll'
  /** How many times faster than real time a live clock runs. */
  readonly speed: number
  /** The time of the next moment; null: no moment is left. */
  readonly next: string | null
}

/** What moving a clock has caused. */
export interface Advanced {
  /** The time of the clock afterwards. */
  readonly now: string
  /** The events of the advance, in order: the first `limit` of them. */
  readonly happened: readonly Happened[]
  /** The number of events by kind. */
  readonly totals: {
    readonly task: number
    readonly asset: number
    readonly callback: number
  }
  /** The result URLs that ended meanwhile. */
  readonly ended: {
    readonly total: number
    /** Soonest first: the first `limit` of them. */
    readonly urls: readonly {
      readonly task: string
      /** From 0. */
      readonly index: number
      readonly at: string
    }[]
  }
}

/** Something that happened on an account's clock. */
export interface Happened {
  /** ISO time, by the clock of the account. */
  readonly at: string
  readonly kind: 'task' | 'asset' | 'callback'
  /** Of the task, the asset (not its job) or the callback. */
  readonly id: string
  /** The new status: `running`, `succeeded`, `delivered`. */
  readonly detail: string
}

/** A call as the journal keeps it: without credentials, long texts cut. */
export interface RequestRecord {
  /** The request id of the answer. */
  readonly id: string
  /** Hash of the API key, shown in its place. */
  readonly account: string
  readonly at: string
  /** `b-video-task.create`; null: no operation has such a route. */
  readonly operation: OperationName | (string & {}) | null
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Of the body: as received, or as announced where it was not read. */
  readonly bytes: number
  /** Of the answer as it was decided, sent or not. */
  readonly status: number
  /** What became of the connection: a scenario reset it, left it without an answer or ended it within the body, or the client left before the first byte of a file (`no-answer`); absent where the answer was sent whole. */
  readonly connection?: 'reset' | 'no-answer' | 'cut-off'
  /** As it was decided; `sent` or `profile` has the answer that went out, where a scenario or a profile changed it. */
  readonly answer: unknown
  /** The answer of which a step of a scenario changed fields; null: none did. */
  readonly sent: {
    readonly status: number
    readonly answer: unknown
  } | null
  /** The answer as the profile changed it; null: it did not. */
  readonly profile: {
    /** The rows of the profile, with their places. */
    readonly by: readonly string[]
    readonly status: number
    readonly answer: unknown
  } | null
  /** Every rule that refused, in order; the first one made the answer. */
  readonly refusedBy: readonly RefusalRecord[]
  /** Fields that the interface does not know. */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** The task that was created, read or cancelled, or whose result was fetched. */
  readonly task: string | null
  /** The scenario steps that acted, or could have; null: no step was for it. */
  readonly scenario: PlayedRecord | null
}

/** Why a call was refused. */
export interface RefusalRecord {
  /** `a-image.size-area`, or `a-image.schema.parameters.n` for what the schema asks. */
  readonly rule: string
  /** The reference into the specification or the table of gaps. */
  readonly place: string
  /** The family's name of the error. */
  readonly error: string
  /** The path of the field: `content[0].image_url.url`. */
  readonly field?: string
  readonly found?: unknown
  readonly allowed?: string
  readonly message?: string
  readonly retryAfterSeconds?: number
  /** The limit of the emulator that was met: `tasks-per-account`; absent where the service refuses. */
  readonly bound?:
    | 'connections'
    | 'accounts'
    | 'tasks-per-account'
    | 'tasks-in-all'
    | 'task-bytes'
    | 'assets-per-account'
    | 'asset-bytes-per-account'
    | 'assets-in-all'
    | 'journal-entries'
    | 'journal-bytes'
    | 'callback-log'
    | 'callback-logs'
    | 'callbacks'
    | 'inbox-messages'
    | 'inbox-bytes'
    | 'scenarios'
    | 'waits'
    | 'uploads'
    | 'bodies'
    | 'request-bodies'
    | 'state-bodies'
    | 'asset-files'
    | 'renders'
    | 'renders-waiting'
    | 'media-on-disk'
    | 'media-in-memory'
    | 'inputs'
    | 'snapshots'
}

/** What scenarios had to do with a call or a message. */
export interface PlayedRecord {
  /** The step that acted; null: none did. */
  readonly acted: {
    readonly scenario: string
    /** From 1. */
    readonly step: number
    readonly says: string | null
    /** Its effects, as its file names them: `answer.error`, `transport.hang`. */
    readonly effects: readonly string[]
  } | null
  /** Steps that could have acted, each with why it did not. */
  readonly nearMisses: readonly {
    readonly scenario: string
    readonly step: number
    readonly why: string
  }[]
}

/** A call that has no answer yet, or whose file is still being sent: the journal does not have it. */
export interface InFlightRecord {
  /** Hash of the API key, shown in its place. */
  readonly account: string
  /** Null: no operation has such a route. */
  readonly operation: OperationName | (string & {}) | null
  readonly method: string
  readonly path: string
  /** Null: it is about none, or it is not known yet. */
  readonly task: string | null
  /** Its body, the media that it names, the emulator, a step of a scenario, the rendering of its file, or the client that reads it. */
  readonly waitsFor: 'body' | 'media' | 'decision' | 'scenario' | 'rendering' | 'sending'
  /** Milliseconds of real time since its headers were read. */
  readonly ms: number
  /** In words: `no answer yet, being rendered for 4.1 s`. */
  readonly says: string
}

/** A call with the explanation of its answer, and its later effects: without credentials and Base64, its texts whole as far as the journal has them. */
export interface ExplainedRequest {
  /** The request id of the answer. */
  readonly id: string
  /** Hash of the API key, shown in its place. */
  readonly account: string
  readonly at: string
  /** `b-video-task.create`; null: no operation has such a route. */
  readonly operation: OperationName | (string & {}) | null
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Of the body: as received, or as announced where it was not read. */
  readonly bytes: number
  /** Of the answer as it was decided, sent or not. */
  readonly status: number
  /** What became of the connection: a scenario reset it, left it without an answer or ended it within the body, or the client left before the first byte of a file (`no-answer`); absent where the answer was sent whole. */
  readonly connection?: 'reset' | 'no-answer' | 'cut-off'
  /** As it was decided; `sent` or `profile` has the answer that went out, where a scenario or a profile changed it. */
  readonly answer: unknown
  /** The answer of which a step of a scenario changed fields; null: none did. */
  readonly sent: {
    readonly status: number
    readonly answer: unknown
  } | null
  /** The answer as the profile changed it; null: it did not. */
  readonly profile: {
    /** The rows of the profile, with their places. */
    readonly by: readonly string[]
    readonly status: number
    readonly answer: unknown
  } | null
  /** Every rule that refused, in order; the first one made the answer. */
  readonly refusedBy: readonly RefusalRecord[]
  /** Fields that the interface does not know. */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** The task that was created, read or cancelled, or whose result was fetched. */
  readonly task: string | null
  /** The scenario steps that acted, or could have; null: no step was for it. */
  readonly scenario: PlayedRecord | null
  /** The body where it was no JSON; absent where it was JSON, or the journal does not have it. */
  readonly text?: string
  /** The answer where it was no JSON, such as the XML of a refused download; undefined: it was JSON, a file or empty. */
  readonly answerText?: string
  /** Headers of the answer besides the request id and the type of JSON. */
  readonly answerHeaders: Readonly<Record<string, string>>
  /** Whether path, query and body are those that were sent: nothing was redacted, cut or a file. */
  readonly isWhole: boolean
  /** In sentences. */
  readonly explanation: readonly string[]
  /** The sentences of the explanation, each with what it is about. */
  readonly reasons: readonly {
    readonly about:
      | 'call'
      | 'profile'
      | 'scenario'
      | 'changed'
      | 'nearMiss'
      | 'refusal'
      | 'verified'
      | 'ignored'
      | 'warning'
      | 'repeat'
      | 'callback'
    readonly says: string
  }[]
  /** The operation whose route is nearest, of a call without one; null: it has one, or none is near. */
  readonly meant: string | null
  /** The steps of `scenario.nearMisses`, each with its conditions. */
  readonly tried: readonly {
    readonly scenario: string
    /** From 1. */
    readonly step: number
    /** In the order in which they are looked at. */
    readonly conditions: readonly {
      /** `the model gamma-H3`. */
      readonly says: string
      /** Null: it was not looked at. */
      readonly holds: boolean | null
    }[]
  }[]
  readonly followed: {
    readonly task: TaskRecord | null
    /** Of the task, newest first. */
    readonly callbacks: readonly CallbackRecord[]
    readonly downloads: readonly {
      readonly id: string
      readonly at: string
      /** Of the answer as it was decided, sent or not. */
      readonly status: number
      /** What became of the connection: a scenario reset it, left it without an answer or ended it within the body, or the client left before the first byte of a file (`no-answer`); absent where the answer was sent whole. */
      readonly connection?: 'reset' | 'no-answer' | 'cut-off'
    }[]
  }
}

/** A task of any family in one format, with its whole timeline. */
export interface TaskRecord {
  /** As the create has answered it. */
  readonly id: string
  /** `b-video-task`, `f-video-v2` and so on. */
  readonly family: TaskFamilyName | (string & {})
  /** The model of the request. */
  readonly model: string
  readonly status: TaskStatus
  /** Whole percent. */
  readonly progress: number
  /** ISO time, by the clock of the account. */
  readonly createdAt: string
  /** When it reached its status. */
  readonly since: string
  /** The request that made it. */
  readonly requestId: string
  /** Its price, charged when it succeeds. */
  readonly price: number
  /** Null: the request named none. */
  readonly callbackUrl: string | null
  /** The params of the request, with all defaults resolved: ratio, length, seed. */
  readonly order: unknown
  /** Every moment, in order, with those that are to come. */
  readonly timeline: readonly TaskMoment[]
}

/** The state of a task, in the same words for every family. */
export type TaskStatus = 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/** A moment of the timeline of a task: the time and the status. */
export interface TaskMoment {
  /** ISO time, by the clock of the account. */
  readonly at: string
  readonly status: TaskStatus
  /** The name of the family's error; only where the task fails. */
  readonly error?: string
  /** Number of results; only where the task succeeds. */
  readonly media?: number
}

/** A message to a receiver and what became of it. */
export interface CallbackRecord {
  /** The task's id and a number; sent along as `X-Backlot-Delivery-Id`. */
  readonly id: string
  /** The task that it reports. */
  readonly taskId: string
  readonly kind: 'challenge' | 'delivery'
  /** The status that is reported; null for a challenge. */
  readonly status: TaskStatus | null
  /** The receiver. */
  readonly url: string
  /** `waiting`: still to be sent, or between two attempts. `skipped`: never sent, for the reason given. */
  readonly state: 'waiting' | 'delivered' | 'failed' | 'skipped'
  /** Why it was skipped or has failed. */
  readonly reason?: string
  /** The body that was sent; null before the first attempt has ended. */
  readonly body: unknown
  /** In order, those of a redelivery too. */
  readonly attempts: readonly CallbackAttempt[]
  /** The scenario steps that acted, or could have; null: no step was for it. */
  readonly scenario: PlayedRecord | null
}

/** An attempt to reach a receiver. */
export interface CallbackAttempt {
  /** ISO time, by the clock of the account. */
  readonly at: string
  /** Milliseconds of real time. */
  readonly durationMs: number
  /** `refused-address`: the emulator does not send there, and nothing was sent. */
  readonly outcome: 'answered' | 'timeout' | 'refused-address' | 'failed'
  /** Undefined: no answer came. */
  readonly status?: number
  /** The beginning of the text of the answer. */
  readonly answer?: string
  /** Undefined: an answer came in time. */
  readonly error?: string
}

/** A message in a box of the built-in receiver. */
export interface InboxMessage {
  /** ISO time, by the clock of the account. */
  readonly receivedAt: string
  /** Null: the message did not come from the emulator. */
  readonly deliveryId: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Whether it was signed as the profile says; absent where the profile has no signature for it. */
  readonly signature?: 'valid' | 'wrong' | 'missing'
}

/** A picture or a video of a task that has succeeded. */
export interface ResultRecord {
  readonly task: string
  readonly family: string
  readonly model: string
  /** From 0, among the media of the task. */
  readonly index: number
  readonly prompt: string
  readonly kind: 'picture' | 'video' | 'last-frame'
  readonly contentType: string
  /** `h264, aac`; `png` of a picture. */
  readonly codecs: string
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  /** Null: a picture. */
  readonly seconds: number | null
  /** Null: a picture. */
  readonly framesPerSecond: number | null
  /** Path and query, with its signature. */
  readonly url: string
  /** When the task succeeded. */
  readonly since: string
  /** When the URL expires, by the account's clock. */
  readonly expiresAt: string
  readonly hasExpired: boolean
  /** Number of calls for it in the journal. */
  readonly downloads: number
  /** Of the file; null: it has not been fetched whole. */
  readonly bytes: number | null
}

/** Something that clients can do, with what it takes. */
export interface OperationRecord {
  readonly id: string
  readonly family: string
  /** The chapter of the specification. */
  readonly section: string
  /** Of the family. */
  readonly title: string
  readonly summary: string
  readonly method: string
  /** `{name}` is filled in. */
  readonly path: string
  readonly needsKey: boolean
  /** The field of the form that holds the file; null: JSON. */
  readonly fileField: string | null
  /** JSON Schema of the body; null: no body, or a form. */
  readonly body: Readonly<Record<string, unknown>> | null
  /** JSON Schema of the query; null: no query. */
  readonly query: Readonly<Record<string, unknown>> | null
  /** Valid requests of an operation that makes something, the cheapest first. */
  readonly samples: readonly SampleRequest[]
}

/** A valid request; `{origin}` in it stands for the address of the emulator. */
export interface SampleRequest {
  /** `cheapest` is the one that costs least. */
  readonly name: string
  readonly says: string
  /** Null: a form, or no body. */
  readonly body: unknown
  /** The fields of a form; that of the file has the name of a sample medium. null: no form. */
  readonly form: Readonly<Record<string, string>> | null
}

/** What a call would be answered and what it would make, had it been sent now. */
export interface DryRun {
  /** The time of the call; later than now where the call would move the clock. */
  readonly at: string
  /** Null: no operation has such a route. */
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly status: number
  /** Null: the file of a result. */
  readonly answer: unknown
  readonly refusedBy: readonly RefusalRecord[]
  /** Fields that the interface does not know. */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** In sentences. */
  readonly explanation: readonly string[]
  /** The scenario steps that would act, or could; null: no step is for it. */
  readonly scenario: PlayedRecord | null
  /** The task that would be made, with its params, timeline and price. */
  readonly task: TaskRecord | null
  /** The asset that would be made. */
  readonly asset: {
    readonly id: string
    readonly jobId: string
  } | null
}

/** A value of the profile in force, and where it comes from. */
export interface ProfileItem {
  /** Its path: `models.videoa-2-5-270101.seconds`. */
  readonly key: string
  /** A secret is shown as `(set)`. */
  readonly value: unknown
  /** The file, or `profile` for a document that was given in code. */
  readonly source: string
  /** Null: the source has no lines. */
  readonly line: number | null
  readonly column: number | null
}

/** A scenario that comes with the package. */
export interface ReadyMadeScenario {
  readonly name: string
  readonly description: string
  /** What a robust client does about it. */
  readonly advice: string
  /** The part of an integration that it tests; null: it does not say. */
  readonly about: 'create' | 'poll' | 'callback' | 'result' | 'money' | null
  readonly steps: number
  /** Its file, YAML. */
  readonly text: string
}

/** Something wrong at a place of a scenario file. */
export interface ScenarioProblem {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** A sentence without a full stop. */
  readonly message: string
}

/** A scenario that plays for an account. */
export interface PlayingScenario {
  readonly name: string
  readonly says: string
  /** When it began. */
  readonly since: string
  readonly steps: readonly ScenarioStepRecord[]
}

/** The status of a step of a scenario. */
export interface ScenarioStepRecord {
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** Matching calls so far. */
  readonly seen: number
  /** Calls on which it acted. */
  readonly acted: number
  /** Maximum number of times that it acts; null: no limit. */
  readonly times: number | null
  readonly required: boolean
  /** Why it did not act on the latest call of its operations; null: it acted, or there was none. */
  readonly lastMiss: string | null
}

/** A number is the maximum; null is no limit. */
export interface AccountLimits {
  /** Creates and uploads accepted in any 60 seconds of the account clock. */
  readonly requestsPerMinute: number | null
  /** Tasks that have not ended. */
  readonly tasksInFlight: number | null
  /** Images of families A and A2, in all. */
  readonly imageQuota: number | null
}

/** Balance, agreement, limits and counts of an account. */
export interface AccountRecord {
  /** Account id: hash of the API key, shown in its place. */
  readonly tag: string
  /** Deposits minus `spent`, in the currency of the setting `prices`. */
  readonly balance: number
  /** Prices of the tasks that have succeeded. */
  readonly spent: number
  readonly agreementAccepted: boolean
  readonly limits: AccountLimits
  /** Creates and uploads accepted so far. */
  readonly ordinal: number
  readonly tasks: number
  readonly tasksInFlight: number
  /** Images of families A and A2 so far. */
  readonly imagesMade: number
  readonly now: string
}

/** Accounts as they were at one time; they are in the memory of the emulator under this id. */
export interface Snapshot {
  readonly id: string
  /** Undefined: it was given none. */
  readonly name?: string
  readonly accounts: number
  /** Number of tasks of all these accounts. */
  readonly tasks: number
}

/** One thing that happened on an account. */
export interface TimelineItem {
  readonly at: string
  /** Hash of the API key, shown in its place. */
  readonly account: string
  readonly kind: 'request' | 'task' | 'asset' | 'callback'
  /** Of the request, the task, the asset or the callback; empty: a call without an answer yet. */
  readonly id: string
  /** In one line. */
  readonly says: string
}

/** The loose ends of a test. */
export interface LooseEnds {
  /** Calls that no operation has a route for, oldest first, each with the route that was probably meant, or with all of them where none is near. */
  readonly unexpectedCalls: readonly (RequestRecord & {
    readonly explanation: readonly string[]
  })[]
  /** Callbacks that their receiver has not accepted, of tasks whose callbacks no scenario changed, oldest first. */
  readonly undeliveredCallbacks: readonly CallbackRecord[]
  /** Required steps of scenarios that have not acted. */
  readonly unusedSteps: readonly (ScenarioStepRecord & {
    readonly scenario: string
  })[]
  /** Tasks that have not ended, oldest first. */
  readonly abandonedTasks: readonly TaskRecord[]
  /** Calls and callbacks that were evicted, so that loose ends among them are not known; absent where there are none. */
  readonly evicted?: {
    readonly calls: number
    readonly callbacks: number
  }
}

/** Something that a robust client does not do. */
export interface Finding {
  readonly kind:
    | 'ordered-twice'
    | 'kept-damaged-file'
    | 'kept-other-file'
    | 'believed-callback'
    | 'abandoned-task'
    | 'never-fetched'
    | 'callback-not-answered'
    | 'did-not-wait'
    | 'hammered'
    | 'polled-on'
    | 'fetched-twice'
    | 'ignored-fields'
  /** What was seen. */
  readonly message: string
  /** Request ids of the calls that it is about, or the ids of callbacks, oldest first. */
  readonly calls: readonly string[]
  /** What a robust client would have done. */
  readonly advice: string
  /** The section of the documentation that explains it. */
  readonly docs: string
}

/** The loose ends at the end of a test, with the timeline. */
export interface Finished {
  /** Calls that no operation has a route for, oldest first, each with the route that was probably meant, or with all of them where none is near. */
  readonly unexpectedCalls: readonly (RequestRecord & {
    readonly explanation: readonly string[]
  })[]
  /** Callbacks that their receiver has not accepted, of tasks whose callbacks no scenario changed, oldest first. */
  readonly undeliveredCallbacks: readonly CallbackRecord[]
  /** Required steps of scenarios that have not acted. */
  readonly unusedSteps: readonly (ScenarioStepRecord & {
    readonly scenario: string
  })[]
  /** Tasks that have not ended, oldest first. */
  readonly abandonedTasks: readonly TaskRecord[]
  /** Calls and callbacks that were evicted, so that loose ends among them are not known; absent where there are none. */
  readonly evicted?: {
    readonly calls: number
    readonly callbacks: number
  }
  /** Findings about the client, the gravest first. */
  readonly verdict: readonly Finding[]
  /** All events, where there are loose ends or findings; empty where there are none. */
  readonly timeline: readonly TimelineItem[]
}

/** What to change of a clock. What is undefined stays as it is. */
export interface ClockChange {
  readonly mode?: 'live' | 'paused' | 'on-poll' | undefined
  /** How many times faster than real time a live clock runs; at most 1000000. */
  readonly speed?: number | undefined
  /** The time at which the clock begins; 409 `clock-has-run` on an account that has been called. */
  readonly now?: string | undefined
}

/** Which tasks; undefined matches everything. */
export interface TaskFilter {
  /** The status that it has now. */
  readonly status?: TaskStatus | undefined
  /** `b-video-task`, `f-video-v2` and so on. */
  readonly family?: TaskFamilyName | undefined
}

/** Which calls; undefined matches everything. */
export interface RequestFilter {
  /** `b-video-task.create`, or all of a family: `b-video-task.*`. */
  readonly operation?: OperationPattern | undefined
  /** 100 to 599. */
  readonly status?: number | undefined
  /** A part of the path. */
  readonly path?: string | undefined
  /** A rule, or the beginning of one; `any` for every call that was refused. */
  readonly problem?: RulePattern | 'any' | undefined
}

/** Which callbacks; undefined matches everything. */
export interface CallbackFilter {
  /** The task that it reports. */
  readonly taskId?: string | undefined
  /** `challenge`: the verification of the receiver. */
  readonly kind?: 'challenge' | 'delivery' | undefined
  /** The status that it reports. */
  readonly status?: TaskStatus | undefined
  /** What became of it. */
  readonly state?: 'waiting' | 'delivered' | 'failed' | 'skipped' | undefined
}

/** What to change of an account. What is undefined stays as it is. */
export interface AccountChange {
  /** How many calls it has made, from which request ids are counted; for a replay; at least 0. */
  readonly requests?: number | undefined
  /** In the currency of the setting `prices`. */
  readonly balance?: number | undefined
  readonly agreementAccepted?: boolean | undefined
  /** Those that are undefined stay as they are. */
  readonly limits?:
    | {
        /** Creates and uploads accepted in any 60 seconds of the account clock. */
        readonly requestsPerMinute?: number | null | undefined
        /** Tasks that have not ended. */
        readonly tasksInFlight?: number | null | undefined
        /** Images of families A and A2, in all. */
        readonly imageQuota?: number | null | undefined
      }
    | undefined
}
