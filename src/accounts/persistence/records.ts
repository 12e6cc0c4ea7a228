import { z } from 'zod'
import { limitsSchema } from '../../core/account/limits.js'
import type { Account } from '../../core/model/account.js'
import type { Asset } from '../../core/model/asset.js'
import type { Callback, CallbackQueue } from '../../core/model/callback.js'
import { reasons, type ScenarioRun } from '../../core/model/scenario-run.js'
import { states, type Task } from '../../core/model/task.js'
import { type Scenario, scenarioSchema } from '../../core/scenario/schema.js'
import { clockModes } from '../../core/schedule/clock.js'
import type { Instant } from '../../core/schedule/timeline.js'

/** The version of what is written. A change that older versions cannot read raises it and adds a migration. */
export const STATE_VERSION = 1

/**
 * What a state is made of: of which kind, of which account (empty where it is the server's), under which id (empty where
 * there is one), and its value; null where it is gone. The last record of a kind, account and id holds; where the
 * account itself is gone, so is all that was written of it before.
 */
export type StateRecord = readonly [kind: Kind, account: string, id: string, value: unknown]

const size = z.number()
const kind = z.enum(['image', 'video', 'audio'])

const input = z.object({ kind, blob: z.string().nullable(), label: z.string() })

const card = z.object({
  prompt: z.string(),
  model: z.string(),
  size: z.string(),
  seed: z.number(),
  id: z.string(),
  index: z.string().optional(),
})

const picture = z.object({
  kind: z.literal('picture'),
  width: size,
  height: size,
  seed: z.number(),
  card,
  hasWatermark: z.boolean(),
  inputs: z.array(input),
})

const video = z.object({
  kind: z.literal('video'),
  width: size,
  height: size,
  seconds: z.number(),
  framesPerSecond: z.number(),
  hasAudio: z.boolean(),
  seed: z.number(),
  card,
  hasWatermark: z.boolean(),
  firstFrame: input.optional(),
  lastFrame: input.optional(),
  references: z.array(input),
})

/** What a result shows, as it stands in a task's life. */
const mediaSpecSchema = z.discriminatedUnion('kind', [
  video,
  picture,
  z.object({ kind: z.literal('last-frame'), of: video }),
])

/** What is known of an uploaded file. */
const mediaFactsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    format: z.enum(['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif', 'heic', 'heif', 'avif']),
    bytes: size,
    width: z.number(),
    height: z.number(),
  }),
  z.object({
    kind: z.literal('video'),
    format: z.enum(['mp4', 'mov']),
    bytes: size,
    width: z.number(),
    height: z.number(),
    seconds: z.number(),
    framesPerSecond: z.number(),
    videoCodec: z.string(),
    audioCodec: z.string().optional(),
  }),
  z.object({
    kind: z.literal('audio'),
    format: z.enum(['wav', 'mp3']),
    bytes: size,
    seconds: z.number(),
  }),
])

/** Milliseconds since 1970. */
const instant = z.number()

// The params of a task are of its family.
const params = z.object({})

const phase = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['pending', 'queued', 'running', 'cancelled', 'expired']) }),
  z.object({ state: z.literal('succeeded'), media: z.array(mediaSpecSchema) }),
  z.object({ state: z.literal('failed'), error: z.string() }),
])

const callbackAddress = z.object({
  url: z.string(),
  challenge: z.string().optional(),
  origin: z.string(),
})

const responseOverrides = z.object({
  withoutUrl: z.boolean().optional(),
  statusWord: z.string().optional(),
  progressJumpsBack: z.boolean().optional(),
})

const taskSchema = z.object({
  id: z.string(),
  family: z.string(),
  account: z.string(),
  model: z.string(),
  requestId: z.string(),
  createdAt: instant,
  params,
  timeline: z.array(z.object({ at: instant, value: phase })).min(1),
  price: z.number(),
  callback: callbackAddress.optional(),
  responseOverrides: responseOverrides.optional(),
})

const count = z.int().min(0)

const clock = z.object({
  mode: z.enum(clockModes),
  speed: z.number().positive(),
  now: instant,
  wall: instant,
})

const traceSchema = z.object({
  operation: z.string(),
  model: z.string().optional(),
  callback: z
    .object({ kind: z.enum(['challenge', 'delivery']), status: z.enum(states).optional() })
    .optional(),
  elapsed: z.number(),
  verdicts: z.array(z.enum(['acted', ...reasons]).nullable()),
  numbers: z.array(z.number()),
})

