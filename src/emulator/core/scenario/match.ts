import { accountIdOf } from '../account/account-id.js'
import { SeededRandom } from '../account/random.js'
import type {
  Account,
  Callback,
  MatchTrace,
  Reason,
  RetryWait,
  ScenarioRun,
  Verdict,
} from '../model/account.js'
import { type Call, jsonOf, modelIn, taskIdIn } from '../model/call.js'
import { type State, type Task, viewAt } from '../model/task.js'
import { textAt } from '../request.js'
import { isBeforeRetry, type Moment, retryAfterMsIn } from '../retry-after.js'
import { type Instant, SECOND } from '../schedule/time.js'
import type { StepEffects } from './effects/index.js'
import { descriptionOf, type Scenario, type Step } from './schema.js'
import { type Selector, wildcardOf } from './selector.js'

/**
 * Match input: a call, or a message to a receiver, as selectors look at it. No field may be left out, so that the compiler
 * names every place that makes one: the sweep makes its own.
 */
export interface MatchInput {
  /** `b-video-task.create`, `results.download`; for a message the operation that made its task. */
  readonly operation: string
  /** Undefined for a message to a receiver. */
  readonly method: string | undefined
  /** By their names in lower case. Undefined where they are unknown, as those of a message. */
  readonly headers: Call['headers'] | undefined
  readonly account: string
  /** Of the request, or of the task that it is about. */
  readonly model: string | undefined
  /** Searched for only where a step asks: a body is searched from end to end. */
  readonly prompt: () => string | undefined
  /** Undefined for a call. */
  readonly callback:
    | { readonly kind: 'challenge' | 'delivery'; readonly status: State | undefined }
    | undefined
  /** The task that is there already and that it is about. Undefined where it is about none, as a create. */
  readonly task: MatchedTask | undefined
  readonly now: Instant
  /** Real time, in Unix milliseconds. Undefined where they are unknown, as those of a message. */
  readonly wall: Instant | undefined
}

/** Task of a call or message. Its functions are called where a step asks. */
interface MatchedTask {
  readonly id: string
  readonly state: () => State
  /** Its number among the tasks of its family, from 1, in the order of their creates. */
  readonly number: () => number
}

/** Match input of a call. Model and prompt are those of its body, or of the task that its path names. */
export const inputOfCall = (
  { id }: { readonly id: string },
  { method, headers, body, params }: Pick<Call, 'method' | 'headers' | 'body' | 'params'>,
  account: Readonly<Account>,
  { at: now, wall }: Moment,
  decidedAt = now,
): MatchInput => {
  const task = account.tasks.get(taskIdIn(params) ?? '')
  let prompt: string | null | undefined = null
  return {
    operation: id,
    method,
    headers,
    account: account.key,
    model: task?.model ?? modelIn(body),
    prompt: () => {
      if (prompt === null) prompt = task === undefined ? promptIn(jsonOf(body)) : promptOf(task)
      return prompt
    },
    callback: undefined,
    task: task && matchedTask(task, account, decidedAt),
    now,
    wall,
  }
}

const matchedTask = (task: Task, account: Readonly<Account>, now: Instant): MatchedTask => ({
  id: task.id,
  state: () => viewAt(task, now).phase.state,
  number: () => {
    let number = 0
    for (const { id, family } of account.tasks.values()) {
      if (family === task.family) number += 1
      if (id === task.id) break
    }
    return number
  },
})

/** Match input of a message to the receiver of a task. */
export const inputOfCallback = (
  { kind, status, task }: Callback,
  account: Readonly<Account>,
  now: Instant,
): MatchInput => ({
  operation: `${task.family}.create`,
  method: undefined,
  headers: undefined,
  callback: { kind, status: status ?? undefined },
  account: account.key,
  model: task.model,
  prompt: () => promptOf(task),
  task: matchedTask(task, account, now),
  now,
  wall: undefined,
})

const promptOf = ({ params }: Task): string | undefined => textAt(params, ['prompt'])

const MAX_DEPTH = 8

/**
 * The prompt of a request body of any family: what stands under `text` or `prompt`, in order, joined by line breaks.
 * Undefined where there is none. It is read before the shape is known, so that steps can act on calls that are refused.
 */
export const promptIn = (body: unknown): string | undefined => {
  const parts: string[] = []
  collectPrompts(body, 0, parts)
  return parts.length === 0 ? undefined : parts.join('\n')
}

