import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { descriptionOf, documentOf, type Scenario } from '../core/scenario/schema.js'
import { type LedgerEntry, ledgerOf } from './ledger.js'
import { type CommandEnd, runCommand, type SpawnedCommand } from './process.js'
import { canReach } from './reach.js'
import type { Cell, untestedReasons } from './report.js'
import { readSightings, type SightedRun, type Sighting } from './sighting.js'
import { gravityOf, type Verdict, verdictOf } from './verdict.js'
import { PLAN, type Plan } from './watch.js'

/** Scenario of a sweep, and how the command line names it. */
export interface SweptScenario {
  readonly scenario: Scenario
  /** Name of a ready-made one, or a file. */
  readonly source: string
}

export interface SweepOptions {
  readonly command: SpawnedCommand
  readonly scenarios: readonly SweptScenario[]
  /** Folder for what the runs write. */
  readonly folder: string
  readonly jobs: number
  readonly repeat: number
  /** Of one run; undefined: five times the baseline, and at least 20 s. */
  readonly timeoutMs: number | undefined
  /** Of the whole sweep; undefined: without end. */
  readonly budgetMs: number | undefined
  /** Lines that run a scenario again. */
  readonly againLines: (scenario: SweptScenario, recording: string | undefined) => string[]
}

/** Emulator of a run, for tests that find it in their environment. */
export interface RunServer {
  /** Variables of the command. */
  readonly environment: NodeJS.ProcessEnv
  close(): Promise<void>
}

export interface SweepParts {
  /** Opens the emulator of a run, which joins the run by its folder. */
  readonly openServer: (folder: string) => Promise<RunServer>
  readonly signal: AbortSignal
  /** Told of each cell as it is judged. */
  readonly onCell?: (cell: Cell, leftMs: number) => void
}

/** Baseline: the run without a scenario, with which the others are compared. */
export interface Baseline extends CommandEnd, SightedRun {
  readonly output: string
}

export interface Sweep {
  /** Runs the command without a scenario. */
  baseline(): Promise<Baseline>
  /** Scenarios that matter to the recorded calls, and those of which no step would act. */
  select(baseline: Baseline): { readonly reached: SweptScenario[]; readonly others: SweptScenario[] }
  /** Judges every scenario, in the order in which they are given. */
  judge(baseline: Baseline): Promise<Cell[]>
}

/** Expected time of so many runs. */
export const expectedMs = (
  runs: number,
  { durationMs }: Pick<Baseline, 'durationMs'>,
  jobs: number,
): number => Math.ceil(runs / jobs) * durationMs

const MIN_TIMEOUT_MS = 20_000
const BASELINES = 5

export const createSweep = (options: SweepOptions, parts: SweepParts): Sweep => {
  const { command, scenarios, folder, jobs, repeat, budgetMs } = options
  const begin = performance.now()
  const timeoutOf = ({ durationMs }: Baseline) =>
    options.timeoutMs ?? Math.max(MIN_TIMEOUT_MS, BASELINES * durationMs)

  const runOnce = async (
    name: string,
    plan: Plan,
    worker: number,
    timeoutMs: number | undefined,
  ): Promise<Baseline> => {
    const own = join(folder, name)
    await mkdir(own, { recursive: true })
    await writeFile(join(own, PLAN), JSON.stringify(plan))
    const server = await parts.openServer(own)
    const output = join(own, 'output.txt')
    const environment = { ...server.environment, BACKLOT_SWEEP: own, BACKLOT_SWEEP_WORKER: String(worker) }
    const { signal } = parts
    const end = await runCommand({ command, environment, output, timeoutMs, signal }).finally(server.close)
    return { ...end, ...(await readSightings(own)), output }
  }

  const select = ({ sightings }: Baseline) => ({
    reached: scenarios.filter(({ scenario }) => canReach(scenario, sightings)),
    others: scenarios.filter(({ scenario }) => !canReach(scenario, sightings)),
  })

  const judgeOne = async (swept: SweptScenario, baseline: Baseline, worker: number): Promise<Cell> => {
    const plan = { scenario: documentOf(swept.scenario) }
    const cells: Cell[] = []
    for (let round = 1; round <= repeat; round += 1) {
      const name = repeat === 1 ? swept.scenario.name : `${swept.scenario.name}-${round}`
      const run = await runOnce(name, plan, worker, timeoutOf(baseline))
      if (run.isAborted) return untestedCell(swept, 'interrupted')
      cells.push(cellOf(swept, run, baseline, options.againLines(swept, run.recording)))
      const { verdict } = cells.at(-1) as Cell
      if (round === 1 && (verdict === 'survived' || gravityOf(verdict) === undefined)) break
    }
    return worstOf(cells)
  }

  return {
    baseline: () => runOnce('baseline', { scenario: null }, 1, options.timeoutMs),
    select,
    judge: async (baseline) => {
      const { reached, others } = select(baseline)
      const cells = new Map(others.map((swept) => [swept.scenario.name, notReachedCell(swept)]))
      const queue = [...reached]
      const work = async (worker: number) => {
        for (let swept = queue.shift(); swept !== undefined; swept = queue.shift()) {
          const isOver = budgetMs !== undefined && performance.now() - begin + baseline.durationMs > budgetMs
          const cell = parts.signal.aborted
            ? untestedCell(swept, 'interrupted')
            : isOver
              ? untestedCell(swept, 'budget')
              : await judgeOne(swept, baseline, worker)
          cells.set(swept.scenario.name, cell)
          parts.onCell?.(cell, expectedMs(queue.length, baseline, jobs))
        }
      }
      await Promise.all(Array.from({ length: jobs }, (_, index) => work(index + 1)))
      return scenarios.map(({ scenario }) => cells.get(scenario.name) as Cell)
    },
  }
}

