import type { EventEmitter } from 'node:events'
import { z } from 'zod'
import type { ClockScheduler } from '../accounts/clock.js'
import type { JournalStore } from '../accounts/journals.js'
import type { Snapshots } from '../accounts/persistence/snapshots.js'
import type { Imported, StateDocument } from '../accounts/persistence/state-document.js'
import type { Store } from '../accounts/store.js'
import type { Callbacks } from '../callbacks/dispatcher.js'
import type { Inbox } from '../callbacks/inbox.js'
import type { Semaphore } from '../concurrency.js'
import type { Events } from '../core/events.js'
import type { Account } from '../core/model/account.js'
import type { Task } from '../core/model/task.js'
import type { Instant } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import type { Registry } from '../families/registry.js'
import type { Fixtures } from '../media/fixtures.js'
import type { Renderer } from '../media/render/renderer.js'
import type { DiagnosticItem } from '../observability/diagnostics.js'
import type { HealthIssues } from '../observability/health.js'
import type { Metrics } from '../observability/metrics.js'
import type { ProfileInForce } from '../profile/in-force.js'
import type { Quotas } from '../quotas.js'
import type { Scenarios } from '../scenarios/library.js'
import type { DryRun } from '../service/dry-run.js'
import type { InFlightCalls } from '../service/in-flight.js'
import type { VerifiedFacts } from '../verified/facts.js'
import type { LiveEvents } from './event-log.js'

/** Record of an action in a recording, where it differs from what was asked for. */
interface RecordedAs {
  /** When it was done, on the account's clock; default: the time of its transaction, or when it began. */
  readonly at?: number
  /** What to do instead to get the same result; default: the input. */
  readonly input?: Readonly<Record<string, unknown>>
}

/** Deeply read-only version of a type. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T

/** Stream of text: it is sent as it is made, until it is stopped. */
export interface TextStream extends AsyncIterable<string> {
  stop(): void
}

/**
 * Control action: one thing that can be done to a running emulator. Routes of the control API, the client, the published
 * types, the OpenAPI document and docs/control-api.md are made from these declarations.
 */
export interface Action<Input extends z.ZodType, Output extends z.ZodType> {
  readonly route: { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: string }
  /** A sentence without a full stop. */
  readonly summary: string
  /** Whether a call on a shared route is for this action; default: every call that those before it do not take. */
  readonly matches?: (query: Readonly<Record<string, unknown>>) => boolean
  /** The content type of an answer that is text; default: lines of JSON. */
  readonly textType?: string
  /** Path parameters, query and body together. */
  readonly input: Input
  /** A document that `run` validates itself, so that its mistakes are reported with their places. */
  readonly document?: () => Promise<z.ZodType>
  /** A request body to show in the documentation, or undefined where the action takes none. */
  readonly example?: Readonly<Record<string, unknown>>
  /** The answer. A function, so that the schemas of answers are made only for documents and tests. */
  readonly output: () => Output
  /** What a recording holds of the action; `nothing` where the recording has it in another form. */
  readonly recordedAs?:
    | 'nothing'
    | ((
        result: ReadonlyDeep<z.output<Output>>,
        input: z.output<Input>,
        context: ControlContext,
      ) => RecordedAs | Promise<RecordedAs>)
  /**
   * `key` is the account's; `input` has met its schema. A text may be a stream.
   * @param disconnected aborted when the client has gone, or undefined where the action is called in the process
   * @throws ControlError
   */
  readonly run: (
    context: ControlContext,
    key: string,
    input: z.output<Input>,
    disconnected?: AbortSignal,
  ) => ReadonlyDeep<z.output<Output>> | Promise<ReadonlyDeep<z.output<Output>> | TextStream>
}

/** Declares an action; a function, so that its types are inferred from its schemas. */
export const action = <Input extends z.ZodType, Output extends z.ZodType>(
  declared: Action<Input, Output>,
): Action<Input, Output> => declared

// biome-ignore lint/suspicious/noExplicitAny: a table of actions holds actions of every kind
export type AnyAction = Action<any, any>

/** Named schema of an object: made at first use, and published under its name in the OpenAPI document and the types. */
export const namedObject = <Shape extends z.ZodRawShape>(
  id: string,
  description: string,
  fields: () => Shape,
): (() => z.ZodObject<Shape>) => {
  let made: z.ZodObject<Shape> | undefined
  return () => {
    made ??= z.object(fields()).meta({ id, description })
    return made
  }
}

