import type { z } from 'zod'
import type { SeededRandom } from './account/random.js'
import type { Asset, AssetFailure } from './asset.js'
import type { Attempt, CallbackSignature, DeliveryPolicy } from './callback/delivery.js'
import type { FamilyFacts } from './family-facts.js'
import type { MediaFacts, MediaRef, ResolvedMedia } from './media/input.js'
import type { Account, ScenarioRun } from './model/account.js'
import type { Call, ErrorSpec, Refusal, RefusalDetails, RefusedBy, Reply, Route } from './model/call.js'
import type { State, Task, TaskTimeline, TaskView, VisibleUntil } from './model/task.js'
import type { Instant } from './schedule/time.js'
import type { Settings } from './settings.js'

/**
 * How sure an answer is, the least sure first. `assumed`: chosen after a similar answer that is known. `seen`: public services like this one answer
 * so, or their client libraries expect it. `spec`: the text of the specification leads to it.
 */
export const grades = ['assumed', 'seen', 'spec'] as const

/** Gap: a point where the specification is silent or contradicts itself, and the emulator's answer. */
export interface Gap {
  readonly id: string
  readonly place: string
  readonly grade: (typeof grades)[number]
  readonly answer: string
  /** The settings that change the answer; undefined where none does. */
  readonly settings?: readonly string[]
}

/** Statement of a rule: what the journal, the list of rules and the documents show. */
export interface StatedRule {
  /** Unique within the family: `size-area`. */
  readonly id: string
  /** What must be true, as a sentence: "The area of `size` is from 512*512 to 2048*2048 pixels." */
  readonly says: string
  /** References that users can open: `docs/families/a-image.md#size, docs/gaps.md#a4`. */
  readonly place: string
}

/** Limit that is found out while a file is processed: the upload is accepted, and its job fails. */
export interface JobLimit extends StatedRule {
  /** The word in `code` of a failed job. */
  readonly code: string
  /** The field, what may stand there and what was found, or undefined when the limit is kept. */
  readonly check: (facts: MediaFacts) => LimitExcess | undefined
}

/** What a file has too much or too little of. */
export interface LimitExcess {
  readonly field: string
  readonly allowed: string
  readonly found: string
}

/** Rule on requests whose shape is right. All rules run, in order: the first refusal is the answer, and the journal has each. */
export interface Rule<In, E extends string = string> extends StatedRule {
  /** The refusal, or undefined when the rule is kept. */
  readonly check: (input: In, context: DecisionContext) => RuleRefusal<E> | undefined
}

/** Refusal by a rule. Default of `error`: the family's name for an invalid parameter. */
export interface RuleRefusal<E extends string = string> extends RefusalDetails {
  readonly error?: E
}

/** Quota exceeded: there is no room for one more, and nothing to evict. */
export interface QuotaExceeded {
  /** Its name: `tasks-per-account`. */
  readonly quota: string
  readonly setting: keyof Settings
  readonly most: number
  readonly found: number
  /** A sentence without a full stop, which names the setting. */
  readonly says: string
}

/** Decision context: everything that a decision may read. What is not here cannot influence an answer. */
export interface DecisionContext {
  /** What the account's clock says. */
  readonly now: Instant
  /** To be read, never written: what changes is returned as changes. */
  readonly account: Readonly<Account>
  /** The number of the create that is being decided, from 1; ids are made from it. */
  readonly sequence: number
  readonly random: SeededRandom
  readonly settings: Settings
  readonly requestId: string
  /** The scheme and host under which the caller reaches the emulator: what absolute URLs begin with. */
  readonly origin: string
  /** Resolved medium of a URL in the body, or undefined where the body does not name it. */
  readonly resolvedMedia: (url: string) => ResolvedMedia | undefined
  /** Whether no other account uses this id for something that is queried without a key. */
  readonly isFree: (id: string) => boolean
  /** The quota that a new task or asset would exceed even after evictions; undefined where nothing is counted. */
  readonly quotaExceeded?: (of: Task | 'asset') => QuotaExceeded | undefined
  /** What became of the challenge that the receiver had to pass before the decision. Undefined where there was none. */
  readonly handshake?: Handshake | undefined
  /** The absolute, signed URL of a result. `index` counts the media of the task from 0. */
  readonly resultUrl: (task: Task, index: number, expiresAt: Instant) => string
}

