import { writeFile } from 'node:fs/promises'
import type { ActionTypes } from '../../generated/action-types.js'
import type {
  AccountChange,
  AccountRecord,
  Advanced,
  CallbackFilter,
  CallbackRecord,
  ClockChange,
  ClockReading,
  ExplainedRequest,
  Finding,
  Finished,
  InboxMessage,
  InFlightRecord,
  LooseEnds,
  PlayingScenario,
  RequestFilter,
  RequestRecord,
  ScenarioStepRecord,
  Snapshot,
  TaskFilter,
  TaskRecord,
  TaskStatus,
  TimelineItem,
} from '../../generated/control-api.js'
import type { GivenScenario } from '../../generated/emulator-settings.js'
import type { ErrorName, ErrorNameOf, OperationPattern, ScenarioName } from '../../generated/names.js'
import type { ScenarioAnswer, ScenarioDocument, ScenarioSelector } from '../../generated/scenario-document.js'
import { DEFAULT_KEY } from '../core/account/account.js'
import { EmulatorError, systemReason } from '../core/errors.js'
import { hash } from '../core/hash.js'
import { shown } from '../core/request.js'
import { type Duration, parseDuration } from '../core/schedule/time.js'
import { slug } from '../core/slug.js'
import { nearest } from '../core/suggest.js'
import { isFileName } from '../scenarios/library.js'
import { object, optional, validateNamed, withValidation } from './arguments.js'

/** Distance to move a clock: by a duration, to the next moment, until nothing is left to happen, to the end of the next result URL, or to a time (ISO text). */
export type Advance = Duration | { readonly to: 'next' | 'idle' | 'next-expiry' | Date | (string & {}) }

/** Options of a wait. */
export interface WaitOptions {
  /** How long to wait, in real time; default: 4 s. */
  readonly timeout?: Duration | undefined
}

/** Options of a wait: how many to wait for, and how long. */
export interface CountedWaitOptions extends WaitOptions {
  /** The number to wait for; default: 1. */
  readonly count?: number | undefined
}

/** Page of a long list. */
export interface Paging {
  /** The largest number of entries; default: 100. */
  readonly limit?: number | undefined
  /** The number of entries to skip; default: 0. */
  readonly offset?: number | undefined
}

/** A step with the name of its scenario. */
export type NamedStep = ScenarioStepRecord & { readonly scenario: string }

/** How many entries a log has and no longer has. */
export interface Count {
  /** Number of entries that match the filter. */
  readonly total: number
  /** Number of entries of the account, of any kind, that were evicted (settings `journalEntries`, `callbackLogEntries`). */
  readonly evicted: number
}

/** A box of the built-in callback receiver, as far as it concerns one account. */
export interface InboxHandles {
  /** The callback URL of the box. It passes the handshake. */
  readonly url: string
  /** Oldest first. */
  list(): Promise<readonly InboxMessage[]>
  /** Resolves with all messages once there are `count`. @throws EmulatorError `not-yet` */
  waitFor(options?: CountedWaitOptions): Promise<readonly InboxMessage[]>
}