const cellOf = (swept: SweptScenario, run: Baseline, baseline: Baseline, again: string[]): Cell => {
  const { sightings, outcome, durationMs } = run
  const ledger = ledgerOf(sightings, baseline.sightings, outcome === 'pass')
  const isCalled = sightings.some(({ kind }) => kind === 'call')
  const verdict = verdictOf({
    outcome,
    ledger,
    isReached: sightings.some((one) => 'acted' in one && one.acted !== undefined),
    isCalled,
    survivable: swept.scenario.survivable ?? true,
  })
  return {
    ...emptyCell(swept, verdict),
    tests: outcome,
    seen: ledger.map(({ accounts: _, ...entry }) => entry),
    ...(verdict === 'untested' ? { why: 'no-calls' } : {}),
    files: filesOf(sightings, ledger),
    leftAlone: leftAloneIn(sightings),
    durationMs: Math.round(durationMs),
    again,
  }
}

const emptyCell = ({ scenario }: SweptScenario, verdict: Verdict): Cell => ({
  scenario: scenario.name,
  description: descriptionOf(scenario)?.trim() ?? '',
  ...(scenario.about === undefined ? {} : { about: scenario.about }),
  survivable: scenario.survivable ?? true,
  tests: null,
  seen: [],
  verdict,
  files: [],
  leftAlone: 0,
  durationMs: 0,
  again: [],
})

const notReachedCell = (swept: SweptScenario): Cell => emptyCell(swept, 'not-reached')

const untestedCell = (swept: SweptScenario, why: (typeof untestedReasons)[number]): Cell => ({
  ...emptyCell(swept, 'untested'),
  why,
})

// The gravest of several runs stands for them.
const worstOf = (cells: readonly Cell[]): Cell => {
  const sorted = [...cells].sort((a, b) => (gravityOf(b.verdict) ?? -1) - (gravityOf(a.verdict) ?? -1))
  const all = [...new Set(cells.map(({ verdict }) => verdict))]
  return { ...(sorted[0] as Cell), ...(all.length > 1 ? { flaky: all } : {}) }
}

/** Test files whose accounts met a step of the scenario, or stand in the ledger. */
const filesOf = (sightings: readonly Sighting[], ledger: readonly LedgerEntry[]): string[] => {
  const accounts = new Set([
    ...ledger.flatMap((entry) => entry.accounts),
    ...sightings.flatMap((one) => ('acted' in one && one.acted !== undefined ? [one.account] : [])),
  ])
  const files = sightings.flatMap((one) =>
    one.kind === 'test' && accounts.has(one.account) ? [one.file] : [],
  )
  return [...new Set(files)].sort()
}

/** Number of accounts, and of emulators, that played a scenario of their own. */
export const leftAloneIn = (sightings: readonly Sighting[]): number => {
  const own = sightings.filter((one) => one.kind === 'own')
  const named = new Set(own.flatMap(({ account }) => account ?? []))
  return named.size + own.filter(({ account }) => account === undefined).length
}