/** Change of an account by a decision. All changes of a decision are applied, or none. */
export type Change =
  /** `requestRun`: the scenario that the request named, which runs for this task alone. */
  | { readonly putTask: Task; readonly requestRun?: ScenarioRun }
  | { readonly dropTask: string }
  /** A new asset; its bytes are kept from now on. */
  | { readonly putAsset: Asset }
  /** A create was accepted: the sequence number moves, and the rate limit counts it. */
  | { readonly acceptCreate: Instant }
  | { readonly countImages: number }

interface DecisionMeta {
  /** Every rule that refused, in order; the first one made the answer. */
  readonly refusedBy: readonly RefusedBy[]
  /** Paths of body fields that the interface does not know (gap X11). */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** Those of the warnings that hold no word of the client, for the log. Default: none. */
  readonly hints?: readonly string[]
  /** The task that was made, read or cancelled. */
  readonly task?: string
}

/** Decision on a call: its reply and the changes that go with it, committed together. */
export interface Decision {
  readonly reply: Reply
  readonly changes: readonly Change[]
  readonly meta: DecisionMeta
}

/** Metadata of a decision that refuses nothing and ignores nothing. */
export const noMeta: DecisionMeta = { refusedBy: [], ignored: [], warnings: [] }

/** Decision that changes nothing. */
export const asDecision = (reply: Reply, meta = noMeta): Decision => ({ reply, changes: [], meta })

/** Challenge that the receiver of callbacks has to pass before a create is accepted. */
export interface OwedChallenge {
  readonly url: string
  /** How long it has to answer, in real time. */
  readonly timeoutMs: number
  /** Undefined where messages are not signed. */
  readonly signature?: CallbackSignature | undefined
}

/** A challenge that is sent before its task is made: its text, and the delivery id that it has once the task is. */
export interface EarlyChallenge {
  readonly text: string
  readonly id: string
}

/** Prepared call: what is known of a call before its account is read, and the decision that needs the account. */
export interface PreparedCall {
  /** The media to resolve before the decision. Default: none. */
  readonly mediaRefs?: readonly MediaRef[] | undefined
  /**
   * Asks another host for the answer before the decision, and resolves with what then decides. `gone` ends the call to it: the
   * client has left. Undefined where no host is asked.
   */
  readonly outside?: (gone: AbortSignal) => Promise<PreparedCall>
  /** The challenge that has to be passed before a create is accepted. Undefined where none has to. */
  readonly owes?: OwedChallenge | undefined
  readonly decide: (context: DecisionContext) => Decision
}

/** Kind of failure before an operation can look at a call; every family has its own words for each. */
export type FailureKind =
  | 'unauthenticated'
  | 'unreadable'
  | 'unsupported'
  | 'too-large'
  | 'rate-limited'
  | 'internal'

/** Multipart form that an operation takes instead of JSON. */
export interface FormShape {
  /** The field that holds the file; there is one. */
  readonly fileField: string
  /** The largest file of any kind, in bytes, and the setting that says so. */
  readonly maxBytes: (settings: Settings) => { readonly bytes: number; readonly setting: string }
}

/** API description of an operation. Schemas are given by the names under which `FamilyApi` publishes them. */
export interface OperationDescription {
  readonly summary: string
  /** Schema of the JSON body. Undefined for no body, or a form. */
  readonly body?: string
  /** Schema of the query. Undefined for no query. */
  readonly query?: string
  /** Schema of the answer. Undefined where the answer is a file. */
  readonly response?: string
  /** Content type of the file that is the answer. Undefined where the answer is JSON. */
  readonly file?: string
}

/** API description of a family, from which the OpenAPI document and the published types are made. */
export interface FamilyApi {
  /** Schemas of what clients send, by published name. */
  readonly requests: Readonly<Record<string, z.ZodType>>
  /** Schemas of what clients get, by published name. */
  readonly responses: Readonly<Record<string, z.ZodType>>
  /** Schema of a refusal, by its published name. */
  readonly error: string
  /** By the verb of the operation: `create`. */
  readonly operations: Readonly<Record<string, OperationDescription>>
}

