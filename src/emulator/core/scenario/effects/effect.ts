import type { z } from 'zod'
import type { SeededRandom } from '../../account/random.js'
import type { Asset } from '../../asset.js'
import type { FileSpec } from '../../media/spec.js'
import type { RefusalDetails, Reply } from '../../model/call.js'
import type { Task } from '../../model/task.js'
import type { Instant } from '../../schedule/time.js'
import type { AccountChange } from '../../settings.js'
import type { CatalogueFamily, Selector } from '../selector.js'

/** The parts of `then`: the value that the effects of each change, and what they are told beside it. */
export interface Parts {
  readonly answer: { readonly subject: OutgoingReply; readonly context: AnswerContext }
  readonly transport: { readonly subject: Delivery; readonly context: SeededRandom }
  readonly task: { readonly subject: Task; readonly context: undefined }
  readonly asset: { readonly subject: Asset; readonly context: undefined }
  readonly result: { readonly subject: OutgoingReply; readonly context: undefined }
  readonly callback: { readonly subject: CallbackTiming; readonly context: Instant }
  readonly account: { readonly subject: AccountChange; readonly context: undefined }
  /** By how many milliseconds the account's clock moves before the call is decided. */
  readonly clock: { readonly subject: number; readonly context: undefined }
}

export type Part = keyof Parts

/** HTTP reply as bytes, the last form in which it can still be changed. */
export interface OutgoingReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Values of the header Set-Cookie. Default: none. */
  readonly cookies?: readonly string[] | undefined
  /** Names, in lower case, of headers that are not written unless they stand in `headers`. Default: none. */
  readonly without?: readonly string[] | undefined
  /** The body as the journal keeps it: what is written as JSON, or a text. */
  readonly body: unknown
  readonly bytes: Buffer
  /** What Content-Length says. Default: the number of bytes. */
  readonly declaredBytes?: number
}

/** Context of an effect on an answer. */
export interface AnswerContext {
  readonly requestId: string
  /** The family's reply with an error of its table. */
  readonly raise: (error: string, refusal: RefusalDetails) => Reply
  /** The values of the whole part. */
  readonly values: Values & { readonly status?: number | undefined; readonly retryAfter?: number | undefined }
}

/** Transport of an answer over its connection. */
export interface Delivery {
  /** Before the first byte. */
  readonly delayMs: number
  /** `never`: nothing is sent. `reset`: the connection is reset instead. `cut`: it ends after some bytes of the body. */
  readonly end: 'complete' | 'never' | 'reset' | 'cut'
  /** How many bytes of the body are sent. Undefined for all. */
  readonly bytes?: number
  /** Undefined for as fast as the connection takes them. */
  readonly bytesPerSecond?: number
}

/** When and how often a callback is sent, where a step changes it. */
interface CallbackTiming {
  /** The earliest instant at which it is sent. Undefined for as soon as it is its turn. */
  readonly notBefore?: Instant
  /** How many copies follow, each once the one before is accepted. Undefined for none. */
  readonly copiesLeft?: number
}

/**
 * What an effect breaks, so that a client cannot use it: an answer that it cannot read, a file that is damaged, a file that is
 * not what was ordered, a message that its receiver has reason to refuse.
 */
export type Broken = 'answer' | 'file' | 'order' | 'message'

/** Which result of another task an effect sends: that of the latest one, or of the first one. */
export const otherTasks = ['another-task', 'first-task'] as const
export type OtherTask = (typeof otherTasks)[number]

/** Context of an effect on the file of a result. */
export interface FileContext {
  /** A result of another task, of the same kind; undefined: there is none. */
  readonly otherFile: (spec: FileSpec, which: OtherTask) => FileSpec | undefined
}

/**
 * Scenario effect: one key of a step's `then` with everything that is known of it. The list of them (effect-list.ts) is the
 * source of the schema of `then`, of the published types, of what the checks say and of what happens to a call. What takes
 * its value is a method, so that a list can hold effects whose values differ.
 */
export interface Effect<Schema extends z.ZodType, Subject, Context> {
  readonly schema: Schema
  /** For editors and for the published types: a phrase without a full stop. */
  readonly description: string
  /** Keys of the same part that cannot stand beside it, each with the reason. */
  readonly conflicts?: Readonly<Record<string, string>>
  /** Whether it changes fields of an answer: the journal keeps the answer as it was before, and what went out beside it. Default: no. */
  readonly changesFields?: true
  /** Where in the value the name of one of the family's errors stands. Undefined where it stands nowhere. */
  readonly errorName?: readonly string[]
  /** What it breaks: a sweep does not blame the client for it. Default: nothing. */
  readonly breaks?: Broken
  /** Whether a file that it acts on is sent whole, without ranges, as one is that an effect on results changes. Default: no. */
  readonly sendsFileWhole?: boolean
  /** What else makes no sense with this value, as sentences without a full stop. */
  problems?(value: z.output<Schema>, step: CheckedStep): readonly (string | false)[]
  /** What it does, as a value from a value: nothing is sent or changed by it. Default: the subject, and others ask for the key. */
  apply?(subject: Subject, value: z.output<Schema>, context: Context): Subject
  /** What it makes of the file of a result before that is rendered; the same object: nothing, so that it has not acted. Default: nothing. */
  onFile?(spec: FileSpec, value: z.output<Schema>, context: FileContext): FileSpec
  /** The kind of files that it acts on. Default: every kind. */
  readonly fits?: 'picture' | 'video'
  /** What it does to the body of a callback when that is sent; a string is sent as it stands. Default: nothing. */
  onBody?(body: unknown, value: z.output<Schema>): unknown
}

/** The values of one part: `{ status: 503, text: '' }`. */
export type Values = Readonly<Record<string, unknown>>

/** A step as the checks of an effect see it. */
export interface CheckedStep {
  readonly when: Selector
  /** The values beside this one in its part. */
  readonly values: Values
  /** The families that the step is about and whose tasks can be queried; empty where it is unknown what it is about. */
  readonly families: readonly CatalogueFamily[]
}

/** Defines effects of a part by their keys, in the order in which they apply. */
export const defineEffects = <P extends Part, Schemas extends Readonly<Record<string, z.ZodType>>>(
  part: P,
  effects: {
    readonly [Key in keyof Schemas]: Effect<Schemas[Key], Parts[P]['subject'], Parts[P]['context']>
  },
) => ({ part, effects })