/** Handles of one account of an emulator. Every method answers with plain data, as the control API does. */
export interface AccountHandles {
  /** The API key of the account. */
  readonly key: string
  /** The clock of the account. */
  readonly clock: {
    /** The time of the clock, and that of the next moment. */
    read(): Promise<ClockReading>
    /**
     * Moves the clock. Resolves once everything due has happened, with the list of events.
     * @throws EmulatorError `bad-duration`, `bad-time`, `time-runs-forward` or `time-ends`
     * @example
     * ```ts
     * await emulator.clock.advance('10m')
     * const { happened } = await emulator.clock.advance({ to: 'idle' })
     * ```
     */
    advance(how: Advance): Promise<Advanced>
    /** Changes the mode or the speed from now on; the time of the clock does not jump. @throws EmulatorError `clock-has-run` */
    change(change: ClockChange): Promise<ClockReading>
  }
  /** The tasks of the account, of every family. */
  readonly tasks: {
    /** Newest first, at most 100 unless `limit` is set. @throws EmulatorError `unknown-family` */
    list(filter?: TaskFilter & Paging): Promise<readonly TaskRecord[]>
    /** One task by its id. @throws EmulatorError `no-such-task` */
    get(id: string): Promise<TaskRecord>
    /**
     * Forces what has not happened yet: `failed` with the name of an error of the family.
     * @throws EmulatorError `no-such-task`, `task-has-ended`, `task-has-passed` (the status), `unknown-status` (the family has
     * none such), `unknown-error` or `error-without-failure`
     */
    force(id: string, status: TaskStatus, error?: ErrorName): Promise<TaskRecord>
    /** As `force` with `failed`; default: the internal error of the family. */
    fail(id: string, error?: ErrorName): Promise<TaskRecord>
    /**
     * Resolves once the task has reached the status; default: once it has ended.
     * @throws EmulatorError `not-yet` after the timeout, `never` when it has ended with another status
     * @example
     * ```ts
     * const task = await emulator.tasks.waitFor(id)
     * await emulator.tasks.waitFor(id, 'running', { timeout: '2s' })
     * ```
     */
    waitFor(id: string, status?: TaskStatus, options?: WaitOptions): Promise<TaskRecord>
  }
  /** The journal: the calls that the account has made. */
  readonly requests: {
    /**
     * Newest first, at most 100 unless `limit` is set.
     * @throws EmulatorError `unknown-operation` or `unknown-rule`
     * @example
     * ```ts
     * const refused = await emulator.requests.list({ operation: 'b-video-task.create', status: 429 })
     * ```
     */
    list(filter?: RequestFilter & Paging): Promise<readonly RequestRecord[]>
    /** Counts the calls that the journal has, and those that it has evicted. @throws EmulatorError `unknown-operation` or `unknown-rule` */
    count(filter?: RequestFilter): Promise<Count>
    /** The calls that have no answer yet, or whose file is still being sent, oldest first. The journal does not have them. */
    inFlight(): Promise<readonly InFlightRecord[]>
    /** A call by its request id, which the service sends as `X-Request-Id`. @throws EmulatorError `no-such-request` */
    get(id: string): Promise<ExplainedRequest>
    /** Explains the answer of a call, in sentences. @throws EmulatorError `no-such-request` */
    explain(id: string): Promise<readonly string[]>
    /** Writes the journal into a file that `backlot replay` runs again: without keys and media. @throws EmulatorError `cannot-record` */
    save(file: string): Promise<void>
    /**
     * Resolves with all such calls once there are enough, newest first.
     * @throws EmulatorError `not-yet`, `unknown-operation` or `unknown-rule`
     */
    waitFor(filter: RequestFilter, options?: CountedWaitOptions): Promise<readonly RequestRecord[]>
  }
  /** The callback log: challenges and deliveries to the receivers of the account. */
  readonly callbacks: {
    /**
     * Challenges and deliveries, newest first, at most 100 unless `limit` is set.
     * @example
     * ```ts
     * const delivered = await emulator.callbacks.list({ taskId: id, state: 'delivered' })
     * ```
     */
    list(filter?: CallbackFilter & Paging): Promise<readonly CallbackRecord[]>
    /** Counts the callbacks that the log has, and those that it has evicted. */
    count(filter?: CallbackFilter): Promise<Count>
    /** One callback by its id. @throws EmulatorError `unknown-callback` */
    get(id: string): Promise<CallbackRecord>
    /**
     * Sends a callback again, now and once; resolves when the attempt has ended.
     * @throws EmulatorError `unknown-callback` or `callback-waiting`
     */
    redeliver(id: string): Promise<CallbackRecord>
    /** Resolves with all such callbacks once enough are delivered, or are in the given state, newest first. @throws EmulatorError `not-yet` */
    waitFor(filter: CallbackFilter, options?: CountedWaitOptions): Promise<readonly CallbackRecord[]>
  }
  /** The scenarios that play for the account. */
  readonly scenario: {
    /**
     * Plays a scenario for this account from now on, tried before those that play already: a document, the name of a
     * ready-made scenario or of one given at the start (as a `ScenarioName`), or a file. One of the same name begins anew.
     * @throws EmulatorError `bad-scenario`, `unknown-scenario` or `no-such-file`
     * @example
     * ```ts
     * await emulator.scenario.play('callback-lost')
     * await emulator.scenario.play('./scenarios/mine.yaml')
     * ```
     */
    play(scenario: GivenScenario): Promise<readonly PlayingScenario[]>
    /** Every step that plays, in the order in which they are tried, with the numbers of matching calls and of effects. */
    steps(): Promise<readonly NamedStep[]>
    /** Required steps that have not acted. */
    unused(): Promise<readonly NamedStep[]>
    /** Stops one scenario (your own: as a `ScenarioName`), or all; those given at the start come back with a reset. @throws EmulatorError `not-playing` */
    stop(name?: ScenarioName): Promise<void>
  }
  /**
   * Makes calls of an operation fail. Plays a scenario of one step; the same failure again, with the same answer and selector,
   * begins anew. `scenario.steps()` has the name of the scenario, by which `scenario.stop` stops it.
   * @example
   * ```ts
   * await emulator.fail('b-video-task.create', { error: 'ServerOverloaded', times: 2 })
   * ```
   */
  fail<Operation extends OperationPattern>(operation: Operation, failing: Failing<Operation>): Promise<void>
  /**
   * A box of the built-in callback receiver, of any name.
   * @example
   * ```ts
   * const box = emulator.inbox('orders')
   * // The code under test creates a task with the callback URL box.url.
   * const messages = await box.waitFor({ count: 3 })
   * ```
   */
  inbox(name: string): InboxHandles
  /** The balance, the agreement, the limits and the counts of the account. */
  read(): Promise<AccountRecord>
  /** Changes the account; undefined fields stay. */
  change(change: AccountChange): Promise<AccountRecord>
  /** All events of the account, in order. */
  timeline(): Promise<readonly TimelineItem[]>
  /** The loose ends: unexpected calls, undelivered callbacks, unused steps, abandoned tasks. */
  looseEnds(): Promise<LooseEnds>
  /**
   * The verdict: what the client did that a robust client does not do, the gravest first; empty: it behaved. For a look at the
   * end of a test; `expect(emulator).toHaveBehaved()` does it.
   */
  verdict(): Promise<readonly Finding[]>
  /** Pause to hand to a client in place of its own: moves the clock by so many milliseconds, and takes no time. @throws EmulatorError `bad-duration` */
  pause(ms: Duration): Promise<void>
  /** Ends a test: returns its loose ends and the verdict, with the timeline where there is something, and resets the account. */
  finish(options?: FinishOptions): Promise<Finished>
  /** Resolves once nothing is left to happen. @throws EmulatorError `not-yet` */
  idle(options?: WaitOptions): Promise<void>
  /** Resets the account: it begins anew. */
  reset(): Promise<void>
  /** Takes a snapshot of the account, in the memory of the emulator, for any number of calls of `restore`. */
  snapshot(): Promise<Snapshot>
  /**
   * Restores the account from a snapshot, with its clock; later calls leave no trace.
   * @throws EmulatorError `unknown-snapshot` or `other-snapshot`
   */
  restore(snapshot: Pick<Snapshot, 'id'>): Promise<void>
}

