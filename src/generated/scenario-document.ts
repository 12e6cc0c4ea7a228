// Written by `npm run generate` from src/emulator/core/scenario/schema.ts. Change that.
import type { ErrorName, FamilyName, ModelName, OperationPattern } from './names.js'

/** `250ms`, `10s`, `5m`, `24h`, `14d`, or several joined: `1h30m`. */
export type DurationText = string

/**
 * A scenario as a file holds it: what goes wrong, and when. docs/scenarios.md says more. It has a `description`, or the
 * same under the old word `says`.
 */
export type ScenarioDocument = ScenarioFields & ({ description: string } | { says: string })

/** The fields of a scenario. */
export interface ScenarioFields {
  /** For editors; ignored. */
  $schema?: string | undefined
  /** Words of a-z and 0-9 joined by hyphens. */
  name: string
  /** What it does to a client, in a sentence. */
  description?: string | undefined
  /** The old word for description. */
  says?: string | undefined
  /** What a robust client does about it. */
  advice?: string | undefined
  /** The old word for advice. */
  client?: string | undefined
  /** What of an integration it tries: the create, the poll, the callback, the result, or the money. */
  about?: 'create' | 'poll' | 'callback' | 'result' | 'money' | undefined
  /** Whether a client can still get what it ordered, within one run of its tests; a list: in these families alone. */
  survivable?: boolean | readonly string[] | undefined
  /** The first one that fits a call acts on it; at least 1 item. */
  steps: readonly ScenarioStep[]
}

/** A step of a scenario: when it acts, and what it does. */
export interface ScenarioStep {
  /** Label of the step, shown in explanations. */
  description?: string | undefined
  /** The old word for description. */
  says?: string | undefined
  /** When it acts; default: on every call. */
  when?: ScenarioSelector | undefined
  /** What it does; parts may stand together where they make sense for the call. */
  then: ScenarioEffects
  /** Acts at most so often; default: without end; at least 1. */
  times?: number | undefined
  /** Not having acted at the end of a test is a failure; default: false. */
  required?: boolean | undefined
}

/** When a step acts. Every part that is named has to hold. */
export interface ScenarioSelector {
  /** b-video-task.create, b-video-task.*, results.download … */
  operation?: OperationPattern | readonly OperationPattern[] | undefined
  family?: FamilyName | readonly FamilyName[] | undefined
  model?: ModelName | readonly ModelName[] | undefined
  /** An API key. */
  account?: string | readonly string[] | undefined
  prompt?:
    | {
        contains: string
      }
    | {
        /** A regular expression. */
        matches: string
      }
    | undefined
  /** GET, HEAD, POST or DELETE; PUT and PATCH of routes of a profile. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  /** A header that the call has, by its name. */
  header?: string | undefined
  /** The status, at the time of the call, of the task that it is about. */
  status?:
    | 'pending'
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | readonly ('pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired')[]
    | undefined
  /** A call about the nth task of its family, in the order of their creates. */
  task?: number | readonly number[] | undefined
  /** A message to the receiver instead of a call. */
  callback?:
    | 'challenge'
    | 'delivery'
    | {
        status:
          | 'pending'
          | 'queued'
          | 'running'
          | 'succeeded'
          | 'failed'
          | 'cancelled'
          | 'expired'
          | readonly ('pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired')[]
      }
    | undefined
  /** The nth such call; several may be named. */
  nth?: number | readonly number[] | undefined
  /** The first n; at least 1. */
  first?: number | undefined
  /** Every nth; at least 1. */
  every?: number | undefined
  /** All after the first n; at least 0. */
  after?: number | undefined
  /** From this time after the scenario began. */
  from?: DurationText | undefined
  /** Until this time after the scenario began. */
  until?: DurationText | undefined
  /** Before the Retry-After has passed that a step answered to a call of the same operation. */
  beforeRetryAfter?: true | undefined
  /** Nth, first, every and after count the calls about each task, not those of the account. */
  perTask?: true | undefined
  /** Drawn from the seed, the same on every run; 0 to 1. */
  probability?: number | undefined
}

