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
import { type SettingsInput, settingsSchema } from '../../../src/emulator/core/settings.js'
import { operationsOf } from '../../../src/emulator/core/task/operations.js'
import { builtIn } from '../../../src/emulator/families/index.js'

/** Where worlds begin: 2026-01-01T00:00:00Z. */
export const START: Instant = Date.UTC(2026, 0, 1)

/** A world whose account can be looked into and written. */
export interface TestWorld extends DecisionContext {
  readonly account: Account
}

export interface WorldParts {
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

/** A world made by hand. Every missing part has a plain value. */
export const worldWith = (parts: WorldParts = {}): TestWorld => {
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
export const at = (world: TestWorld, now: Instant): TestWorld => {
  const sequence = world.account.sequence + 1
  return {
    ...world,
    now,
    sequence,
    random: new SeededRandom(world.settings.seed, world.account.id, sequence),
  }
}

/** The same, so many milliseconds later. */
export const later = (world: TestWorld, ms: number): TestWorld => at(world, world.now + ms)

/** The expiry that a world of `worldWith` wrote into a result URL. */
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
export const ask = (operation: Operation, call: Call, world: TestWorld): Decision => {
  runDue(world.account, world.now)
  const decision = operation.prepare(call, world.settings).decide(at(world, world.now))
  apply(world.account, decision.changes)
  runDue(world.account, world.now)
  return decision
}

export const create = (family: AnyTaskFamily, body: unknown, world: TestWorld): Decision => {
  const operation = operationOf(family, 'create')
  return ask(operation, callOf(operation, { body }), world)
}

/** Reading, and whatever else names one task. */
export const onTask = (family: AnyTaskFamily, verb: string, id: string, world: TestWorld): Decision => {
  const operation = operationOf(family, verb)
  return ask(operation, callOf(operation, { id }), world)
}

export const read = (family: AnyTaskFamily, id: string, world: TestWorld): Decision =>
  onTask(family, 'read', id, world)

export const cancel = (family: AnyTaskFamily, id: string, world: TestWorld): Decision =>
  onTask(family, 'cancel', id, world)

export const list = (family: AnyTaskFamily, query: Query, world: TestWorld): Decision => {
  const operation = operationOf(family, 'list')
  return ask(operation, callOf(operation, { query }), world)
}

/** The record of the task that a decision is about. */
export const taskOf = (decision: Decision, world: TestWorld): Task => {
  const task = world.account.tasks.get(decision.meta.task ?? '')
  if (task === undefined) throw new Error(`no task was made: ${JSON.stringify(decision.reply.body)}`)
  return task
}

/** Puts a task into a phase at the world's now, as a scenario or a control call does. */
export const force = (task: Task, phase: Phase, world: TestWorld): Task => {
  const forced = { ...task, timeline: forcedTimeline(task.timeline, world.now, phase) }
  apply(world.account, [{ putTask: forced }])
  runDue(world.account, world.now)
  return forced
}
