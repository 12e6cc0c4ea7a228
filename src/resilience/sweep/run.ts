import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SpawnedCommand } from '../../command/windows-command.js'
import { EmulatorError } from '../../emulator/surface/records.js'
import {
  adviceOf,
  descriptionOf,
  documentOf,
  isSurvivable,
  type RehearsedCall,
  type Scenario,
  wouldAct,
} from '../../emulator/surface/scenarios.js'
import { firstErrorIn } from './first-error.js'
import { type LedgerEntry, ledgerOf } from './ledger.js'
import { type CommandEnd, runCommand } from './process.js'
import { type Cell, gravityOf, isUneventful, unjudgedCell, verdictOf } from './report.js'
import {
  actedOn,
  type CallSighting,
  cannotSweep,
  hasCalls,
  leftAloneIn,
  readSightings,
  type Sighting,
} from './sighting.js'
import { PLAN } from './watch.js'

/** Scenario of a sweep, and how the command line names it. */
export interface SweptScenario {
  readonly scenario: Scenario
  /** Name of a ready-made one, or a file. */
  readonly source: string
}

export interface SweepOptions {
  readonly command: SpawnedCommand
  readonly scenarios: readonly SweptScenario[]
  readonly folder: string
  /** Whether the files of uneventful runs are kept too. */
  readonly keepsAll: boolean
  readonly jobs: number
  readonly repeat: number
  /** Time limit of one run, or undefined for five times the baseline, and at least 20 s. */
  readonly timeoutMs: number | undefined
  /** Time limit of the whole sweep, or undefined where there is none. */
  readonly budgetMs: number | undefined
  readonly rerunLines: (scenario: SweptScenario, run: Pick<Run, 'recording' | 'isMetElsewhere'>) => string[]
  /** Opens the emulator of a run, which joins the run by its folder. `environment`: variables of the command. */
  readonly openServer: (
    folder: string,
  ) => Promise<{ readonly environment: NodeJS.ProcessEnv; close(): Promise<void> }>
  readonly signal: AbortSignal
  /** Called with each cell that was run, and with the expected time of those that are left. */
  readonly onCell?: (cell: Cell, leftMs: number) => void
}

/** Run of the command. The other runs are compared with the baseline, which has no scenario. */
export interface Run extends CommandEnd, Awaited<ReturnType<typeof readSightings>> {
  readonly output: string
  /** Whether it was ended because the budget was used up. */
  readonly isOverBudget: boolean
}

/** Expected time of so many runs. */
export const expectedMs = (runs: number, { durationMs }: Pick<Run, 'durationMs'>, jobs: number): number =>
  Math.ceil(runs / jobs) * durationMs

const BASELINE = 'baseline'
const MIN_TIMEOUT_MS = 20_000
const TIMEOUT_BASELINES = 5

/** Sweep: runs a command without a scenario and then under each of several, and judges what its client did. */
export class Sweep {
  readonly #options: SweepOptions
  readonly #begin = performance.now()

  constructor(options: SweepOptions) {
    this.#options = options
  }

  /** Runs the command without a scenario. */
  baseline(): Promise<Run> {
    return this.#run(BASELINE, null, 1, this.#options.timeoutMs ?? Number.POSITIVE_INFINITY)
  }

  /** Scenarios of which a step would act on the recorded calls. */
  reached({ sightings }: Run): SweptScenario[] {
    return this.#options.scenarios.filter(({ scenario }) => canReach(scenario, sightings))
  }