/** What a step does. Parts may stand together where they make sense for the call. */
export interface ScenarioEffects {
  answer?: ScenarioAnswer | undefined
  transport?: ScenarioTransport | undefined
  task?: ScenarioTask | undefined
  asset?: ScenarioAsset | undefined
  result?: ScenarioResult | undefined
  callback?: ScenarioCallback | undefined
  /** Changed before the call is decided. */
  account?:
    | {
        /** The new balance. */
        balance?: number | undefined
        /** Whether the agreement is accepted. */
        agreementAccepted?: boolean | undefined
        /** Of requests, tasks and images; null is no limit. */
        limits?:
          | {
              /** Creates and uploads accepted in any 60 seconds of the account clock. */
              requestsPerMinute?: number | null | undefined
              /** Tasks that have not ended. */
              tasksInFlight?: number | null | undefined
              /** Images of families A and A2, in all. */
              imageQuota?: number | null | undefined
            }
          | undefined
      }
    | undefined
  /** Moved before the call is decided. */
  clock?:
    | {
        /** How far it moves. */
        jump?: DurationText | undefined
      }
    | undefined
}

/** An error of the family by its name, or whatever a proxy in between might say. */
export interface ScenarioAnswer {
  /** The name of an error of the family. */
  error?: ErrorName | undefined
  /** HTTP status of the answer; 200 to 599. */
  status?: number | undefined
  /** Written as JSON. */
  body?: unknown
  /** Written as it stands. */
  text?: string | undefined
  /** Seconds, as the header Retry-After; at least 0. */
  retryAfter?: number | undefined
  /** The header Content-Type. */
  contentType?: string | undefined
  /** Headers of the answer, in place of those that it has. */
  headers?: Record<string, string> | undefined
  /** Only so many bytes of the body are sent, as if they were all; at least 0. */
  cutAt?: number | undefined
  /** The call does its work all the same; only the answer is another. */
  stillHappens?: true | undefined
  /** Paths of fields and items that the body does not have: usage, data[1].url, items[].url; at least 1 item. */
  without?: readonly string[] | undefined
  /** Fields that stand elsewhere: { id: data.id }. */
  move?: Record<string, string> | undefined
  /** The field under which the whole body stands. */
  wrap?: string | undefined
  /** Fields with another value, by their paths in the body as it goes out: { code: 0 }. */
  set?: Record<string, unknown> | undefined
  /** Values of another type, by their paths in the body as it goes out: { usage.total: decimal }. */
  retype?: Record<string, 'text' | 'number' | 'decimal' | 'list'> | undefined
}

/** How the answer goes over its connection. */
export interface ScenarioTransport {
  /** Before the first byte: fixed, drawn evenly from a range, or from a log-normal. */
  delay?:
    | DurationText
    | {
        /** A duration of at most 36500d. */
        from: DurationText
        /** A duration of at most 36500d. */
        to: DurationText
      }
    | {
        /** A duration of at most 36500d. */
        median: DurationText
        spread: number
      }
    | undefined
  /** Never answers. */
  hang?: true | undefined
  /** The connection is reset instead of an answer; what the call did stays done. */
  reset?: true | undefined
  /** The connection ends in the middle of the body; at least 0. */
  closeAfterBytes?: number | undefined
  /** The body comes at this pace; at least 1. */
  bytesPerSecond?: number | undefined
}