/** Input schema of actions without input. */
export const noInput = z.strictObject({})

/**
 * Boolean query parameter: true as a bare word (`?all`), with `true` or `1`; false with `false` or `0`.
 * @param usual what it is without the parameter
 */
export const flag = (description: string, usual = false) =>
  z
    .union([z.boolean(), z.enum(['', 'true', '1', 'false', '0'])], { error: 'true or false' })
    .optional()
    .transform((value = usual) => ![false, 'false', '0'].includes(value))
    .describe(description)

/** Query parameter `all`: the action is for all accounts rather than for one. */
export const all = flag('`true`, `1` or the bare word: every account')

/** Query parameter `brief`: a list leaves out what only the detail of one of its items shows. */
export const brief = (without: string) =>
  flag(`\`true\`, \`1\` or the bare word: without ${without}, which reading one item has`)

/** API keys of the accounts that an action with `all` is for. */
export const accountKeys = async (
  { store }: ControlContext,
  key: string,
  all: boolean,
): Promise<readonly string[]> => (all ? store.keys() : [key])

/** Text whose published type is narrower: `OperationName`. */
export const typedText = (type: string) => z.string().meta({ 'x-type': type })

/** Integer that a query holds in decimal digits. Unlike `z.coerce` it takes no true, null, list or `0x10` for a number. */
export const integerFrom = (schema: z.ZodNumber) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    schema.int(),
  )

/** Paging parameters of a list. */
export const page = {
  limit: integerFrom(z.number().min(1)).prefault(100).describe('maximum number of items'),
  offset: integerFrom(z.number().min(0)).prefault(0).describe('number of items to skip'),
}

/** Schema of a whole list. */
export const itemsOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) })

/** Schema of a whole list of objects with these fields. */
export const itemsWith = <Shape extends z.ZodRawShape>(fields: Shape) => itemsOf(z.object(fields))

/** Schema of a page of a list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  itemsOf(item).extend({ total: z.number().describe('number of items on all pages') })

/** Schema of a page of a log, which evicts its oldest items. */
export const logOf = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({ evicted: z.number().describe('number of evicted items') })

/** Context of control actions: the ports of a running emulator that they use. `emulator.ts` fills them. */
export interface ControlContext {
  readonly settings: Settings
  /** The families that it has. */
  readonly registry: Registry
  /** A random id of this emulator, which tells it from another one on the same port. */
  readonly instance: string
  readonly systemNow: () => number
  readonly startedAt: number

  readonly store: Store
  readonly clock: ClockScheduler
  readonly journals: JournalStore
  readonly inFlight: Pick<InFlightCalls, 'list'>
  readonly events: EventEmitter<Events>
  readonly quotas: Quotas
  /** Limits calls of `/_backlot/wait`. */
  readonly waiting: Semaphore
  isStopping(): boolean
  readonly snapshots: Snapshots
  /** Replaces the account under its key: its advances and callbacks in flight end, and its journal begins anew. */
  replace(account: Account): Promise<void>
  /** Forgets an account and everything that belongs to it. */
  forget(key: string): Promise<void>

  /** Undefined where there is no profile. */
  readonly profile: ProfileInForce | undefined
  /** What the real service was seen to answer. Undefined where there is no file of it. */
  readonly verified: VerifiedFacts | undefined
  readonly callbacks: Callbacks
  readonly inbox: Inbox
  readonly scenarios: Scenarios
  readonly fixtures: Fixtures
  readonly metrics: Metrics
  readonly renderer: Renderer
  readonly health: HealthIssues
  /** Counts and reports an error that should not have happened. */
  onInternalError(error: unknown): void

  /** Path and query of a result, with its signature; `index` counts the media of its task from 0. */
  resultPath(task: Task, index: number, expiresAt: Instant): string
  readonly dryRun: DryRun
  /** Live events of accounts from now on. */
  live(): Promise<LiveEvents>
  /** Checks whether pictures and videos can be made here. */
  diagnose(): AsyncIterable<DiagnosticItem>
  openApiDocument(part: 'service' | 'control' | undefined): Promise<{ readonly openapi: string }>
  /** The journals of accounts as a recording, one JSON value a line. */
  readRecording(keys: readonly string[]): Promise<string>
  exportState(accounts: readonly Account[]): Promise<StateDocument>
  /**
   * Replaces accounts by those of a document; with a key, only the account of this key.
   * @throws EmulatorError
   */
  importState(document: unknown, key: string | undefined): Promise<Imported>
}