/** Options of the end of a test. */
export interface FinishOptions {
  /** False: no verdict is made; default: true. */
  readonly verdict?: boolean | undefined
}

/**
 * The handles of an emulator, wherever it runs. Its own are those of one account, `default` unless another is named, but for
 * three that are of all accounts: `requests.save`, `snapshot` and `restore`.
 */
export interface EmulatorHandles extends AccountHandles {
  /** `http://127.0.0.1:41234`, without a slash at its end. */
  readonly url: string
  /**
   * The same handles for the account of an API key.
   * @example
   * ```ts
   * const alice = emulator.account('alice')
   * await alice.change({ balance: 0 })
   * ```
   */
  account(key: string): AccountHandles
  /** The verdict on the clients of all accounts. */
  verdictAll(): Promise<readonly Finding[]>
  /** All accounts begin anew. */
  resetAll(): Promise<void>
  /**
   * As `finish` of an account, with the calls, callbacks and tasks of all accounts; all of them begin anew.
   * @param key the account whose unused steps are looked at
   */
  finishAll(key: string, options?: FinishOptions): Promise<Finished>
}

/** Failure of calls of an operation: an error of its family by its name, or a status; and which calls do. */
export interface Failing<Operation extends OperationPattern = OperationPattern>
  extends Pick<ScenarioAnswer, 'status' | 'retryAfter' | 'body' | 'text'> {
  /** An error of the family, by its name in the table of the family. */
  readonly error?: ErrorNameOf<Operation> | undefined
  /** The number of calls that fail; default: all until `scenario.stop` stops it. */
  readonly times?: number | undefined
  /** Selector of the calls that fail; default: every call. */
  readonly when?: Omit<ScenarioSelector, 'operation' | 'callback'> | undefined
  /** `true`: the test fails when no call has failed by its end. */
  readonly required?: boolean | undefined
}

