import type { Account } from './account/account.js'
import type { Asset } from './asset/asset.js'
import type { MediaFormat, Probe } from './media/facts.js'
import type { MediaRef } from './media/mention.js'
import type { MediaSpec } from './media/spec.js'
import type { Refusal, RefusedBy } from './problem.js'
import type { StatedRule } from './rule.js'
import type { ScenarioRun } from './scenario/playing.js'
import type { Settings } from './settings.js'
import type { Task } from './task/task.js'
import type { Instant } from './time/timeline.js'
import type { DecisionContext } from './world.js'

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Literal segments and `{name}` for the ones that are filled in: `/v1/videos/{task_id}`. */
  readonly path: string
}

/** A file of a multipart form. Its bytes are in the blob store, where they stay if a change keeps them. */
export interface FormFile {
  readonly field: string
  /** As it was sent, folders included. */
  readonly name: string
  readonly bytes: number
  /** SHA-256 of the bytes, in hex. */
  readonly blob: string
  /** By how the bytes begin; left out where they begin as no format that is known. */
  readonly format?: MediaFormat
  readonly probe: Probe
}

export type Body =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'json'
      readonly value: unknown
      /**
       * Media that were taken out of a large body, as bytes or as the sentence that says why they are none; what
       * stands in their place is in core/media/attached.ts. Left out where nothing was taken out.
       */
      readonly attachments?: readonly (Uint8Array | string)[]
    }
  | {
      readonly kind: 'form'
      readonly fields: Readonly<Record<string, string>>
      readonly files: readonly FormFile[]
    }
  /** `text` is what was sent; left out where it was long, or a form. */
  | { readonly kind: 'unreadable'; readonly detail: string; readonly text?: string }
  /** `detail` is a sentence without a full stop; left out where the body is JSON. */
  | { readonly kind: 'too-large'; readonly limit: number; readonly detail?: string }
  /** As many uploads are being read as the settings allow. */
  | { readonly kind: 'busy'; readonly detail: string }
  /** The emulator could not keep what was sent. */
  | { readonly kind: 'not-kept'; readonly detail: string }
  | { readonly kind: 'unsupported'; readonly contentType: string }

/** A request as data. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** What is written as JSON. */
  readonly body: unknown
  /** A result whose bytes are sent in place of the body; left out where the body is the answer. */
  readonly result?: MediaSpec
}

/** What a decision does to its account. Applied all or not at all. */
export type Change =
  /** `guest` is a scenario that plays for this task alone; left out where there is none. */
  | { readonly putTask: Task; readonly guest?: ScenarioRun }
  | { readonly dropTask: string }
  /** A new asset; its bytes are kept from now on. */
  | { readonly putAsset: Asset }
  /** A create was accepted: the ordinal moves, and the rate limit counts it. */
  | { readonly acceptCreate: Instant }
  | { readonly countImages: number }

/** What the journal keeps of how a decision came about. */
export interface DecisionMeta {
  /** Every rule that refused, in order; the first one made the answer. */
  readonly refusedBy: readonly RefusedBy[]
  /** Paths of body fields that the interface does not know (gap X11). */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** The task that was made, read or cancelled. */
  readonly task?: string
}

export interface Decision {
  readonly reply: Reply
  readonly changes: readonly Change[]
  readonly notes: DecisionMeta
}

export const noMeta: DecisionMeta = { refusedBy: [], ignored: [], warnings: [] }

/** A decision that changes nothing and has nothing to say beside its answer. */
export const asDecision = (reply: Reply): Decision => ({ reply, changes: [], notes: noMeta })

/** A call that is understood as far as it can be without looking at the world. */
export interface Prepared {
  /** The media to be had before the decision. */
  readonly mediaRefs: readonly MediaRef[]
  readonly decide: (world: DecisionContext) => Decision
}

/** What goes wrong before an operation can look at a call; every family has its own words for each. */
export type FailureKind =
  | 'unauthenticated'
  | 'unreadable'
  | 'unsupported'
  | 'too-large'
  | 'rate-limited'
  | 'internal'

/** What an operation takes that is sent as a multipart form instead of JSON. */
export interface FormShape {
  /** The field that holds the file; there is one. */
  readonly fileField: string
  /** The largest file of any kind, in bytes, and the setting that says so. */
  readonly maxBytes: (settings: Settings) => { readonly bytes: number; readonly setting: string }
}

/** One thing that clients can do: a method and a path, and a pure decision. The server knows nothing else. */
export interface Operation {
  /** The family's folder and the verb: `b-video-task.create`. */
  readonly id: string
  readonly family: string
  /** The chapter of the specification: `B`. */
  readonly section: string
  readonly route: Route
  readonly needsKey: boolean
  readonly maxBodyBytes: (settings: Settings) => number
  /** Left out where the body is JSON. */
  readonly form?: FormShape
  /** An id whose account the call is about, though it carries no key; left out where the key says. */
  readonly accountOf?: (call: Call) => string | undefined
  /** Whether a call on a shared route is this operation's; left out where the route is not shared. */
  readonly claims?: (call: Call, account: Readonly<Account>) => boolean
  /** The next moment of the thing a status query asks about, for on-poll clocks; left out where nothing is asked about. */
  readonly awaits?: (call: Call, account: Readonly<Account>, now: Instant) => Instant | undefined
  readonly prepare: (call: Call, settings: Settings) => Prepared
  /**
   * The rate limit, which refuses before a call is looked at: `prepare` asks it first, and where there is nothing to
   * prepare, since the body cannot be read, whoever answers asks it. Left out where nothing is limited.
   */
  readonly limited?: (world: DecisionContext) => Decision | undefined
  /** What it refuses calls for, beside what the shape of a request asks; left out where it refuses none. */
  readonly rules?: readonly StatedRule[]
  /** The family's answer to what goes wrong outside the decision. */
  readonly refuse: (standing: FailureKind, refusal: Omit<Refusal, 'error'>, requestId: string) => Reply
  /** The family's names for what goes wrong outside the decision. */
  readonly standing: Readonly<Record<FailureKind, string>>
  /** The names of the family's error table. */
  readonly errors: readonly string[]
  /** The family's answer with an error of its table, for those who know it by its name alone. */
  readonly raise: (error: string, refusal: Omit<Refusal, 'error'>, requestId: string) => Reply
}