const collectPrompts = (value: unknown, depth: number, parts: string[]): void => {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return
  if (Array.isArray(value)) for (const item of value) collectPrompts(item, depth + 1, parts)
  else
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') collectPrompts(inner, depth + 1, parts)
      else if (typeof inner === 'string' && (key === 'text' || key === 'prompt')) parts.push(inner)
    }
}

/** The step that acts, named so that an explanation can point at it. */
export interface MatchedStep {
  readonly scenario: string
  /** From 1, as people count. */
  readonly step: number
  readonly description: string | undefined
  readonly effects: StepEffects
  /** What its delays are drawn from. */
  readonly random: SeededRandom
}

/** Result of matching a call or a message against the scenarios of its account. */
export interface ScenarioMatch {
  /** Undefined where no step acts. */
  readonly step: MatchedStep | undefined
  /** One for each scenario that has steps about such calls. */
  readonly traces: readonly ScenarioTrace[]
}

interface ScenarioTrace {
  readonly scenario: Scenario
  readonly trace: MatchTrace
  /** By step: how many calls it selected, with this one. Undefined where the match is counted. */
  readonly seen?: readonly number[]
  /** When the call came. Undefined where the match is counted, or is one of a message. */
  readonly moment?: Moment
  /** The same of the calls about its task. Undefined where no step counts those. */
  readonly ofTask?: { readonly id: string; readonly seen: readonly number[] } | undefined
}

/** Match of a call that no scenario plays for. */
export const noMatch: ScenarioMatch = { step: undefined, traces: [] }

/**
 * Matches a call or a message against what plays: the first step that fits acts, and each other step has a reason.
 * Changes nothing; `countMatch` does, once the call is decided.
 */
export const matchStep = (runs: readonly ScenarioRun[], input: MatchInput): ScenarioMatch => {
  let step: MatchedStep | undefined
  const traces: ScenarioTrace[] = []
  for (const run of runs) {
    const traced = traceOf(run, input, step !== undefined)
    if (traced === undefined) continue
    traces.push(traced)
    const index = traced.trace.verdicts.indexOf('acted')
    if (index >= 0) step = toMatchedStep(run, index, input)
  }
  return traces.length === 0 ? noMatch : { step, traces }
}

/** The trace of one scenario; undefined where it has no step about such calls. */
const traceOf = (run: ScenarioRun, input: MatchInput, hasActed: boolean): ScenarioTrace | undefined => {
  const { steps } = run.scenario
  const [family = ''] = input.operation.split('.', 1)
  const wildcard = wildcardOf(input.operation)
  const seen = [...run.seen]
  const verdicts = new Array<Verdict>(steps.length).fill(null)
  const numbers = new Array<number>(steps.length).fill(0)
  const { task } = input
  const ofTask = callsOf(task, run)
  let isTaken = hasActed
  let isAny = false
  for (let index = 0; index < steps.length; index += 1) {
    const { when } = steps[index] as Step
    if (!isAbout(when, input, family, wildcard)) continue
    isAny = true
    let verdict: Verdict = mismatch(when, input)
    if (verdict === 'task') numbers[index] = task?.number() ?? 0
    if (verdict === null) {
      const nth = (seen[index] ?? 0) + 1
      seen[index] = nth
      const counted = when.perTask ? countOne(ofTask, index) : nth
      const { reason, number } = restraintOn(run, index, input, nth, counted)
      numbers[index] = number
      verdict = reason ?? (isTaken ? 'earlier' : 'acted')
      isTaken ||= verdict === 'acted'
    }
    verdicts[index] = verdict
  }
  if (!isAny) return undefined
  const { operation, model, callback, now, wall } = input
  const state = stateFor(steps, input)
  const trace = { operation, model, callback, state, elapsed: now - run.since, verdicts, numbers }
  const moment = wall === undefined ? {} : { moment: { at: now, wall } }
  return { scenario: run.scenario, trace, seen, ofTask, ...moment }
}

interface CallsOfTask {
  readonly id: string
  /** By step: how many it selected. */
  readonly seen: number[]
}

/** The calls about a task until now, or undefined where there is no task, or no step counts them. */
const callsOf = (
  task: MatchedTask | undefined,
  { scenario: { steps }, perTask = {} }: ScenarioRun,
): CallsOfTask | undefined => {
  if (task === undefined || !steps.some(({ when }) => when.perTask)) return undefined
  const { id } = task
  return { id, seen: Object.hasOwn(perTask, id) ? [...(perTask[id] as number[])] : steps.map(() => 0) }
}

