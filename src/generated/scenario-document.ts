import type { AccountLimits, TaskStatus } from './control-api.js'

/** `250ms`, `10s`, `5m`, `24h`, `14d`, or several joined: `1h30m`. */
export type DurationText = string

type OneOrMore<T> = T | T[]

/**
 * A scenario as a file holds it: what goes wrong, and when. Written by hand, so that the published types need no other
 * package, and held against the schema in published.ts. docs/scenarios.md says what everything does.
 */
export interface ScenarioDocument {
  /** For editors; not looked at. */
  $schema?: string | undefined
  /** Words of a-z and 0-9 joined by hyphens. */
  name: string
  /** What it does to a client, in a sentence. */
  description?: string | undefined
  /** The old word for `description`. */
  says?: string | undefined
  /** What a robust client does about it. */
  advice?: string | undefined
  /** The old word for `advice`. */
  client?: string | undefined
  /** The first one that fits a call acts on it. */
  steps: ScenarioStep[]
}

export interface ScenarioStep {
  /** What this step is, for those who read an explanation. */
  description?: string | undefined
  /** The old word for `description`. */
  says?: string | undefined
  /** Left out: every call. */
  when?: ScenarioSelector | undefined
  then: ScenarioEffects
  /** Acts at most so often; left out: without end. */
  times?: number | undefined
  /** Not having acted at the end of a test is a failure. */
  required?: boolean | undefined
}

/** When a step acts. Every part that is named has to hold. */
export interface ScenarioSelector {
  /** `b-video-task.create`, `b-video-task.*`, `results.download`. */
  operation?: OneOrMore<string> | undefined
  family?: OneOrMore<string> | undefined
  model?: OneOrMore<string> | undefined
  /** An API key. */
  account?: OneOrMore<string> | undefined
  /** `matches` is a regular expression. */
  prompt?: { contains: string } | { matches: string } | undefined
  /** A message to the receiver instead of a call. */
  callback?: 'challenge' | 'delivery' | { status: OneOrMore<TaskStatus> } | undefined
  /** The nth such call; several may be named. */
  nth?: OneOrMore<number> | undefined
  /** The first n. */
  first?: number | undefined
  /** Every nth. */
  every?: number | undefined
  /** All after the first n. */
  after?: number | undefined
  /** From this time after the scenario began. */
  from?: DurationText | undefined
  /** Until this time after the scenario began. */
  until?: DurationText | undefined
  /** 0 to 1; drawn from the seed, the same on every run. */
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
        balance?: number | undefined
        agreementAccepted?: boolean | undefined
        limits?: { [Name in keyof AccountLimits]?: AccountLimits[Name] | undefined } | undefined
      }
    | undefined
  /** Moved before the call is decided. */
  clock?: { jump: DurationText } | undefined
}

/** An error of the family by its name, or whatever a proxy in between might say. */
export interface ScenarioAnswer {
  /** The name of an error of the family. */
  error?: string | undefined
  /** Seconds, as the header Retry-After. */
  retryAfter?: number | undefined
  /** 200 to 599. */
  status?: number | undefined
  headers?: Record<string, string> | undefined
  contentType?: string | undefined
  /** Written as JSON. */
  body?: unknown
  /** Written as it stands. */
  text?: string | undefined
  /** Only so many bytes of the body are sent, as if they were all. */
  cutAt?: number | undefined
  /** The call does its work all the same; only the answer is another. */
  stillHappens?: true | undefined
}

export interface ScenarioTransport {
  /** Before the first byte: fixed, drawn evenly from a range, or from a log-normal. */
  delay?:
    | DurationText
    | { from: DurationText; to: DurationText }
    | { median: DurationText; spread: number }
    | undefined
  /** Never answers. */
  hang?: true | undefined
  /** The connection is reset instead of an answer; what the call did stays done. */
  reset?: true | undefined
  /** The connection ends in the middle of the body. */
  closeAfterBytes?: number | undefined
  /** The body comes at this pace. */
  bytesPerSecond?: number | undefined
}

/** Another life of a new task. */
export interface ScenarioTask {
  queuedFor?: DurationText | 'ever' | undefined
  runningFor?: DurationText | 'ever' | undefined
  /** `error` is the name of an error of the family; left out `after`: at its end. */
  fails?: { error: string; after?: DurationText | undefined } | undefined
  expires?: { after: DurationText } | undefined
  finishes?: 'at once' | undefined
  /** Succeeds, and no result URL is given. */
  withoutUrl?: true | undefined
  /** What is said instead of running. */
  statusWord?: string | undefined
  /** Progress falls again half-way through running. */
  progressJumpsBack?: true | undefined
}

export interface ScenarioAsset {
  readyAfter?: DurationText | 'never' | undefined
  fails?: { code: string; message: string } | undefined
}

export interface ScenarioResult {
  /** 403, as if its time were over. */
  expired?: true | undefined
  /** 404. */
  missing?: true | undefined
  /** Content-Length says so many bytes more, or fewer. */
  lengthOffBy?: number | undefined
  /** Only so many bytes, as if they were all. */
  cutAt?: number | undefined
  /** Bytes in the middle are others. */
  corrupt?: true | undefined
  contentType?: string | undefined
}

export interface ScenarioCallback {
  /** What the verification request carries. */
  challenge?: 'wrong' | 'missing' | undefined
  late?: DurationText | undefined
  /** Sent so often, under one delivery id; 2 to 10. */
  copies?: number | undefined
  /** Overtaken by the next one of the task. */
  afterNext?: true | undefined
  never?: true | undefined
  /** Also when the task was deleted meanwhile. */
  evenIfDeleted?: true | undefined
  brokenBody?: true | undefined
  /** Sent before the create has answered. */
  beforeAnswer?: true | undefined
}
