import { randomUUID } from 'node:crypto'
import { appendFileSync, closeSync, openSync, renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { faults } from '../../emulator/surface/faults.js'
import {
  connectionOutcomeOf,
  IDEMPOTENCY_KEY,
  type JournalEntry,
  redaction,
  textAt,
} from '../../emulator/surface/journal.js'
import {
  accountIdOf,
  EmulatorError,
  type Events,
  hash,
  momentAt,
  type State,
  type Task,
} from '../../emulator/surface/records.js'
import type { Registry } from '../../emulator/surface/registry.js'
import {
  promptIn,
  readScenarioDocument,
  rehearsedFileOf,
  type Scenario,
  scenarioResultOf,
} from '../../emulator/surface/scenarios.js'
import type { Emulator, Extension, RunningExtension } from '../../emulator/surface/starting.js'
import type { CallbackSighting, CallSighting, Sighting } from './sighting.js'

/** File of a run's folder with the document of the scenario that its emulators play; null: the baseline. */
export const PLAN = 'plan.json'

/**
 * Joins the run of a sweep. Returns what reads the scenario of the run, which plays for every account unless the emulator has its
 * own, and the watcher.
 * @param folder of the run
 * @param hasOwn whether the emulator plays scenarios without the sweep
 * @param record starts a recording into a file
 */
export const joinSweep = async (
  folder: string,
  { hasOwn, record }: { readonly hasOwn: boolean; readonly record: StartRecording },
) => {
  const plan = await readFile(join(folder, PLAN), 'utf8').catch((cause) => {
    throw new EmulatorError(`BACKLOT_SWEEP names ${folder}, which is no folder of a sweep.`, {
      code: 'bad-setting',
      hint: '`backlot sweep` sets this variable; unset it where none runs.',
      cause,
    })
  })
  const document: unknown = JSON.parse(plan)
  let scenario: Scenario | undefined
  return {
    scenariosFor: (registry: Registry): readonly Scenario[] => {
      scenario = document === null || hasOwn ? undefined : scenarioFor(document, registry)
      return scenario === undefined ? [] : [scenario]
    },
    watcher: ((emulator) => watch(emulator, folder, scenario, document === null, record)) satisfies Extension,
  }
}

/**
 * The scenario of a run. Undefined where it names what this emulator does not have: the sweep has read it with the families and the
 * profile of its options, and a test can start an emulator without them.
 */
const scenarioFor = (document: unknown, registry: Registry): Scenario | undefined => {
  try {
    return readScenarioDocument(document, registry)
  } catch (error) {
    if (error instanceof EmulatorError && error.code === 'bad-scenario') return undefined
    throw error
  }
}

/** Records an emulator into a file. */
type StartRecording = (file: string) => Extension

/** Scope of an account while it is open. After a reset the same ids of tasks come again. */
interface Scope {
  readonly name: string
  readonly tasks: Map<string, Task>
  readonly states: Map<string, State>
  /** What the verdict looks at, where it is asked for. */
  readonly entries: JournalEntry[]
  readonly callbacks: Map<string, Events['callback'][0]>
  /** Numbers of tasks within their families, in the order in which they were made. */
  readonly numbers: Map<string, number>
}

const newScope = (): Scope => ({
  name: randomUUID().slice(0, 8),
  tasks: new Map(),
  states: new Map(),
  numbers: new Map(),
  entries: [],
  callbacks: new Map(),
})

const numberIn = ({ tasks }: Scope, { family }: Task): number =>
  1 + [...tasks.values()].filter((other) => other.family === family).length

/**
 * Ledger of sightings, which an emulator appends to a file of its run. Each line is written at once, since the command may be
 * killed. A ledger that cannot be written ends, and its file is renamed to say so.
 */
class SightingsFile {
  readonly #folder: string
  readonly #id: string
  readonly #file: number
  #isBroken = false

  constructor(folder: string, id: string) {
    this.#folder = folder
    this.#id = id
    this.#file = openSync(this.#path, 'w', 0o600)
  }

  get #path(): string {
    return join(this.#folder, `sightings-${this.#id}.jsonl`)
  }

  write(sighting: Sighting): void {
    if (this.#isBroken) return
    try {
      // Unlike writeSync, it does not end with a part of the line.
      appendFileSync(this.#file, `${JSON.stringify(sighting)}\n`)
    } catch (error) {
      this.breakOff(error)
    }
  }

  breakOff(error: unknown): void {
    this.#isBroken = true
    const { code = 'EIO' } = error as NodeJS.ErrnoException
    // A file can be renamed on a full disk too.
    renameSync(this.#path, join(this.#folder, `sightings-${this.#id}.${code}`))
  }

  close(): void {
    closeSync(this.#file)
  }
}

/**
 * Watcher of an emulator in a run of a sweep: records it, and writes a sighting of all that matters.
 * @param scenario what the run plays here, or undefined where it plays nothing
 * @param isJudged whether the verdict on each client is written too: where nothing plays
 */
const watch = async (
  emulator: Emulator,
  folder: string,
  scenario: Scenario | undefined,
  isJudged: boolean,
  record: StartRecording,
): Promise<RunningExtension> => {
  const id = randomUUID().slice(0, 8)
  const file = new SightingsFile(folder, id)
  let recording: RunningExtension
  try {
    recording = await record(join(folder, `recording-${id}.jsonl`))(emulator)
  } catch (error) {
    file.breakOff((error as Error).cause ?? error)
    throw error
  }
  const scopes = new Map<string, Scope>()
  const scopeOf = (key: string): Scope => {
    const scope = scopes.get(key) ?? newScope()
    scopes.set(key, scope)
    return scope
  }

  const judge = (key: string, scope: Scope): void => {
    if (isJudged) for (const sighting of findingsIn(emulator.registry, key, scope)) file.write(sighting)
  }

  if (emulator.scenarios.given.some((own) => own !== scenario)) file.write({ kind: 'own' })
  const unfollow = emulator.journals.follow({
    opened: () => {},
    call: (entry) => {
      const { account: key } = entry
      if (isJudged) scopeOf(key).entries.push(entry)
      file.write({
        ...callSighting(entry, scopeOf(key), scenario, emulator.systemNow()),
        ...ofFamily(emulator.registry, entry),
        file: fileOf(emulator.registry, entry, scopeOf(key)),
      })
      // There is no event for a task that was made. To read an account that was just called takes no time.
      if (makesTask(entry))
        void emulator.store.read(key, ({ tasks }, now) => writeTask(key, tasks.get(entry.task ?? ''), now))
    },
    controlled: (key, { action }) => {
      if (action !== 'scenario.play') return
      file.write({ kind: 'own', account: accountIdOf(key) })
      void emulator.store.transact(key, (account) => {
        account.playing = account.playing.filter((run) => run.scenario !== scenario)
      })
    },
    forgotten: (key) => {
      judge(key, scopeOf(key))
      scopes.delete(key)
    },
  })
  const writeTask = (key: string, task: Task | undefined, at: number) => {
    if (task === undefined) return
    const scope = scopeOf(key)
    const { state } = momentAt(task.timeline, at).value
    if (!scope.tasks.has(task.id)) scope.numbers.set(task.id, numberIn(scope, task))
    scope.tasks.set(task.id, task)
    scope.states.set(task.id, state)
    const account = accountIdOf(key)
    file.write({ kind: 'task', account, at, task: scoped(scope, task.id), state, price: task.price })
  }
  const onEvent = ({ account, at, task }: Events['happening'][0]) => {
    if (task === undefined) return
    writeTask(account, task, at)
    // A callback that a step holds back brings no event before it is sent, which may be after the end.
    void emulator.store.read(account, ({ callbacks }) => {
      for (const record of callbacks.log.values())
        if (record.taskId === task.id && record.attempts.length === 0) onCallback({ ...record, account })
    })
  }
  const onCallback = (record: Events['callback'][0]) => {
    if (isJudged) scopeOf(record.account).callbacks.set(record.id, record)
    file.write(callbackSighting(record, scopeOf(record.account), scenario, emulator.systemNow()))
  }
  emulator.events.on('happening', onEvent)
  emulator.events.on('callback', onCallback)
  const end = async (): Promise<void> => {
    unfollow()
    emulator.events.off('happening', onEvent)
    emulator.events.off('callback', onCallback)
    for (const [key, scope] of scopes) judge(key, scope)
    await recording.end()
    file.close()
  }
  return { flush: async () => recording.flush?.(), end }
}

/** Findings about the client of an account, from what the watcher saw of it. */
const findingsIn = ({ operations, fileOperations }: Registry, key: string, scope: Scope): Sighting[] => {
  const { entries, tasks, callbacks } = scope
  const now = entries.at(-1)?.at ?? 0
  return faults
    .findingsOf({
      entries,
      tasks: [...tasks.values()],
      callbacks: [...callbacks.values()],
      now: Math.max(now, ...[...callbacks.values()].flatMap(({ attempts }) => attempts.at(-1)?.at ?? [])),
      operations: operations.map(({ id }) => id),
      fileOperations,
    })
    .map(({ kind: finding, message }) => ({
      kind: 'finding',
      account: accountIdOf(key),
      at: now,
      finding,
      message,
    }))
}

// Reports quote it.
const redactedPrompt = (prompt: string | undefined, account: string): string | undefined =>
  prompt === undefined ? undefined : redaction.text(prompt, account)

const scoped = ({ name }: Scope, task: string): string => `${name}/${task}`

const makesTask = ({ operation, task }: JournalEntry): boolean =>
  task !== undefined && operation?.endsWith('.create') === true

/** What only the families of this emulator say of a call. */
const ofFamily = ({ fileOperations, operations }: Registry, { operation = '' }: JournalEntry) => {
  const has = (verb: string) =>
    operation.endsWith('.create') &&
    operations.some(({ id }) => id === operation.replace(/\.create$/, `.${verb}`))
  return {
    ...(fileOperations.includes(operation) ? { isFile: true as const } : {}),
    ...(has('cancel') ? { canCancel: true as const } : {}),
    ...(has('list') ? { canList: true as const } : {}),
  }
}

/** The file that a download asks for, where its task is known. */
const fileOf = (
  { fileOperations }: Registry,
  { operation = '', task: id = '', path, at }: JournalEntry,
  { tasks }: Scope,
): CallSighting['file'] => {
  const task = tasks.get(id)
  if (task === undefined || !fileOperations.includes(operation)) return undefined
  return rehearsedFileOf(tasks, task, path, at)
}

const callSighting = (
  entry: JournalEntry,
  scope: Scope,
  scenario: Scenario | undefined,
  wall: number,
): CallSighting => {
  const { at, begun, operation, method, status, query, requestBody, headers, played, task, answered } = entry
  const acted = actedOf(played && scenarioResultOf(played), scenario)
  const key = headers[IDEMPOTENCY_KEY]
  const known = scope.tasks.get(task ?? '')
  return {
    kind: 'call',
    account: accountIdOf(entry.account),
    at,
    wall,
    begun,
    operation,
    method,
    status,
    acted,
    headers: Object.keys(headers),
    request: hashOf(
      `${method} ${entry.path}?${query} ${JSON.stringify(requestBody) ?? ''}`.replace(LOCAL_PORT, '$1'),
    ),
    range: headers.range,
    connection: connectionOutcomeOf(entry),
    hasLeft: answered?.hasLeft,
    task: task && scoped(scope, task),
    makes: makesTask(entry),
    state: known && momentAt(known.timeline, at).value.state,
    taskNumber: scope.numbers.get(task ?? ''),
    model: known?.model ?? textAt(requestBody, ['model']),
    prompt: operation?.endsWith('.create') ? redactedPrompt(promptIn(requestBody), entry.account) : undefined,
    idempotencyKey: key && hashOf(key),
    retryAfterMs: faults.retryAfterMsIn(answered?.headers ?? {}, at),
    final: faults.saysFinal(entry, scope.states.get(task ?? '') ?? 'queued', acted),
  }
}

// Ports differ from run to run, in addresses of callbacks as in those of results.
const LOCAL_PORT = /(127\.0\.0\.1|localhost|\[::1\]):\d+/g

const hashOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 16)

const actedOf = (
  result?: ReturnType<typeof scenarioResultOf> | null,
  scenario?: Scenario,
): CallSighting['acted'] => {
  const { acted } = result ?? {}
  if (!acted || acted.scenario !== scenario?.name) return undefined
  return { step: acted.step, effects: [...acted.effects] }
}

const callbackSighting = (
  record: Events['callback'][0],
  scope: Scope,
  scenario: Scenario | undefined,
  wall: number,
): CallbackSighting => {
  const { taskId, kind: message, status, state, attempts } = record
  const task = scope.tasks.get(taskId)
  const last = attempts.at(-1)
  const isAnswered = last?.status !== undefined && last.status >= 200 && last.status < 300
  return {
    kind: 'callback',
    account: accountIdOf(record.account),
    at: last?.at ?? wall,
    message,
    task: scoped(scope, taskId),
    taskNumber: scope.numbers.get(taskId),
    operation: `${task?.family}.create`,
    model: task?.model,
    prompt: redactedPrompt(textAt(task?.params, ['prompt']), record.account),
    status: status ?? undefined,
    isRefused:
      last !== undefined && last.outcome !== 'refused-address' && !(isAnswered && state !== 'failed'),
    acted: actedOf(record.scenario, scenario),
  }
}