/** `b-video-task.create` failing with `ServerOverloaded` as a scenario of one step. */
const failingScenario = (operation: OperationPattern, failing: Failing): ScenarioDocument => {
  validateNamed('fail', failing, { when: optional(object) })
  const { times, when = {}, required, ...answer } = failing
  if ('operation' in when)
    throw new EmulatorError('fail: when must not name an operation, since the first argument does.', {
      code: 'bad-argument',
    })
  for (const name of Object.keys(answer)) {
    const meant = nearest(name, ['times', 'when', 'required'])
    if (meant !== undefined)
      throw new EmulatorError(`fail has no option ${JSON.stringify(name)}: did you mean ${meant}?`, {
        code: 'bad-argument',
      })
  }
  const { error, status, ...more } = answer
  // Other keys are left to the scenario's schema, which suggests the name that was meant.
  if (Object.entries(answer).every(([key, value]) => key === 'retryAfter' || value === undefined))
    throw new EmulatorError(`fail: failing must have error, status, body or text, found ${shown(failing)}.`, {
      code: 'bad-scenario',
      hint: "Such as { error: 'ServerOverloaded' } or { status: 503 }.",
    })
  const how = String(error ?? status ?? 200)
  // Scenarios of one name replace each other, and failures with other selectors or bodies are to act beside each other.
  const others = JSON.stringify({ ...more, ...when, status: error && status })
  const variant = others === '{}' ? '' : `-${hash('sha256', others, 'hex').slice(0, 8)}`
  return {
    name: `fail-${wordsOf(operation)}-${wordsOf(how)}${variant}`,
    description: `${operation} fails with ${how}.`,
    // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
    steps: [{ when: { ...when, operation }, then: { answer }, times, required }],
  }
}

const wordsOf = (text: string): string => slug(text.replace(/([a-z0-9])([A-Z])/g, '$1-$2'))

type ActionName = keyof ActionTypes
/** Input of an action as callers give it, before defaults are filled in. */
type ActionInput<N extends ActionName> = ActionTypes[N]['input']
/** Output of an action. */
export type ActionOutput<N extends ActionName> = ActionTypes[N]['output']

/** Transport: runs an action by its name, in this process or over the control API of another one. Handles use only this. */
export type Transport = <N extends ActionName>(name: N, input: ActionInput<N>) => Promise<ActionOutput<N>>