/** Counts one more call of a step about a task. */
const countOne = (calls: CallsOfTask | undefined, index: number): number => {
  const count = (calls?.seen[index] ?? 0) + 1
  if (calls !== undefined) calls.seen[index] = count
  return count
}

const stateFor = (steps: readonly Step[], { task }: MatchInput): State | undefined =>
  steps.some(({ when }) => when.status !== undefined) ? task?.state() : undefined

const isAbout = (
  { callback, operation, family: wantedFamily }: Selector,
  input: MatchInput,
  family: string,
  wildcard: string,
): boolean =>
  (typeof callback === 'object' ? 'delivery' : callback) === input.callback?.kind &&
  (isOneOf(operation, input.operation) || isOneOf(operation, wildcard)) &&
  isOneOf(wantedFamily, family)

/** Whether a value is what a key of a selector wants, which may be absent, one or several. */
const isOneOf = <T>(wanted: T | readonly T[] | undefined, value: T): boolean =>
  wanted === undefined ||
  wanted === value ||
  (typeof wanted === 'object' && (wanted as readonly T[]).includes(value))

/** What about the call itself is not what the selector wants; null where everything is. */
const mismatch = (selector: Selector, input: MatchInput): Reason | null => {
  if (!isOneOf<string | undefined>(selector.model, input.model)) return 'model'
  if (!isOneOf(selector.account, input.account)) return 'account'
  const { method, header, prompt } = selector
  if (method !== undefined && method !== input.method) return 'method'
  if (header !== undefined && !Object.hasOwn(input.headers ?? {}, header.toLowerCase())) return 'header'
  if (prompt !== undefined && !isPromptWanted(prompt, input.prompt())) return 'prompt'
  const { status, task, perTask } = selector
  if (status !== undefined && !isOneOf<State | undefined>(status, input.task?.state())) return 'status'
  if (perTask !== undefined && input.task === undefined) return 'task'
  if (task !== undefined && !isOneOf<number | undefined>(task, input.task?.number())) return 'task'
  return input.callback !== undefined && !isStatusWanted(selector.callback, input.callback.status)
    ? 'status'
    : null
}

const isStatusWanted = (wanted: Selector['callback'], status: State | undefined): boolean =>
  typeof wanted !== 'object' || isOneOf<State | undefined>(wanted.status, status)

const isPromptWanted = (wanted: NonNullable<Selector['prompt']>, prompt: string | undefined): boolean =>
  'contains' in wanted
    ? prompt?.includes(wanted.contains) === true
    : new RegExp(wanted.matches, 'u').test(prompt ?? '')

/**
 * Restraint on a step: why it does not act on the nth call that it selects; null: it may act. `number` is the count or the draw
 * that an explanation shows, else 0.
 * @param counted what its counts look at: `nth`, or the number of the call among those about its task
 */
const restraintOn = (
  run: ScenarioRun,
  index: number,
  input: MatchInput,
  nth: number,
  counted: number,
): { readonly reason: Reason | null; readonly number: number } => {
  const { when, times } = run.scenario.steps[index] as Step
  const isUsedUp = times !== undefined && (run.acted[index] ?? 0) >= times
  const reason = limitReached(when, counted, input.now - run.since, isUsedUp)
  if (reason !== null) return { reason, number: reason === 'count' ? counted : 0 }
  const waited = when.beforeRetryAfter === undefined ? null : waitReached(run, input)
  if (waited !== null) return waited
  const { probability = 1 } = when
  if (probability >= 1) return { reason, number: 0 }
  const number = randomOf(run, index, input.account, nth).fraction('scenario')
  return { reason: number >= probability ? 'chance' : null, number }
}

/** The limit of a step that keeps it from acting; null where none does. */
const limitReached = (
  { nth: nths, first, after, every, from, until }: Selector,
  nth: number,
  elapsed: number,
  isUsedUp: boolean,
): Reason | null => {
  if (isUsedUp) return 'times'
  if (!isOneOf(nths, nth)) return 'count'
  if (first !== undefined && nth > first) return 'count'
  if (after !== undefined && nth <= after) return 'count'
  if (every !== undefined && nth % every !== 0) return 'count'
  if (from !== undefined && elapsed < from) return 'before'
  return until !== undefined && elapsed >= until ? 'after' : null
}