  /** Judges every scenario, in the order in which they are given. Those that are not reached cost no run. */
  async judge(baseline: Run): Promise<Cell[]> {
    const { scenarios, jobs, signal, onCell } = this.#options
    const cells = new Map<SweptScenario, Cell>()
    const queue = this.reached(baseline)
    const work = async (worker: number): Promise<void> => {
      for (let swept = queue.shift(); swept !== undefined; swept = queue.shift()) {
        const why = whyUnjudged(signal.aborted, this.#leftMs() < baseline.durationMs)
        const cell =
          why === undefined
            ? await this.#judgeOne(swept, baseline, worker)
            : unjudgedCell(factsOf(swept), why)
        cells.set(swept, cell)
        if (cell.durationMs > 0) onCell?.(cell, expectedMs(queue.length, baseline, jobs))
      }
    }
    const fail = (error: unknown): never => {
      queue.length = 0
      throw error
    }
    // Where one fails, those that run end before it is told.
    const workers = Array.from({ length: Math.min(jobs, queue.length) }, (_, index) =>
      work(index + 1).catch(fail),
    )
    await Promise.allSettled(workers)
    await Promise.all(workers)
    const why = hasCalls(baseline.sightings) ? undefined : 'no-calls'
    return scenarios.map((swept) => cells.get(swept) ?? unjudgedCell(factsOf(swept), why))
  }

  /** What is left of the budget. A run that uses it up is ended. */
  #leftMs(): number {
    const { budgetMs = Number.POSITIVE_INFINITY } = this.#options
    return Math.max(1, budgetMs - (performance.now() - this.#begin))
  }

  async #run(name: string, plan: unknown, worker: number, limitMs: number): Promise<Run> {
    const { folder, openServer, command, signal } = this.#options
    const own = join(folder, name)
    try {
      await mkdir(own, { recursive: true })
      // A folder that is used again holds what an earlier sweep saw.
      for (const file of await readdir(own))
        if (/^(sightings|recording)-/.test(file)) await rm(join(own, file), { recursive: true })
      await writeFile(join(own, PLAN), JSON.stringify(plan))
      const server = await openServer(own)
      const output = join(own, 'output.txt')
      const environment = { ...server.environment, BACKLOT_SWEEP: own, BACKLOT_SWEEP_WORKER: String(worker) }
      const budgetLeftMs = this.#leftMs()
      const timeoutMs = Math.min(limitMs, budgetLeftMs)
      const runBeside = async () => {
        // The command has not begun, so that these are the files of the server.
        const served = await readdir(own)
        return { served, end: await runCommand({ command, environment, output, timeoutMs, signal }) }
      }
      const { served, end } = await runBeside().finally(server.close)
      const isOverBudget = end.outcome === 'hung' && budgetLeftMs < limitMs
      return { ...end, ...(await readSightings(own, served)), output, isOverBudget }
    } catch (error) {
      const cause = error instanceof EmulatorError && error.code === 'cannot-record' ? error.cause : error
      throw (cause as NodeJS.ErrnoException | undefined)?.syscall === undefined
        ? error
        : cannotSweep(own, cause)
    }
  }

  async #judgeOne(swept: SweptScenario, baseline: Run, worker: number): Promise<Cell> {
    const cells: Cell[] = []
    for (let round = 1; round <= this.#options.repeat; round += 1) {
      const cell = await this.#judgeRound(swept, baseline, worker, round)
      // What earlier rounds have judged stands.
      if (cell.tests === null && cells.length > 0) break
      cells.push(cell)
      if (round === 1 && (cell.verdict === 'survived' || gravityOf(cell.verdict) === undefined)) break
    }
    return worstOf(cells)
  }

  async #judgeRound(swept: SweptScenario, baseline: Run, worker: number, round: number): Promise<Cell> {
    const { scenario } = swept
    const { folder, repeat, keepsAll, rerunLines } = this.#options
    const { timeoutMs = Math.max(MIN_TIMEOUT_MS, TIMEOUT_BASELINES * baseline.durationMs) } = this.#options
    // No name of a scenario has a dot.
    const isPlain = repeat === 1 && scenario.name !== BASELINE
    const name = isPlain ? scenario.name : `${scenario.name}.${round}`
    const end = await this.#run(name, documentOf(scenario), worker, timeoutMs)
    const why = whyUnjudged(end.isAborted, end.isOverBudget)
    if (why !== undefined) return unjudgedCell(factsOf(swept), why)
    const error = end.outcome === 'pass' ? undefined : firstErrorIn(await readFile(end.output, 'utf8'))
    const cell = { ...cellOf(swept, end, baseline), ...(error === undefined ? {} : { error }) }
    const isKept = keepsAll || !isUneventful(cell.verdict)
    if (!isKept) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
    const { isMetElsewhere } = end
    const recording = isKept ? end.recording : undefined
    return { ...cell, again: rerunLines(swept, { recording, isMetElsewhere }) }
  }
}

/** Why a scenario is not judged, or undefined where it is. */
const whyUnjudged = (isAborted: boolean, isOverBudget: boolean) =>
  isAborted ? 'interrupted' : isOverBudget ? 'budget' : undefined

