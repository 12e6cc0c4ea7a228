import { openAccount } from '../../../src/emulator/core/account/account.js'
import { apply, runDue } from '../../../src/emulator/core/account/apply.js'
import { SeededRandom } from '../../../src/emulator/core/account/random.js'
import type {
  AnyTaskFamily,
  Decision,
  DecisionContext,
  Operation,
} from '../../../src/emulator/core/contract.js'
import type {
  AudioFacts,
  ImageFacts,
  ResolvedMedia,
  UnusableReason,
  VideoFacts,
} from '../../../src/emulator/core/media/input.js'
import type { Account } from '../../../src/emulator/core/model/account.js'
import type { Call } from '../../../src/emulator/core/model/call.js'
import { forcedTimeline, type Phase, type Task } from '../../../src/emulator/core/model/task.js'
import type { Instant } from '../../../src/emulator/core/schedule/time.js'
import { operationsOf } from '../../../src/emulator/core/task/operations.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { type SettingsInput, settingsSchema } from '../../../src/emulator/settings.js'

/** Where contexts begin: 2026-01-01T00:00:00Z. */
export const START: Instant = Date.UTC(2026, 0, 1)

/** A context whose account can be looked into and written. */
export interface TestContext extends DecisionContext {
  readonly account: Account
}

export interface ContextParts {
  readonly now?: Instant
  readonly settings?: SettingsInput
  /** Left out: a new account with the key `test-key`, or with `key`. */
  readonly account?: Account
  readonly key?: string
  /** The number of the next create, from 1; default: one more than the account has accepted. */
  readonly sequence?: number
  readonly requestId?: string
  /** What stands behind each URL; a URL that is not listed is on a host that is not read. */
  readonly resolvedMedia?: Readonly<Record<string, ResolvedMedia>>
}

/** A context made by hand. Every missing part has a plain value. */
export const contextWith = (parts: ContextParts = {}): TestContext => {
  const now = parts.now ?? START
  const settings = settingsSchema.parse(parts.settings ?? {})
  const clock = { mode: 'paused', speed: 1, now, wall: now } as const
  const account = parts.account ?? openAccount(parts.key ?? 'test-key', settings, clock)
  if (parts.account === undefined)
    account.tasks.follow(
      () => {},
      (task, moment) => builtIn.exposureOf(task, moment),
    )
  if (parts.sequence !== undefined) account.sequence = parts.sequence - 1
  const sequence = account.sequence + 1
  return {
    now,
    account,
    sequence,
    random: new SeededRandom(settings.seed, account.id, sequence),
    settings,
    requestId: parts.requestId ?? 'request-1',
    origin: 'https://emulator.test',
    resolvedMedia: (url) => parts.resolvedMedia?.[url] ?? unseen(),
    isFree: () => true,
    resultUrl: (task, index, expiresAt) => `https://results.test/${task.id}/${index}?expires=${expiresAt}`,
  }
}

/** The same account and settings at another instant, and with the sequence number of its next create. */
export const at = (context: TestContext, now: Instant): TestContext => {
  const sequence = context.account.sequence + 1
  return {
    ...context,
    now,
    sequence,
    random: new SeededRandom(context.settings.seed, context.account.id, sequence),
  }
}

/** The same, so many milliseconds later. */
export const later = (context: TestContext, ms: number): TestContext => at(context, context.now + ms)

/** The expiry that a context of `contextWith` wrote into a result URL. */
export const expiryOf = (url: string): Instant => Number(new URL(url).searchParams.get('expires'))

// Facts

const BLOB = 'b'.repeat(64)
const had = (facts: Extract<ResolvedMedia, { state: 'read' }>['facts']): ResolvedMedia => ({
  state: 'read',
  facts,
  blob: BLOB,
  origin: `${facts.kind}.${facts.format}`,
})

export const image = (facts: Partial<ImageFacts> = {}): ResolvedMedia =>
  had({ kind: 'image', format: 'png', bytes: 10_000, width: 1024, height: 1024, ...facts })

export const video = (facts: Partial<VideoFacts> = {}): ResolvedMedia =>
  had({
    kind: 'video',
    format: 'mp4',
    bytes: 100_000,
    width: 1280,
    height: 720,
    seconds: 5,
    framesPerSecond: 24,
    videoCodec: 'h264',
    audioCodec: 'aac',
    ...facts,
  })

export const audio = (facts: Partial<AudioFacts> = {}): ResolvedMedia =>
  had({ kind: 'audio', format: 'mp3', bytes: 50_000, seconds: 5, ...facts })

export const unseen = (origin = 'elsewhere'): ResolvedMedia => ({ state: 'unseen', origin })

export const refused = (reason: UnusableReason, detail = 'it is not there'): ResolvedMedia => ({
  state: 'refused',
  reason,
  detail,
})

// Calls

/** A query as text, as pairs, or as a record. */
export type Query = string | [string, string][] | Record<string, string>

export const operationOf = (family: AnyTaskFamily, verb: string): Operation => {
  const operation = operationsOf(family).find(({ id }) => id === `${family.id}.${verb}`)
  if (operation === undefined) throw new Error(`${family.id} has no operation ${verb}`)
  return operation
}

/** A call of an operation: its route with `id` in the place of the path parameter. */
export const callOf = (
  { route }: Operation,
  parts: { body?: unknown; id?: string; query?: Query } = {},
): Call => {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const id = parts.id ?? ''
  return {
    method: route.method,
    path: route.path.replace(/\{\w+\}/g, id),
    params: Object.fromEntries(names.map((name) => [name, id])),
    query: new URLSearchParams(parts.query),
    body: 'body' in parts ? { kind: 'json', value: parts.body } : { kind: 'none' },
  }
}

/** Decides a call, and lets the account remember what changes and what is due, as the service does. */
export const ask = (operation: Operation, call: Call, context: TestContext): Decision => {
  runDue(context.account, context.now)
  const decision = operation.prepare(call, context.settings).decide(at(context, context.now))
  apply(context.account, decision.changes)
  runDue(context.account, context.now)
  return decision
}

export const create = (family: AnyTaskFamily, body: unknown, context: TestContext): Decision => {
  const operation = operationOf(family, 'create')
  return ask(operation, callOf(operation, { body }), context)
}

/** Reading, and whatever else names one task. */
export const onTask = (family: AnyTaskFamily, verb: string, id: string, context: TestContext): Decision => {
  const operation = operationOf(family, verb)
  return ask(operation, callOf(operation, { id }), context)
}

export const read = (family: AnyTaskFamily, id: string, context: TestContext): Decision =>
  onTask(family, 'read', id, context)

export const cancel = (family: AnyTaskFamily, id: string, context: TestContext): Decision =>
  onTask(family, 'cancel', id, context)

export const list = (family: AnyTaskFamily, query: Query, context: TestContext): Decision => {
  const operation = operationOf(family, 'list')
  return ask(operation, callOf(operation, { query }), context)
}

/** The record of the task that a decision is about. */
export const taskOf = (decision: Decision, context: TestContext): Task => {
  const task = context.account.tasks.get(decision.meta.task ?? '')
  if (task === undefined) throw new Error(`no task was made: ${JSON.stringify(decision.reply.body)}`)
  return task
}

/** Puts a task into a phase at the now of the context, as a scenario or a control call does. */
export const force = (task: Task, phase: Phase, context: TestContext): Task => {
  const forced = { ...task, timeline: forcedTimeline(task.timeline, context.now, phase) }
  apply(context.account, [{ putTask: forced }])
  runDue(context.account, context.now)
  return forced
}