/** Description of a family: what the rest of the program needs to know of it, apart from its operations. */
export interface FamilyDescription<E extends string = string> {
  /** Name of its folder. */
  readonly id: string
  /** The chapter it mirrors: `B`. */
  readonly section: string
  readonly title: string
  readonly errors: Readonly<Record<E, ErrorSpec>>
  /** Its names for what every family must be able to say. */
  readonly wellKnownErrors: Readonly<Record<FailureKind, NoInfer<E>>>
  readonly respond: {
    /** Body of a refusal. `row`: that of the error in the table in force. */
    error(problem: Refusal<NoInfer<E>>, requestId: string, row: ErrorSpec): unknown
  }
  readonly api: FamilyApi
  /** What its creates, or its uploads, are refused for, in the order in which it is checked. Default: nothing of its own. */
  readonly rules?: readonly StatedRule[]
  /** What the job of an accepted upload fails for. Default: nothing. */
  readonly jobLimits?: readonly JobLimit[]
  /** Its models and the bounds of its rules. Undefined where no profile can change them. */
  readonly facts?: FamilyFacts
  /** The family of other facts. Undefined where it has none. */
  make?(facts: FamilyFacts): AnyFamily
  /** Errors with which rules answer in place of their own, by the id of the rule (`withFacts`). Default: none. */
  readonly ruleErrors?: Readonly<Record<string, string>>
  /** Ids of its rules that are switched off (`withFacts`). Default: none. */
  readonly rulesOff?: readonly string[]
  /** Points that the specification leaves open in this chapter. Default: none. */
  readonly gaps?: readonly Gap[]
  /**
   * Ids of the gaps on which answers rely, for coverage reports: by the verb of the operation those of an accepted answer, and
   * under `refusal`, `callback` and `challenge` those of each of these. A row may be of another chapter. Default: none.
   */
  readonly reliesOn?: Readonly<Record<string, readonly string[]>>
  /** Reference for the largest body. Default: `docs/gaps.md#z7`. */
  readonly bodySizeRef?: string
  /** Keys of a body under which media stand, as strings or lists of strings: a large body is searched for Base64 there. Default: none. */
  readonly mediaFields?: readonly string[]
  /** Keys of an answer that hold result URLs. Default: `url`. */
  readonly urlFields?: readonly string[]
  /** Path of the task in a query response and in a callback: `task`. Default: the body itself. */
  readonly taskAt?: string
  /** Key of the tasks in the answer to a list: `items`. Default: no answer has several tasks. */
  readonly listAt?: string
  /** Makes the operations other than those of `routes`, of the family as it is in force. Default: none. */
  operations?(family: AnyFamily): readonly Operation[]
  /** Changes each of its operations, such as their routes. Default: they stay as they are. */
  reroute?(operation: Operation): Operation
  /** Valid requests, for the console, documents and tests. Default: those in `fixtures/requests` of the package. */
  readonly samples?: readonly SampleRequest[]
  /** Calls with which `backlot verify` asks a service. Default: none. */
  readonly probes?: readonly Probe[]
  /** Words of the answers for states that have other names there, by the word. Default: the names of the states. */
  readonly otherStatusWords?: Readonly<Record<string, State>>
  /** Page of its documentation, to which references to its schema and tasks lead. Default: `docs/families/{id}.md`. */
  readonly page?: string
  /** Schema of its own settings, under `familySettings` by its id. Undefined where it has none. */
  readonly settings?: z.ZodType
  /** A first request to try; the start screen shows that of the first family with one. */
  readonly sample?: { readonly title: string; readonly path: string; readonly body: unknown }
}

/** Probe: a call that the service refuses by its specification, so that it makes nothing and costs nothing. */
export interface Probe {
  readonly says: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly json?: unknown
  /** Type and text of a body that is no JSON. */
  readonly body?: readonly [type: string, text: string]
  /** Whose API key it has. Default: the user's own. */
  readonly key?: 'unknown' | 'none'
}

/** Sample request: a valid one; `{origin}` in it stands for the address of the emulator. */
export interface SampleRequest {
  /** `text-to-image`; `cheapest` is the one that costs least. */
  readonly name: string
  readonly operation: string
  /** What it is, in a sentence. */
  readonly says: string
  /** Undefined for a form. */
  readonly body?: unknown
  /** Fields of a form; the one that names a file holds the name of a sample medium. Undefined for JSON. */
  readonly form?: Readonly<Record<string, string>>
}