const cellOf = (swept: SweptScenario, run: Run, baseline: Run): Omit<Cell, 'again'> => {
  const { sightings, outcome, durationMs } = run
  const ledger = ledgerOf(sightings, baseline.sightings, outcome === 'pass')
  const survivable = isSurvivable(swept.scenario, familiesMet(sightings))
  const verdict = verdictOf({
    outcome,
    ledger,
    isReached: actedOn(sightings).length > 0,
    isCalled: hasCalls(sightings),
    survivable,
  })
  return {
    ...factsOf(swept),
    survivable,
    tests: outcome,
    seen: ledger.map(({ accounts: _, ...entry }) => entry),
    verdict,
    ...(verdict === 'untested' ? { why: 'no-calls' } : {}),
    files: filesOf(sightings, ledger),
    leftAlone: leftAloneIn(sightings),
    durationMs: Math.round(durationMs),
  }
}

const factsOf = ({ scenario }: SweptScenario): Parameters<typeof unjudgedCell>[0] => {
  const { name, about } = scenario
  const advice = adviceOf(scenario)?.trim()
  return {
    scenario: name,
    description: descriptionOf(scenario)?.trim() ?? '',
    ...(advice === undefined ? {} : { advice }),
    ...(about === undefined ? {} : { about }),
    survivable: isSurvivable(scenario, []),
  }
}

/** Families of the calls and callbacks on which a step has acted. */
const familiesMet = (sightings: readonly Sighting[]): string[] =>
  actedOn(sightings).flatMap((sighting) =>
    'operation' in sighting && sighting.operation !== undefined
      ? [sighting.operation.split('.', 1)[0] as string]
      : [],
  )

// The gravest of several runs represents them.
const worstOf = (cells: readonly Cell[]): Cell => {
  const sorted = [...cells].sort((a, b) => (gravityOf(b.verdict) ?? -1) - (gravityOf(a.verdict) ?? -1))
  const all = [...new Set(cells.map(({ verdict }) => verdict))]
  return { ...(sorted[0] as Cell), ...(all.length > 1 ? { flaky: all } : {}) }
}

/** Test files whose accounts met a step of the scenario, or stand in the ledger. */
const filesOf = (sightings: readonly Sighting[], ledger: readonly LedgerEntry[]): string[] => {
  const met = actedOn(sightings).map(({ account }) => account)
  const accounts = new Set([...ledger.flatMap((entry) => entry.accounts), ...met])
  const tests = sightings.filter((sighting) => sighting.kind === 'test')
  const files = tests.filter(({ account }) => accounts.has(account)).map(({ file }) => file)
  return [...new Set(files)].sort()
}

/**
 * Whether a step of a scenario would act on the recorded calls and callbacks. Where none does, a run with the scenario is
 * the baseline again.
 */
export const canReach = (scenario: Scenario, baseline: readonly Sighting[]): boolean =>
  wouldAct(scenario, baseline.flatMap(rehearsed))

const rehearsed = (sighting: Sighting): RehearsedCall[] => {
  const input = inputOf(sighting)
  if (input === undefined) return []
  const { status, file } = sighting.kind === 'call' ? sighting : { status: 0, file: undefined }
  // A file that is there can be answered with 304, 412 and 416 as well.
  return [{ input, makesSomething: status < 300, hasFile: status !== 403 && status !== 404, file }]
}

const inputOf = (sighting: Sighting): RehearsedCall['input'] | undefined => {
  if (sighting.kind === 'callback') {
    const { account, operation, model, prompt, message: kind, status } = sighting
    const task = taskOf({ ...sighting, state: status })
    const message = { method: undefined, headers: undefined, callback: { kind, status }, task }
    return { operation, account, model, prompt: () => prompt, ...message, now: 0, wall: 0 }
  }
  if (sighting.kind !== 'call' || sighting.operation === undefined) return undefined
  const { account, operation, method, model, prompt } = sighting
  const headers = Object.fromEntries(sighting.headers.map((name) => [name, '']))
  const task = sighting.makes ? undefined : taskOf(sighting)
  const call = { operation, account, model, method, headers, prompt: () => prompt, task }
  return { ...call, callback: undefined, now: 0, wall: 0 }
}

const taskOf = ({
  task: id,
  state = 'queued',
  taskNumber = 1,
}: Pick<CallSighting, 'task' | 'state' | 'taskNumber'>): RehearsedCall['input']['task'] =>
  id === undefined ? undefined : { id, state: () => state, number: () => taskNumber }