/** Why a call does not come before the time of a `Retry-After` has passed, with how long it waited; null: it does. */
const waitReached = ({ waits = [] }: ScenarioRun, { operation, now: at, wall = at }: MatchInput) => {
  const wait = waits.find((asked) => asked.operation === operation)
  if (wait === undefined) return { reason: 'unasked', number: 0 } as const
  if (isBeforeRetry(wait.ms, wait, { at, wall })) return null
  return { reason: 'waited', number: Math.max(at - wait.at, wall - wait.wall) } as const
}

const toMatchedStep = (run: ScenarioRun, index: number, input: MatchInput): MatchedStep => {
  const step = run.scenario.steps[index] as Step
  return {
    scenario: run.scenario.name,
    step: index + 1,
    description: descriptionOf(step),
    effects: step.then,
    random: randomOf(run, index, input.account, (run.seen[index] ?? 0) + 1),
  }
}

// One draw for each call that a step selects: what happens at other steps changes nothing here.
const randomOf = (
  { scenario, seed }: ScenarioRun,
  index: number,
  account: string,
  nth: number,
): SeededRandom => new SeededRandom(seed, accountIdOf(account), `${scenario.name}|${index}|${nth}`)

/** Match whose acting step found nothing to act on. */
export const refusedMatch = ({ traces }: ScenarioMatch): ScenarioMatch => ({
  step: undefined,
  traces: traces.map(({ trace, ...others }) => ({
    ...others,
    trace: {
      ...trace,
      verdicts: trace.verdicts.map((verdict) => (verdict === 'acted' ? 'refused' : verdict)),
    },
  })),
})

/** Counts a match: the runs after it, each with how often its steps were selected and acted. `runs` are those that were matched. */
export const countMatch = (
  runs: readonly ScenarioRun[],
  { traces }: ScenarioMatch,
): readonly ScenarioRun[] => {
  let next = 0
  return runs.map((run) => {
    const traced = traces[next]
    if (traced?.scenario !== run.scenario) return run
    next += 1
    const { seen = run.seen, trace, ofTask } = traced
    const perTask = ofTask === undefined ? {} : { perTask: withTask(run.perTask, ofTask) }
    const counted = { ...run, seen, latest: withLatest(run.latest, trace), ...perTask }
    const index = trace.verdicts.indexOf('acted')
    if (index < 0) return counted
    const acted = run.acted.with(index, (run.acted[index] ?? 0) + 1)
    const wait = waitAfter(run.scenario.steps[index] as Step, traced)
    if (wait === undefined) return { ...counted, acted }
    const others = (run.waits ?? []).filter(({ operation }) => operation !== wait.operation)
    return { ...counted, acted, waits: [...others, wait] }
  })
}

/**
 * What the answer of a step asks the next call of the operation to wait, or undefined where it asks nothing. Answers to calls that came early begin
 * no new wait: clients whose calls run side by side would keep each other away for ever.
 */
const waitAfter = (
  { when, then: { answer } }: Step,
  { moment, trace: { operation } }: ScenarioTrace,
): RetryWait | undefined => {
  if (answer === undefined || moment === undefined || when.beforeRetryAfter) return undefined
  const { retryAfter, headers = {} } = answer
  const ms = retryAfter === undefined ? retryAfterMsIn(headers, moment.at) : retryAfter * SECOND
  return ms === undefined ? undefined : { operation, ...moment, ms }
}

// A run is kept with its account. Tasks that were not called for so long have ended.
const MAX_TASKS_COUNTED = 1_000

/** The counts by task with those of one, which comes last. */
const withTask = (
  before: ScenarioRun['perTask'] = {},
  { id, seen }: NonNullable<ScenarioTrace['ofTask']>,
): ScenarioRun['perTask'] => {
  const others = Object.entries(before).filter(([task]) => task !== id)
  return Object.fromEntries([...others.slice(1 - MAX_TASKS_COUNTED), [id, seen]])
}

/** The latest traces by kind (`b-video-task.create`, `f-video-v2.create delivery`), with one more, which comes last. */
const withLatest = (latest: ScenarioRun['latest'], trace: MatchTrace): ScenarioRun['latest'] => {
  const { operation, callback } = trace
  const kind = callback === undefined ? operation : `${operation} ${callback.kind}`
  const traces: Record<string, MatchTrace> = {}
  for (const other in latest) if (other !== kind) traces[other] = latest[other] as MatchTrace
  traces[kind] = trace
  return traces
}