/** Operation: a method, a path, and a pure decision. The server knows nothing else of what clients can do. */
export interface Operation {
  /** The family's folder and the verb: `b-video-task.create`. */
  readonly id: string
  readonly family: string
  /** The chapter of the specification: `B`. */
  readonly section: string
  readonly route: Route
  /** Other routes on which it answers too. Default: none. */
  readonly also?: readonly Route[]
  readonly needsKey: boolean
  /** Reference for the largest body. Default: `docs/gaps.md#z7`. */
  readonly bodySizeRef?: string
  /** Path of the id that the answer gives a name to: `output.task_id`. Undefined where it names none. */
  readonly idAt?: string
  /** What an accepted call makes. Undefined for nothing that lasts. */
  readonly makes?: 'task' | 'asset'
  /** Reads a failed job out of an answer: the id that its upload answered, and why it failed. Undefined where no answer shows one. */
  readonly failedJobIn?: (body: unknown) => (AssetFailure & { readonly id: string }) | undefined
  readonly maxBodyBytes: (settings: Settings) => number
  /** Undefined where the body is JSON. */
  readonly form?: FormShape
  /** Takes the bytes of any body as they came. Default: they have to be JSON, or the form. */
  readonly takesBytes?: true
  /** An id whose account the call is about, though it carries no key; undefined where the key says. */
  readonly accountOf?: (call: Call) => string | undefined
  /** Whether a call on a shared route is this operation's; undefined where the route is not shared. */
  readonly matches?: (call: Call, account: Readonly<Account>) => boolean
  /** Next moment of what a status query names, for on-poll clocks. Undefined where the operation is no status query. */
  readonly nextMomentOf?: (call: Call, account: Readonly<Account>, now: Instant) => Instant | undefined
  readonly prepare: (call: Call, settings: Settings) => PreparedCall
  /** Rate limit check, the first of a call: `prepare` runs it, or the pipeline where the body is unreadable. Undefined where there is no limit. */
  readonly checkRateLimit?: (context: DecisionContext) => Decision | undefined
  /** What it refuses calls for, beside what the shape of a request asks; undefined where it refuses none. */
  readonly rules?: readonly StatedRule[]
  /** The family's answer to what goes wrong outside the decision. */
  readonly refuse: (kind: FailureKind, refusal: RefusalDetails, requestId: string) => Reply
  /** The family's names for what goes wrong outside the decision. */
  readonly wellKnownErrors: Readonly<Record<FailureKind, string>>
  /** The names of the family's error table: a scenario can have the operation answer any of them. */
  readonly errors: readonly string[]
  /** Those of them that the operation answers without a scenario. */
  readonly possibleErrors: readonly string[]
  /** Builds the family's answer for an error of its table, by the name of the error. */
  readonly raise: (error: string, refusal: RefusalDetails, requestId: string) => Reply
}

/** The family's name for what every family must be able to say; `missing` and `invalid` are for fields of the body. */
export type WellKnownErrors<E extends string> = Readonly<
  Record<FailureKind | 'missing' | 'invalid' | 'unknown-model', E>
>

/** Error table: the wire format of each error, by its name. */
export type ErrorTable = Readonly<Record<string, ErrorSpec>>

/** Response serialisers: each returns a body that is written as JSON. `errors`: the table in force. */
interface Responders<Params, E extends string> {
  readonly created: (view: TaskView<Params, E>, context: DecisionContext) => unknown
  /** Undefined where a task cannot be queried. */
  readonly read?: (view: TaskView<Params, E>, context: DecisionContext, errors: ErrorTable) => unknown
  /** A page: under `items` what `read` gives for each task, where coverage reports look. `total`: how many there are on all pages. */
  readonly list?: (items: readonly unknown[], total: number) => unknown
  readonly cancelled?: (view: TaskView<Params, E>) => unknown
  /** `row`: that of the error in the table in force. */
  readonly error: (problem: Refusal<E>, requestId: string, row: ErrorSpec) => unknown
}

/** Price list of the videos of a family, which the setting `prices` changes (docs/accounts.md). */
interface PriceList<Params> {
  /** Price of a second by model and resolution, as the setting names them: `gamma-H3 2K`. */
  readonly perSecond: Readonly<Record<string, number>>
  /** The resolution of a task, and the seconds that are charged. */
  readonly meter: (params: Params) => { readonly resolution: string; readonly seconds: number }
}

/** Callback contract: how a family reports status changes. The body of a callback is what `respond.read` returns (§Callbacks). */
export interface CallbackContract<In> {
  /** Where to, as a request says it under `callback_url`; undefined where it does not ask for callbacks. */
  readonly url: (input: In) => string | undefined
  /** Whether the receiver must return a challenge first (§Callbacks). */
  readonly handshake: boolean
  /** Published name of the schema of the challenge. Undefined where documents describe none. */
  readonly challenge?: string
  /** Whether a create is refused where the challenge fails. Default: it is accepted, and nothing is sent (gap F9). */
  readonly mustPass?: boolean
  /** How messages are sent. Default: as gaps F8, F10 and B17 say. */
  readonly delivery?: DeliveryPolicy
}

/** Challenge that was sent before a create was decided. `problem`: a sentence, or undefined where it has passed. */
export interface Handshake {
  readonly challenge: string
  readonly attempt: Attempt
  readonly problem: string | undefined
}

