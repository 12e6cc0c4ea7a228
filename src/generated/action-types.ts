// Written by `npm run generate` from src/emulator/control/actions. Change those.
import type {
  AccountLimits,
  AccountRecord,
  Advanced,
  CallbackRecord,
  ClockReading,
  DryRun,
  ExplainedRequest,
  Finding,
  Finished,
  InboxMessage,
  InFlightRecord,
  LooseEnds,
  OperationRecord,
  PlayingScenario,
  ProfileItem,
  ReadyMadeScenario,
  RequestRecord,
  ResultRecord,
  ScenarioProblem,
  Snapshot,
  TaskRecord,
  TaskStatus,
  TimelineItem,
} from './control-api.js'
import type { ErrorName, OperationName, OperationPattern, RulePattern, TaskFamilyName } from './names.js'
import type { ScenarioDocument } from './scenario-document.js'

/** The input and the output of every control action. */
export interface ActionTypes {
  /** Whether the emulator answers; with `full`, every limit with its usage, the clock, callbacks, renders and faults. */
  'health.read': {
    readonly input: {
      /** `true`, `1` or the bare word: all of the answer. */
      readonly full?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: {
      readonly status: 'ok'
      readonly version: string
      readonly uptime_ms: number
      /** A random id, which tells this emulator from another one on the same port. */
      readonly instance: string
      /** The process that it runs in. */
      readonly pid: number
      /** With `--processes`: the first process, which started this one. */
      readonly primaryPid?: number
      /** Not there while the shared store is away. */
      readonly clock?: {
        readonly mode: 'live' | 'paused' | 'on-poll'
        readonly speed: number
        readonly now: string
      }
      readonly bounds?: readonly {
        readonly name: string
        /** What is counted. */
        readonly of: string
        readonly settings: readonly string[]
        readonly most: number
        /** `account`: the size is that of the account with most. */
        readonly per: 'account' | 'emulator' | 'call'
        readonly size: number | null
        /** The largest size so far. */
        readonly peak: number | null
        /** The number of times that the bound was met. */
        readonly hits: number
        /** The number of refusals for it. */
        readonly refused: number
        readonly kind: 'forgets' | 'waits' | 'refuses'
        /** What happens then. */
        readonly atBound: string
      }[]
      /** Since the start, by outcome. */
      readonly callbacks?: Readonly<Record<string, number>>
      readonly renders?: Readonly<Record<string, number>>
      readonly troubles?: readonly {
        readonly need: string
        readonly says: string
        readonly hint: string
      }[]
      /** Unexpected errors in the emulator itself. */
      readonly errors?: number
      readonly memoryBytes?: number
      readonly logFile?: string | null
      readonly stateFile?: string | null
    }
  }
  /** Whether pictures and videos can be made where the emulator runs, by making one of each. */
  'doctor.read': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly {
        readonly what: string
        readonly isFine: boolean
        /** What was found, or why it does not work. */
        readonly detail: string
        /** What to do. */
        readonly hint?: string
      }[]
    }
  }
  /** The metrics of the emulator, in the text format of Prometheus. */
  'metrics.read': {
    readonly input: Readonly<Record<string, never>>
    readonly output: string
  }
  /** The OpenAPI 3.1 document of the service and of this API, or of one of them. */
  'openapi.read': {
    readonly input: {
      readonly part?: 'service' | 'control' | undefined
    }
    readonly output: {
      readonly openapi: string
    }
  }
  /** The points that the specification leaves open, each with the answer of the emulator, how sure it is, and what changes it. */
  'gaps.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly {
        /** `X1`, `A3`. */
        readonly id: string
        readonly place: string
        /** How sure the answer is. */
        readonly grade: 'assumed' | 'seen' | 'spec'
        readonly answer: string
        /** The settings that change it with their values; null: not set. */
        readonly settings: Readonly<Record<string, unknown>>
        /** The keys of a profile that change it. */
        readonly profile: readonly string[]
        /** Why nothing changes it; null: something does. */
        readonly unchangeable: string | null
        /** What `backlot verify` has seen of it; null: nothing, or not with this profile and these settings. */
        readonly verified: {
          /** Whether the real service answers as the emulator does. */
          readonly verdict: 'same' | 'differs'
          /** The day on which it was asked: `2026-11-28`. */
          readonly on: string
          /** The calls, in words. */
          readonly asked: readonly string[]
        } | null
      }[]
    }
  }
  /** Every rule of every family. */
  'rules.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly {
        readonly id: string
        readonly family: string
        readonly sentence: string
        /** Where the documentation says it, as pages and headings of `docs`. */
        readonly place: string
      }[]
    }
  }
  /** The sample media, which `GET /_backlot/fixtures/{name}` serves under any host. */
  'fixtures.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly {
        readonly name: string
        readonly kind: 'image' | 'video' | 'audio' | 'unreadable'
        readonly facts: Readonly<Record<string, unknown>>
        readonly note: string
        /** The limit that it breaks; absent where it breaks none. */
        readonly breaks?: string
      }[]
    }
  }
  /** The account's clock. */
  'clock.read': {
    readonly input: Readonly<Record<string, never>>
    readonly output: ClockReading
  }
  /** Change the mode or the speed of the clock, or say where it begins on an account that has not been called yet. */
  'clock.change': {
    readonly input: {
      readonly mode?: 'live' | 'paused' | 'on-poll' | undefined
      /** How many times faster than real time a live clock runs; at most 1000000. */
      readonly speed?: number | undefined
      /** The time at which the clock begins; 409 `clock-has-run` on an account that has been called. */
      readonly now?: string | undefined
    }
    readonly output: ClockReading
  }
  /** Move the clock by a duration, to the next moment, until nothing is left to happen, to the end of the next result URL, or to a time; answers when everything due has happened, callbacks included. */
  'clock.advance': {
    readonly input: {
      /** A duration such as `10m`, or milliseconds. */
      readonly by?: string | number | undefined
      /** `next`, `idle`, `next-expiry` (the end of the next result URL) or an ISO time, in UTC where it has no offset. */
      readonly to?: string | undefined
      /** How many events `happened` lists at most, and URLs `ended`; `totals` and `total` count them all; at least 0; default: 1000. */
      readonly limit?: number | undefined
    }
    readonly output: Advanced
  }
  /** The calls of the account as a recording, a JSON object a line, which `backlot replay` runs again; with `all`, of every account. */
  'recording.read': {
    readonly input: {
      readonly format: 'replay'
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: string
  }
  /** The calls of the account, newest first, and those that have no answer yet; with `all`, of every account. */
  'requests.list': {
    readonly input: {
      /** `b-video-task.create`, or all of a family: `b-video-task.*`. */
      readonly operation?: OperationPattern | undefined
      /** 100 to 599. */
      readonly status?: number | undefined
      /** A part of the path. */
      readonly path?: string | undefined
      /** A rule, or the beginning of one; `any` for every call that was refused. */
      readonly problem?: RulePattern | 'any' | undefined
      /** Maximum number of items; at least 1; default: 100. */
      readonly limit?: number | undefined
      /** Number of items to skip; at least 0; default: 0. */
      readonly offset?: number | undefined
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
      /** `true`, `1` or the bare word: without the headers of a call, which reading one item has. */
      readonly brief?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: {
      readonly items: readonly RequestRecord[]
      /** Number of items on all pages. */
      readonly total: number
      /** Number of evicted items. */
      readonly evicted: number
      /** Calls that the journal does not have yet, whatever the filter, oldest first. */
      readonly inFlight: readonly InFlightRecord[]
      /** When the account was put back (a snapshot, an import or a state file), on its clock: its journal begins there; null: it was not, or `all`. */
      readonly restoredAt: string | null
    }
  }
  /** One call, the explanation of its answer, and its later effects; with `all`, of any account. */
  'requests.read': {
    readonly input: {
      readonly id: string
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: ExplainedRequest
  }
  /** Tasks of every family in one format, newest first. The pictures of A and A2 are among them, as tasks that have succeeded at once: `family` lists those of one interface. */
  'tasks.list': {
    readonly input: {
      /** The status that it has now. */
      readonly status?: TaskStatus | undefined
      /** `b-video-task`, `f-video-v2` and so on. */
      readonly family?: TaskFamilyName | undefined
      /** Maximum number of items; at least 1; default: 100. */
      readonly limit?: number | undefined
      /** Number of items to skip; at least 0; default: 0. */
      readonly offset?: number | undefined
      /** `true`, `1` or the bare word: without the order of a task, but for its prompt, which reading one item has. */
      readonly brief?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: {
      readonly items: readonly TaskRecord[]
      /** Number of items on all pages. */
      readonly total: number
    }
  }
  /** One task with its whole timeline. */
  'tasks.read': {
    readonly input: {
      readonly id: string
    }
    readonly output: TaskRecord
  }
  /** Force what has not happened yet, to a status that the family has and the task has not passed (gap Z13). `pending` (E), `queued` and `running` hold it there until its deadline. */
  'tasks.force': {
    readonly input: {
      readonly id: string
      readonly status: TaskStatus
      /** For `failed`: the name of an error of the family; default: the family's internal error. */
      readonly error?: ErrorName | undefined
    }
    readonly output: TaskRecord
  }
  /** Challenges and deliveries with every attempt, newest first. */
  'callbacks.list': {
    readonly input: {
      /** The task that it reports. */
      readonly taskId?: string | undefined
      /** `challenge`: the verification of the receiver. */
      readonly kind?: 'challenge' | 'delivery' | undefined
      /** The status that it reports. */
      readonly status?: TaskStatus | undefined
      /** What became of it. */
      readonly state?: 'waiting' | 'delivered' | 'failed' | 'skipped' | undefined
      /** Maximum number of items; at least 1; default: 100. */
      readonly limit?: number | undefined
      /** Number of items to skip; at least 0; default: 0. */
      readonly offset?: number | undefined
      /** `true`, `1` or the bare word: without the body of a message and the texts of its answers, which reading one item has. */
      readonly brief?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: {
      readonly items: readonly CallbackRecord[]
      /** Number of items on all pages. */
      readonly total: number
      /** Number of evicted items. */
      readonly evicted: number
    }
  }
  /** One challenge or delivery with its attempts. */
  'callbacks.read': {
    readonly input: {
      readonly id: string
    }
    readonly output: CallbackRecord
  }
  /** Send a callback again, now and once; answers when the attempt has ended. */
  'callbacks.redeliver': {
    readonly input: {
      readonly id: string
    }
    readonly output: CallbackRecord
  }
  /** The boxes of the built-in receiver that have messages of the account. */
  'inbox.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly {
        readonly name: string
        readonly messages: number
      }[]
    }
  }
  /** The messages in a box of the built-in receiver, oldest first. */
  'inbox.read': {
    readonly input: {
      readonly name: string
    }
    readonly output: {
      readonly name: string
      readonly items: readonly InboxMessage[]
      /** Number of messages evicted from all boxes of the account. */
      readonly evicted: number
    }
  }
  /** Pictures and videos of the tasks that have succeeded, those of the task that was created last first, with their facts and how long their URLs last. */
  'results.list': {
    readonly input: {
      /** Maximum number of items; at least 1; default: 100. */
      readonly limit?: number | undefined
      /** Number of items to skip; at least 0; default: 0. */
      readonly offset?: number | undefined
      /** The id of a task: its results alone. */
      readonly task?: string | undefined
      /** `b-video-task`, `f-video-v2` and so on. */
      readonly family?: TaskFamilyName | undefined
      /** What they are. */
      readonly kind?: 'picture' | 'video' | 'last-frame' | undefined
      /** Whether their URLs still last, by the clock of the account. */
      readonly state?: 'lasting' | 'ended' | undefined
      /** A text in the prompt, the model or the id of the task. */
      readonly search?: string | undefined
    }
    readonly output: {
      readonly items: readonly ResultRecord[]
      /** Number of items on all pages. */
      readonly total: number
    }
  }
  /** Everything that clients can do, with its schema and valid requests. */
  'operations.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly OperationRecord[]
    }
  }
  /** Decide a call without applying anything: no task is made, no id used up, no step of a scenario counted, no clock moved, and the journal does not list it. */
  'dry-run': {
    readonly input: {
      /** `b-video-task.create`, in place of method and path. */
      readonly operation?: OperationName | undefined
      readonly method?: string | undefined
      /** With its query. */
      readonly path?: string | undefined
      /** Parameters of the path of the operation: `{"id": "cgt-1"}`. */
      readonly params?: Readonly<Record<string, string>> | undefined
      readonly query?: Readonly<Record<string, string>> | undefined
      /** The API key of the call; default: that of the account; empty: none. */
      readonly key?: string | undefined
      readonly headers?: Readonly<Record<string, string>> | undefined
      /** JSON. */
      readonly body?: unknown
      /** The body as text, in place of `body`: it need not be JSON. */
      readonly text?: string | undefined
      /** Of a form, for an upload. */
      readonly fields?: Readonly<Record<string, string>> | undefined
      /** The name of a sample medium, the file of a form. */
      readonly fixture?: string | undefined
      /** The file of a form, in place of `fixture`. */
      readonly file?:
        | {
            readonly name: string
            readonly base64: string
          }
        | undefined
    }
    readonly output: DryRun
  }
  /** What the profile changes of the service: each value with the line that it comes from; nothing where there is no profile. */
  'profile.read': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly ProfileItem[]
      readonly sources: readonly string[]
    }
  }
  /** The ready-made scenarios, in alphabetical order. */
  'scenarios.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly ReadyMadeScenario[]
    }
  }
  /** Everything that a scenario file may say, for editors: its JSON Schema, and the names that it may use. */
  'scenarios.words': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly schema: Readonly<Record<string, unknown>>
      readonly operations: readonly string[]
      readonly families: readonly string[]
      readonly models: readonly string[]
      /** By family. */
      readonly errors: Readonly<Record<string, readonly string[]>>
      /** The HTTP status of each error, by family. */
      readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>
    }
  }
  /** Check the text of a scenario file, YAML or JSON, as `backlot check` does; nothing is played. */
  'scenarios.check': {
    readonly input: {
      readonly text: string
    }
    readonly output: {
      /** All of them, in the order of the file; empty: it can be played. */
      readonly problems: readonly ScenarioProblem[]
      /** The document of the file, to be played; null: it is not valid. */
      readonly document: Readonly<Record<string, unknown>> | null
    }
  }
  /** The scenarios that play for the account, in the order in which they are tried, with the status of each step. */
  'scenario.read': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly PlayingScenario[]
    }
  }
  /** Play a scenario: a document, or the name of a ready-made one or of one given at the start. It is tried before those that play already; one of the same name begins anew. */
  'scenario.play': {
    readonly input:
      | ScenarioDocument
      | {
          readonly name: string
        }
    readonly output: {
      readonly items: readonly PlayingScenario[]
    }
  }
  /** Stop one scenario by its name, or all. Those given at the start come back with a reset. */
  'scenario.stop': {
    readonly input: {
      readonly name?: string | undefined
    }
    readonly output: {
      readonly items: readonly PlayingScenario[]
    }
  }
  /** Future events, as server-sent events that can be resumed: `hello` first, `batch` at most ten times a second, `reload` where something was missed; of the account, of the named accounts, or with `all` of every account. */
  'events.read': {
    readonly input: {
      /** The id of an account, `tag` in its record; may be given more than once. */
      readonly account?: string | readonly string[] | undefined
      /** The id of the latest event that was received, as the header Last-Event-ID. */
      readonly after?: string | undefined
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: string
  }
  /** Every account with its API key and its clock, in the order of their opening. */
  'accounts.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly {
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
        /** ISO time. */
        readonly now: string
        /** The API key, which selects the account as an Authorization header. */
        readonly key: string
        /** The key; only its beginning and its end where it is long. */
        readonly name: string
        /** `live` runs, `paused` is moved by hand, `on-poll` moves when a task is asked about. */
        readonly mode: 'live' | 'paused' | 'on-poll'
        /** How many times faster than real time a live clock runs. */
        readonly speed: number
        /** The time of the next moment; null: no moment is left. */
        readonly next: string | null
      }[]
    }
  }
  /** The balance, the agreement, the limits and the counts of the account. */
  'account.read': {
    readonly input: Readonly<Record<string, never>>
    readonly output: AccountRecord
  }
  /** Change the account; fields that are not given stay. A limit of null is no limit (gap Z8). `requests`, from which request ids are counted, is for replays. */
  'account.change': {
    readonly input: {
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
    readonly output: AccountRecord
  }
  /** The account begins anew: clock, tasks, journal and settings as at the start (gap Z18); with `all`, every account. */
  reset: {
    readonly input: {
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: {
      readonly reset: string
      readonly accounts: number
    }
  }
  /** Take a snapshot of the account, in memory; with `all`, of every account. */
  'snapshots.take': {
    readonly input: {
      /** What it is called, beside its id; at most 100 characters. */
      readonly name?: string | undefined
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: Snapshot
  }
  /** The snapshots of the account, oldest first. */
  'snapshots.list': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly {
        readonly id: string
        /** Undefined: it was given none. */
        readonly name?: string
        readonly accounts: number
        /** Number of tasks of all these accounts. */
        readonly tasks: number
        /** The time of the account's clock. */
        readonly at: string
        /** The time of this machine. */
        readonly takenAt: string
      }[]
    }
  }
  /** Remove a snapshot of the account, or of every account that it was taken with. */
  'snapshots.remove': {
    readonly input: {
      readonly id: string
    }
    readonly output: Snapshot
  }
  /** Restore the account from a snapshot: its advances and callbacks under way end, and its journal begins anew; with `all`, every account, and later accounts are removed. */
  'snapshots.restore': {
    readonly input: {
      readonly id: string
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: Snapshot
  }
  /** The account as a document, with its API key; with `all`, every account. */
  'state.read': {
    readonly input: {
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: {
      readonly backlot: 'state'
      readonly version: number
      readonly seed: number
      readonly accounts: readonly {
        readonly key: string
      }[]
    }
  }
  /** Put the account of a document in the place of this one: what was under way ends, and its journal begins anew; with `all`, every account of the document, and others are gone. */
  'state.write': {
    readonly input: {
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: {
      readonly accounts: number
      readonly tasks: number
      /** Assets whose files were neither sent nor there already. */
      readonly missing: readonly string[]
    }
  }
  /** All events of the account, in order, a line each; last, the calls that have no answer yet. */
  'timeline.read': {
    readonly input: Readonly<Record<string, never>>
    readonly output: {
      readonly items: readonly TimelineItem[]
    }
  }
  /** What a test should not leave behind: calls without a route, callbacks that were not accepted, required steps that have not acted. */
  'loose-ends.read': {
    readonly input: Readonly<Record<string, never>>
    readonly output: LooseEnds
  }
  /** What the client of the account did that a robust client does not do, the gravest first; with `all`, the clients of every account. */
  'verdict.read': {
    readonly input: {
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: {
      readonly items: readonly Finding[]
    }
  }
  /** The end of a test: its loose ends and the verdict on its client, with the timeline where there is something, and the account begins anew; with `all`, the calls, callbacks and tasks of every account, and every account begins anew. */
  finish: {
    readonly input: {
      /** `true`, `1` or the bare word: every account. */
      readonly all?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
      /** `false` or `0`: no verdict is made, and `verdict` is empty. */
      readonly verdict?: boolean | '0' | '1' | '' | 'true' | 'false' | undefined
    }
    readonly output: Finished
  }
  /** Answers when the event has happened, or with 408 and a list of what has happened when it has not within the timeout. `task` waits for a status, or the end. No clock is moved. */
  wait: {
    readonly input:
      | {
          readonly for: 'task'
          readonly id: string
          readonly status?: TaskStatus | undefined
          /** How long to wait, in real time; default: "5s". */
          readonly timeout?: string | undefined
        }
      | {
          /** `b-video-task.create`, or all of a family: `b-video-task.*`. */
          readonly operation?: OperationPattern | undefined
          /** 100 to 599. */
          readonly status?: number | undefined
          /** A part of the path. */
          readonly path?: string | undefined
          /** A rule, or the beginning of one; `any` for every call that was refused. */
          readonly problem?: RulePattern | 'any' | undefined
          readonly for: 'request'
          /** How many there have to be; at least 1; default: 1. */
          readonly count?: number | undefined
          /** How long to wait, in real time; default: "5s". */
          readonly timeout?: string | undefined
        }
      | {
          /** The task that it reports. */
          readonly taskId?: string | undefined
          /** `challenge`: the verification of the receiver. */
          readonly kind?: 'challenge' | 'delivery' | undefined
          /** The status that it reports. */
          readonly status?: TaskStatus | undefined
          /** What became of it. */
          readonly state?: 'waiting' | 'delivered' | 'failed' | 'skipped' | undefined
          readonly for: 'callback'
          /** How many there have to be; at least 1; default: 1. */
          readonly count?: number | undefined
          /** How long to wait, in real time; default: "5s". */
          readonly timeout?: string | undefined
        }
      | {
          readonly for: 'inbox'
          readonly name: string
          /** How many there have to be; at least 1; default: 1. */
          readonly count?: number | undefined
          /** How long to wait, in real time; default: "5s". */
          readonly timeout?: string | undefined
        }
      | {
          readonly for: 'idle'
          /** How long to wait, in real time; default: "5s". */
          readonly timeout?: string | undefined
        }
    readonly output:
      | TaskRecord
      | {
          readonly items: readonly RequestRecord[]
          /** Number of items on all pages. */
          readonly total: number
        }
      | {
          readonly items: readonly CallbackRecord[]
          /** Number of items on all pages. */
          readonly total: number
        }
      | {
          readonly items: readonly InboxMessage[]
          /** Number of items on all pages. */
          readonly total: number
        }
      | {
          readonly next: string | null
          readonly callbacks: number
        }
  }
}