/** How a scenario stands with an account; the scenario itself is a record of its own, named here. */
const playingSchema = z.object({
  scenario: z.string(),
  seed: count,
  since: instant,
  seen: z.array(count),
  acted: z.array(count),
  // Traces of an older form only feed `lastMiss`, and are dropped.
  latest: z.record(z.string(), z.unknown()).transform((latest) =>
    Object.fromEntries(
      Object.entries(latest).flatMap(([kind, trace]) => {
        const { data } = traceSchema.safeParse(trace)
        return data === undefined ? [] : [[kind, data]]
      }),
    ),
  ),
})

/** An account without what it holds. */
const accountSchema = z.object({
  clock,
  /** Up to where everything due had happened when this was written. */
  settledTo: instant,
  ordinal: count,
  requests: count,
  credit: z.number(),
  spent: z.number(),
  agreementAccepted: z.boolean(),
  limits: limitsSchema,
  recentCreates: z.array(instant),
  imagesMade: count,
  callbacksEvicted: count,
  playing: z.array(playingSchema),
})

const phaseOfAsset = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['Processing', 'Active']) }),
  z.object({
    state: z.literal('Failed'),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
])

const assetSchema = z.object({
  id: z.string(),
  jobId: z.string(),
  account: z.string(),
  name: z.string(),
  groupId: z.string().optional(),
  bytes: z.int().min(0),
  blob: z.string().regex(/^[0-9a-f]{64}$/, { error: 'a SHA-256 in hex' }),
  facts: mediaFactsSchema.optional(),
  requestId: z.string(),
  createdAt: instant,
  timeline: z.array(z.object({ at: instant, value: phaseOfAsset })).min(1),
})

const countOfCallback = z.int().min(0)

const attempt = z.object({
  at: instant,
  durationMs: z.number(),
  outcome: z.enum(['answered', 'timeout', 'refused-address', 'failed']),
  status: z.number().optional(),
  answer: z.string().optional(),
  error: z.string().optional(),
})

const step = { scenario: z.string(), step: countOfCallback }

const played = z.object({
  acted: z.object({ ...step, says: z.string().nullable(), effects: z.array(z.string()) }).nullable(),
  nearMisses: z.array(z.object({ ...step, why: z.string() })),
})

const yes = z.literal(true)

// As the effect of a scenario's step is once it is read: durations are milliseconds.
const fault = z.object({
  challenge: z.enum(['wrong', 'missing']).optional(),
  late: z.number().optional(),
  copies: z.int().optional(),
  afterNext: yes.optional(),
  never: yes.optional(),
  evenIfDeleted: yes.optional(),
  brokenBody: yes.optional(),
  beforeAnswer: yes.optional(),
})

const callbackSchema = z.object({
  id: z.string(),
  taskId: z.string(),
  kind: z.enum(['challenge', 'delivery']),
  status: z.enum(states).nullable(),
  url: z.string(),
  body: z.unknown(),
  attempts: z.array(attempt),
  state: z.enum(['waiting', 'delivered', 'failed', 'skipped']),
  reason: z.string().optional(),
  scenario: played.optional(),
  /** Left out where it is the one that the account has under this id. */
  task: taskSchema.optional(),
  moment: countOfCallback,
  fault: fault.optional(),
  notBefore: instant.optional(),
  copiesLeft: z.int().optional(),
})

const correspondenceSchema = z.object({
  taskId: z.string(),
  way: z.enum(['challenged', 'open', 'closed']),
  closedFor: z.string().optional(),
  waiting: z.array(callbackSchema),
  held: z.array(callbackSchema),
  guest: playingSchema.optional(),
  dueAt: instant.nullable(),
  entry: countOfCallback,
  isOver: z.boolean(),
})

/** What the server is, whatever its accounts. */
const serverSchema = z.object({
  seed: z.int().min(0),
  /** What signs result URLs. */
  secret: z.string().min(1),
  /** The names of the scenarios that the settings gave to every account. */
  given: z.array(z.string()),
})

/** The schema of everything that a state file holds, by the kind of its record. */
export const values = {
  server: serverSchema,
  scenario: scenarioSchema,
  account: accountSchema,
  task: taskSchema,
  /** Which moment of a task's life comes next; no record where its life is over. */
  next: z.int().min(1),
  asset: assetSchema,
  correspondence: correspondenceSchema,
  callback: callbackSchema,
}

export type Kind = keyof typeof values
type Value<K extends Kind> = z.output<(typeof values)[K]>

export const isKind = (kind: unknown): kind is Kind => typeof kind === 'string' && Object.hasOwn(values, kind)