/** Outcome of asking to cancel or delete a task. */
export type CancelOutcome<E extends string> = 'cancel' | 'remove' | Refusal<E>

/**
 * Task family: a chapter of the specification whose calls make tasks. Everything about it is here, and all of it is data or
 * a pure function; `operationsOf` turns it into create, read, list and cancel.
 *
 * `Body` is a body of the right shape, `In` what is read out of it, `Params` the values resolved from that, which are stored, and `E`
 * the names of its errors.
 *
 * To write one: docs/adding-a-family.md. The main fields are `schema`, `rules`, `errors`, `params`, `timeline` and `respond`.
 */
export interface TaskFamily<In, Params, E extends string, Body = In> extends FamilyDescription<E> {
  /** The models it claims on a route that it shares. */
  readonly models: readonly string[]
  /** Models of other families on this route, listed in the "unknown model" error. Default: none. */
  readonly modelsBeside?: readonly string[]
  readonly routes: Readonly<{ create: Route; read?: Route; list?: Route; cancel?: Route }>
  /** What its tasks can be. Default: queued, running, succeeded, failed, cancelled, and expired where it has a deadline. */
  readonly states?: readonly State[]
  /** Families whose tasks can be read here too. Default: only its own. */
  readonly reads?: readonly string[]
  readonly maxBodyBytes: (settings: Settings) => number
  /** What a request may look like. Defaults are filled in; unknown keys are dropped. */
  readonly schema: z.ZodType<Body>
  /** Reads what rules and params look at out of a body, such as its texts and media with their places. Default: the body itself. */
  readonly readRequest?: (body: NoInfer<Body>) => In
  readonly rules: readonly Rule<NoInfer<In>, NoInfer<E>>[]
  readonly wellKnownErrors: WellKnownErrors<NoInfer<E>>
  /** The media that a request names, in the order of the body; undefined where requests name none. */
  readonly mediaRefs?: (input: NoInfer<In>) => readonly MediaRef[]
  /** What the journal should say beside the decision; undefined where there is never anything. */
  readonly warnings?: (input: NoInfer<In>, context: DecisionContext) => readonly string[]
  /**
   * Params of the task: sizes, lengths and seeds that the request left open, resolved. Called once all rules are kept. Their
   * `prompt` is what a body has under `prompt` or `text`, several joined by line breaks: `when.prompt` of a scenario looks
   * there for calls about a task.
   */
  readonly params: (input: NoInfer<In>, context: DecisionContext) => Params
  /** Id of a new task, unique in its account: 1 to 100 letters, digits, `_` and `-`, since result URLs contain it. */
  readonly newId: (context: DecisionContext) => string
  readonly timeline: (
    params: NoInfer<Params>,
    context: DecisionContext,
    id: string,
  ) => TaskTimeline<NoInfer<E>>
  /** When a task that has not ended expires; undefined where tasks never do. */
  readonly deadline?: (params: NoInfer<Params>, createdAt: Instant) => Instant
  /** Images that count against the quota; undefined where none do. */
  readonly images?: (params: NoInfer<Params>) => number
  /** What a task costs when it succeeds; undefined where nothing is charged. */
  readonly price?: PriceList<NoInfer<Params>>
  /** Undefined where status changes are not reported. */
  readonly callback?: CallbackContract<NoInfer<In>>
  /** The last instant at which a task that is in a phase since a moment can be seen. Default: tasks can always be seen. */
  readonly visibleUntil?: VisibleUntil
  readonly notFound?: (id: string) => Refusal<NoInfer<E>>
  readonly cancelOutcome?: (view: TaskView<NoInfer<Params>, NoInfer<E>>) => CancelOutcome<NoInfer<E>>
  /** When a result's URL ends, given when the task succeeded. */
  readonly resultTtlMs: number
  readonly respond: Responders<NoInfer<Params>, NoInfer<E>>
  /** Path of the task's id in the answer to a create: `output.task_id`. Default: `id`. */
  readonly idAt?: string
  /** The code that a query shows of a task that failed with an error. Default: the code of the error's row, or its name. */
  readonly failureCode?: (error: NoInfer<E>, row: ErrorSpec) => string
  /** Schema of the stored params; the state file checks records with it. Default: any object. */
  readonly paramsSchema?: z.ZodType
}

/** A family with tasks, of any request and any errors: what a list of families holds. */
// biome-ignore lint/suspicious/noExplicitAny: a list of families holds families of every kind
export type AnyTaskFamily = TaskFamily<any, any, any, any>

/** A family of either kind. */
export type AnyFamily = AnyTaskFamily | FamilyDescription