/** Input of `scenario.play`. A file is read here: the emulator may run on another machine. */
const playInput = async (
  scenario: string | ScenarioDocument,
): Promise<ScenarioDocument | { readonly name: string }> => {
  // A copy, as an emulator elsewhere gets it: the caller may change the document later.
  if (typeof scenario !== 'string') return JSON.parse(JSON.stringify(scenario))
  if (!isFileName(scenario)) return { name: scenario }
  // Loaded when it is needed, since it brings all the names that a scenario may use.
  const [{ readScenarioFile }, { documentOf }] = await Promise.all([
    import('../scenarios/read.js'),
    import('../core/scenario/schema.js'),
  ])
  return documentOf(await readScenarioFile(scenario))
}

/**
 * The document of a scenario file whose names are not known here: a profile of the emulator may have them. Undefined where the file has
 * other mistakes.
 */
const unknownHere = async (file: string, error: unknown): Promise<ScenarioDocument | undefined> => {
  if (!(error instanceof EmulatorError) || error.code !== 'bad-scenario' || !isFileName(file))
    return undefined
  const { parseLocated, readTextFile } = await import('../scenarios/located.js')
  const parsed = await parseLocated(await readTextFile(file), (document) => ({ document }))
  return 'document' in parsed ? (parsed.document as ScenarioDocument) : undefined
}

/** Writes the text of a recording into a file, over its contents. Prompts stand in it: only the owner can read a new file. */
const writeRecording = (file: string, text: string): Promise<void> =>
  writeFile(file, text, { mode: 0o600 }).catch((cause) => {
    throw new EmulatorError(`The recording cannot be written to ${file}: ${systemReason(cause)}.`, {
      code: 'cannot-record',
      hint: 'Name a file in a folder that is there and may be written to.',
      cause,
    })
  })

const advanceInput = (how: Advance): ActionInput<'clock.advance'> => {
  if (typeof how !== 'object') return { by: how }
  // Other keys are passed on, so that they are refused.
  return Object.assign({ ...how }, { to: how.to instanceof Date ? how.to.toISOString() : how.to })
}

const countIn = ({ total, evicted }: Count): Count => ({ total, evicted })

// vitest and Jest end a test after 5 s. A wait of that length would end with the test, and not say what has happened.
const WAIT_TIMEOUT = '4s'

/**
 * Account handles over any transport.
 * @param url base URL of the emulator, for the addresses of its inbox; empty: it does not listen
 */