/**
 * Holds what is written down against its schema. A field that a record of the core gains and its schema lacks would make
 * a file that cannot be read again; here it does not compile, and the message has the name of the record.
 */
export type AssertSchemasMatchRecords = None<
  {
    [K in keyof Pairs]: IsSame<Pairs[K][0], Pairs[K][1]> extends true ? never : K
  }[keyof Pairs]
>

interface Pairs {
  server: [StoredServer, Value<'server'>]
  // The params of a task are of its family.
  task: [Omit<Task, 'params'>, Omit<Value<'task'>, 'params'>]
  asset: [Asset, Value<'asset'>]
  callback: [Omit<StoredCallback, 'task'>, Omit<Value<'callback'>, 'task'>]
  correspondence: [Omit<StoredQueue, 'waiting' | 'held'>, Omit<Value<'correspondence'>, 'waiting' | 'held'>]
  account: [StoredHead, Value<'account'>]
  accountItself: [Omit<Account, Elsewhere>, Omit<StoredHead, 'settledTo' | 'callbacksEvicted' | 'playing'>]
  playing: [StoredRun, Value<'account'>['playing'][number]]
}

type None<T extends never> = T

type IsSame<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : false) : false

type Plain<T> = unknown extends T ? T : { -readonly [K in keyof T]-?: Plain<Exclude<T[K], undefined>> }

/** What the server is, whatever its accounts. */
export interface StoredServer {
  readonly seed: number
  /** What signs result URLs. */
  readonly secret: string
  /** The names of the scenarios that the settings gave to every account. */
  readonly given: readonly string[]
}

/** How a scenario stands with an account; the scenario itself is a record of its own, named here. */
export interface StoredRun extends Omit<ScenarioRun, 'scenario'> {
  readonly scenario: string
}

/** What is kept of an account elsewhere, or made again when it is read. */
type Elsewhere =
  | 'key'
  | 'tag'
  | 'tasks'
  | 'taskBytes'
  | 'open'
  | 'assets'
  | 'jobs'
  | 'schedule'
  | 'callbacks'
  | 'playing'

/** An account without what it holds. */
export interface StoredHead extends Readonly<Omit<Account, Elsewhere>> {
  /** Up to where everything due had happened when this was written. */
  readonly settledTo: Instant
  readonly callbacksEvicted: number
  readonly playing: readonly StoredRun[]
}

/** The task is left out where it is the one that the account has under this id. */
export type StoredCallback = Omit<Callback, 'task'> & { readonly task?: Task }

export interface StoredQueue extends Readonly<Omit<CallbackQueue, 'waiting' | 'held' | 'guest'>> {
  readonly waiting: readonly StoredCallback[]
  readonly held: readonly StoredCallback[]
  readonly guest?: StoredRun
}

/** An account as it was written down. Maps are in the order in which things came about. */
export interface StoredAccount {
  head: StoredHead | undefined
  readonly task: Map<string, Task>
  readonly next: Map<string, number>
  readonly asset: Map<string, Asset>
  readonly correspondence: Map<string, StoredQueue>
  readonly callback: Map<string, StoredCallback>
}

/** Everything that was written down, each record met by its schema. */
export interface StoredState {
  server: StoredServer | undefined
  readonly scenarios: Map<string, Scenario>
  readonly accounts: Map<string, StoredAccount>
}

export const nothingSaved = (): StoredState => ({
  server: undefined,
  scenarios: new Map(),
  accounts: new Map(),
})

/** Lets a record take its place; its value is one that its schema gave, or null. */
export const take = (state: StoredState, [kind, key, id, value]: StateRecord): void => {
  if (kind === 'server') state.server = (value ?? undefined) as StoredServer | undefined
  else if (kind === 'scenario') put(state.scenarios, id, value)
  else if (kind !== 'account') put(accountIn(state, key)[kind], id, value)
  else if (value === null) state.accounts.delete(key)
  else accountIn(state, key).head = value as StoredHead
}

// The schema of its kind has made the value what the map holds.
const put = (map: Map<string, unknown>, id: string, value: unknown): void => {
  if (value === null) map.delete(id)
  else map.set(id, value)
}

const accountIn = ({ accounts }: StoredState, key: string): StoredAccount => {
  const known = accounts.get(key)
  if (known !== undefined) return known
  const fresh: StoredAccount = {
    head: undefined,
    task: new Map(),
    next: new Map(),
    asset: new Map(),
    correspondence: new Map(),
    callback: new Map(),
  }
  accounts.set(key, fresh)
  return fresh
}