/** Another timeline of the new task. */
export interface ScenarioTask {
  /** How long it waits. */
  queuedFor?: DurationText | 'ever' | undefined
  /** How long it runs. */
  runningFor?: DurationText | 'ever' | undefined
  /** With an error of the family by its name, so long after the create. Default of after: at its end. */
  fails?:
    | {
        error: ErrorName
        /** A duration of at most 36500d. */
        after?: DurationText | undefined
      }
    | undefined
  /** So long after the create. */
  expires?:
    | {
        /** A duration of at most 36500d. */
        after: DurationText
      }
    | undefined
  /** When it is created. */
  finishes?: 'at once' | undefined
  /** Succeeds, and no result URL is given. */
  withoutUrl?: true | undefined
  /** What is said instead of running. */
  statusWord?: string | undefined
  /** Progress falls again half-way through running. */
  progressJumpsBack?: true | undefined
  /** Progress is a number from 0 to 1. */
  progressAsFraction?: true | undefined
  /** It is queued again for the middle third of its running. */
  statusGoesBack?: true | undefined
  /** What is said instead of each status. */
  statusWords?:
    | {
        pending?: string | undefined
        queued?: string | undefined
        running?: string | undefined
        succeeded?: string | undefined
        failed?: string | undefined
        cancelled?: string | undefined
        expired?: string | undefined
      }
    | undefined
  /** From its end on, queries and lists do not know it. */
  vanishes?: true | undefined
}

/** Another timeline of the new asset. */
export interface ScenarioAsset {
  /** How long it is processed. */
  readyAfter?: DurationText | 'never' | undefined
  /** With this code and this message. */
  fails?:
    | {
        code: string
        message: string
      }
    | undefined
}

/** The file of a result, and what is said of it. */
export interface ScenarioResult {
  /** 403, as if its time were over. */
  expired?: true | undefined
  /** 404. */
  missing?: true | undefined
  /** The header Content-Type. */
  contentType?: string | undefined
  /** Only so many bytes, as if they were all; at least 0. */
  cutAt?: number | undefined
  /** An eighth of the bytes, in the middle, are others. */
  corrupt?: true | undefined
  /** Content-Length says so many bytes more, or fewer. */
  lengthOffBy?: number | undefined
  /** A file of another format, under the Content-Type of the result. */
  bytesOf?: 'gif' | 'html' | undefined
  /** The whole file, whatever Range asks for. */
  whole?: true | undefined
  /** The file of the latest other task with such a result, or that of the first one, so that tasks share a file. */
  of?: 'another-task' | 'first-task' | undefined
  /** A video of another length; 1 to 60. */
  seconds?: number | undefined
  /** Another width and height: 640x360. */
  size?: string | undefined
  /** A video of another frame rate; 1 to 120. */
  framesPerSecond?: number | undefined
  /** A video without its sound. */
  sound?: false | undefined
  /** A video that players turn by so many degrees, by a flag in the file. */
  rotation?: 90 | 180 | 270 | undefined
  /** A picture of another format, with its Content-Type. */
  format?: 'jpeg' | 'webp' | undefined
}

/** A message to a receiver. */
export interface ScenarioCallback {
  /** What the verification request carries. */
  challenge?: 'wrong' | 'missing' | undefined
  /** Sent so long after it is due. */
  late?: DurationText | undefined
  /** How many are sent in all under one delivery id, each once the one before was accepted; 2 to 10. */
  copies?: number | undefined
  /** Overtaken by the next one of the task. */
  afterNext?: true | undefined
  /** Not sent at all. */
  never?: true | undefined
  /** Also when the task was deleted meanwhile. */
  evenIfDeleted?: true | undefined
  /** Only the first half of the body is sent. */
  brokenBody?: true | undefined
  /** Sent before the create has answered. */
  beforeAnswer?: true | undefined
  /** The copies are sent at the same time, with the first attempt, not one after the other. */
  atOnce?: true | undefined
  /** The status that the body says; a query says another. */
  status?: string | undefined
  /** Held back until the next full interval of the clock, such as 10m, and sent with all others then. */
  inBatches?: DurationText | undefined
  /** Fields that stand elsewhere: { id: data.id }. */
  move?: Record<string, string> | undefined
  /** The field under which the whole body stands. */
  wrap?: string | undefined
  /** Fields with another value, by their paths in the body as it goes out: { code: 0 }. */
  set?: Record<string, unknown> | undefined
  /** Values of another type, by their paths in the body as it goes out: { usage.total: decimal }. */
  retype?: Record<string, 'text' | 'number' | 'decimal' | 'list'> | undefined
}