export const createHandles = (key: string, invoke: Transport, url = ''): AccountHandles => {
  /** Waits for a condition whose answer is a `T`. Unknown options are passed on, so that misspelt ones are refused. */
  const wait = async <T>(
    condition: ActionInput<'wait'>,
    { timeout = WAIT_TIMEOUT, ...others }: CountedWaitOptions = {},
  ): Promise<T> =>
    (await invoke('wait', {
      ...condition,
      ...others,
      timeout: `${parseDuration(timeout, 'timeout')}ms`,
    })) as T
  const waitForItems = async <T>(condition: ActionInput<'wait'>, options?: CountedWaitOptions) =>
    (await wait<{ readonly items: readonly T[] }>(condition, options)).items
  const play = async (scenario: GivenScenario) => {
    const input = await playInput(scenario).catch(async (error) => {
      const document = typeof scenario === 'string' ? await unknownHere(scenario, error) : undefined
      if (document === undefined) throw error
      // Of two refusals, the one with lines and columns.
      return invoke('scenario.play', document).catch(() => Promise.reject(error))
    })
    return 'items' in input ? input : invoke('scenario.play', input)
  }
  const steps = async () =>
    (await invoke('scenario.read', {})).items.flatMap(({ name, steps }) =>
      steps.map((step) => ({ scenario: name, ...step })),
    )
  return withValidation({
    key,
    clock: {
      read: () => invoke('clock.read', {}),
      advance: (how) => invoke('clock.advance', advanceInput(how)),
      change: (change) => invoke('clock.change', change),
    },
    tasks: {
      list: async (filter = {}) => (await invoke('tasks.list', filter)).items,
      get: (id) => invoke('tasks.read', { id }),
      force: (id, status, error) => invoke('tasks.force', { id, status, error }),
      fail: (id, error) => invoke('tasks.force', { id, status: 'failed', error }),
      waitFor: (id, status, options) => wait({ for: 'task', id, status }, options),
    },
    requests: {
      list: async (filter = {}) => (await invoke('requests.list', filter)).items,
      count: async (filter = {}) => countIn(await invoke('requests.list', { ...filter, limit: 1 })),
      inFlight: async () => (await invoke('requests.list', { limit: 1 })).inFlight,
      get: (id) => invoke('requests.read', { id }),
      explain: async (id) => (await invoke('requests.read', { id })).explanation,
      save: async (file) => writeRecording(file, await invoke('recording.read', { format: 'replay' })),
      waitFor: (filter, options) => waitForItems({ ...filter, for: 'request' }, options),
    },
    callbacks: {
      list: async (filter = {}) => (await invoke('callbacks.list', filter)).items,
      count: async (filter = {}) => countIn(await invoke('callbacks.list', { ...filter, limit: 1 })),
      get: (id) => invoke('callbacks.read', { id }),
      redeliver: (id) => invoke('callbacks.redeliver', { id }),
      waitFor: (filter, options) => waitForItems({ ...filter, for: 'callback' }, options),
    },
    scenario: {
      play: async (scenario) => (await play(scenario)).items,
      steps,
      unused: async () => (await steps()).filter(({ required, acted }) => required && acted === 0),
      stop: async (name) => void (await invoke('scenario.stop', { name })),
    },
    fail: async (operation, failing) =>
      void (await invoke('scenario.play', await playInput(failingScenario(operation, failing)))),
    inbox: (name) =>
      withValidation(
        {
          url: `${url}/_backlot/inbox/${encodeURIComponent(name)}`,
          list: async () => (await invoke('inbox.read', { name })).items,
          waitFor: (options) => waitForItems({ for: 'inbox', name }, options),
        },
        'inbox.',
      ),
    read: () => invoke('account.read', {}),
    change: (change) => invoke('account.change', change),
    timeline: async () => (await invoke('timeline.read', {})).items,
    looseEnds: () => invoke('loose-ends.read', {}),
    verdict: async () => (await invoke('verdict.read', {})).items,
    pause: async (ms) => void (await invoke('clock.advance', { by: ms })),
    finish: (options) => invoke('finish', finishInput(options)),
    idle: async (options) => void (await wait({ for: 'idle' }, options)),
    reset: async () => void (await invoke('reset', {})),
    snapshot: () => invoke('snapshots.take', {}),
    restore: async ({ id }) => void (await invoke('snapshots.restore', { id })),
  })
}

const finishInput = ({ verdict = true }: FinishOptions = {}): { verdict?: 'false' } =>
  verdict ? {} : { verdict: 'false' }

/**
 * Emulator handles over a transport for each account.
 * @param key the account of the emulator's own handles
 */
export const createEmulatorHandles = (
  url: string,
  invokeAs: (key: string) => Transport,
  key: string = DEFAULT_KEY,
): EmulatorHandles => {
  const account = (of: string) => createHandles(of, invokeAs(of), url)
  const own = account(key)
  return withValidation({
    ...own,
    // What happened to an emulator is what happened to all of its accounts.
    requests: {
      ...own.requests,
      save: async (file) =>
        writeRecording(file, await invokeAs(key)('recording.read', { format: 'replay', all: 'true' })),
    },
    snapshot: () => invokeAs(key)('snapshots.take', { all: 'true' }),
    restore: async ({ id }) => void (await invokeAs(key)('snapshots.restore', { id, all: 'true' })),
    url,
    account,
    verdictAll: async () => (await invokeAs(key)('verdict.read', { all: 'true' })).items,
    resetAll: async () => void (await invokeAs(key)('reset', { all: 'true' })),
    finishAll: (of, options) => invokeAs(of)('finish', { ...finishInput(options), all: 'true' }),
  })
}
