import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { formatDuration } from '../../core/schedule/duration.js'
import type { Settings } from '../../core/settings.js'
import { catalogue } from '../../families/index.js'
import { listen } from '../../listen.js'
import { openEmulator } from '../../open-emulator.js'
import { createLibrary, isFileName } from '../../scenarios/library.js'
import { readScenarioFile } from '../../scenarios/read.js'
import { REPORT_FORMAT, type Report, verdictText } from '../../sweep/report.js'
import {
  type Baseline,
  createSweep,
  expectedMs,
  leftAloneIn,
  type SweepOptions,
  type SweptScenario,
} from '../../sweep/run.js'
import { version } from '../../version.js'
import { type Arguments, type CliCommand, textOption, usageError, warn } from '../command.js'
import { filled, readTemplates } from '../exec.js'
import { readCommandSettings, settingOptions } from '../settings/read.js'
import { spawnCommand } from '../windows-command.js'
import { publish, publishOptions, readTerms } from './publish.js'
import { countOption, durationOption, shardOption } from './words.js'

/** Settings that a sweep has another use for, or none. */
const OTHERS = ['--scenario', '--json', '--quiet', '--port', '--log-file', '--log-level']

export const command: CliCommand = {
  usage: 'sweep [command...]',
  description: 'run tests under every scenario that matters to them, and say what they and the emulator saw',
  options: [
    {
      flags: '--scenario <glob|file>',
      description: 'scenarios to try; default: all ready-made ones (repeatable)',
      repeats: true,
    },
    { flags: '--list', description: 'run the tests once, and say which scenarios would be tried' },
    { flags: '--jobs <number>', description: 'how many runs at a time, each with its emulator (default 1)' },
    { flags: '--repeat <number>', description: 'how often to try what is not survived (default 1)' },
    {
      flags: '--timeout <duration>',
      description: 'time limit of a run (default 5 times the baseline, at least 20s)',
    },
    { flags: '--budget <duration>', description: 'time limit of the whole; what is left is untested' },
    { flags: '--shard <index/count>', description: 'a part of the scenarios, from 1: 2/4' },
    {
      flags: '--output <folder>',
      description: 'what the runs write: output, recordings (default: a new folder)',
    },
    ...publishOptions,
    {
      flags: '--env <name=template>',
      description: 'a variable for the command; {url} and {port} are filled in (repeatable)',
      repeats: true,
    },
    ...settingOptions().filter(({ flags }) => !OTHERS.includes(flags.split(' ')[0] ?? '')),
  ],
  examples: [
    ['backlot sweep -- npm test', 'once as it is, then once under each scenario that its calls meet'],
    ["backlot sweep --scenario 'result-*' --jobs 2 -- npx vitest run", 'some of them, two at a time'],
    ['backlot sweep --html sweep.html --fail-on lost,hung -- npm test', 'a page, and another threshold'],
  ],
  passesOptionsOn: true,
  run: async (args) => runSweep(args),
}

const FAILED_BASELINE = 4

/** Sweeps. Resolves with 0 when all is fine, 1 when something is worse than accepted, 3 when not all was run, 4 when the baseline fails. */
const runSweep = async ({ options, operands }: Arguments): Promise<number> => {
  const run = await readRun(options, operands)
  const terms = await readTerms(options)
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  const progress = createProgress(run.scenarios.length)
  try {
    const sweep = createSweep(run, {
      openServer: (folder) => openServer(folder, run),
      signal: interrupted.signal,
      onCell: (cell, leftMs) => progress.print(`${cell.scenario}: ${verdictText(cell)}`, leftMs),
    })
    progress.begin(`baseline: ${operands.join(' ')}`)
    const baseline = await sweep.baseline()
    if (baseline.isAborted) return 3
    if (baseline.outcome !== 'pass') return failedBaseline(baseline)
    const { reached, others } = sweep.select(baseline)
    if (options.list === true) return printList(reached, others, baseline, run.jobs)
    progress.expect(reached.length)
    const cells = await sweep.judge(baseline)
    progress.end()
    return await publish({ ...headOf(run, baseline), cells }, terms, options)
  } finally {
    progress.end()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

/** What a sweep is to do, as the options say. */
interface Run extends SweepOptions {
  /** The command as it was written. */
  readonly written: readonly string[]
  readonly settings: Settings
  readonly templates: ReturnType<typeof readTemplates>
  /** Names of all scenarios, those of other shards too. */
  readonly names: readonly string[]
  readonly shard: { readonly index: number; readonly of: number } | undefined
}

/** @throws EmulatorError `wrong-usage`, `unknown-scenario`, `no-such-file` or `bad-scenario` */
const readRun = async (options: Arguments['options'], operands: readonly string[]): Promise<Run> => {
  if (operands.length === 0)
    throw usageError('`backlot sweep` wants a command to run.', 'For example: backlot sweep -- npm test')
  const shard = shardOption(textOption(options.shard))
  const numbers = {
    jobs: countOption('--jobs', textOption(options.jobs)) ?? 1,
    repeat: countOption('--repeat', textOption(options.repeat)) ?? 1,
    timeoutMs: durationOption('--timeout', textOption(options.timeout)),
    budgetMs: durationOption('--budget', textOption(options.budget)),
  }
  const templates = readTemplates(options.env)
  const { scenario, json: _, ...others } = options
  const read = await readCommandSettings(
    { folder: process.cwd(), environment: process.env, options: others },
    { isPortFree: true },
  )
  read.warnings.forEach(warn)
  const settings = { ...read.settings, scenario: [] }
  const all = await scenariosOf(Array.isArray(scenario) ? scenario : [])
  const scenarios = all.filter((_, index) => shard === undefined || index % shard.of === shard.index - 1)
  return {
    ...numbers,
    command: spawnCommand(operands[0] as string, operands.slice(1), process.env),
    written: operands,
    scenarios,
    names: all.map(({ scenario }) => scenario.name),
    shard,
    settings,
    templates,
    folder: await folderOf(textOption(options.output)),
    againLines: ({ source }, recording) => [
      [
        'backlot exec',
        `--scenario ${quoted(source)} --seed ${settings.seed}`,
        ...givenAgain(options),
        '--',
        ...operands.map(quoted),
      ].join(' '),
      ...(recording === undefined ? [] : [`backlot replay ${quoted(shortest(recording))}`]),
    ],
  }
}

const folderOf = async (named: string | undefined): Promise<string> =>
  named === undefined ? mkdtemp(join(tmpdir(), 'backlot-sweep-')) : resolve(named)

const shortest = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}

/** Scenarios of the names, patterns and files that are given; all ready-made ones where none is. */
const scenariosOf = async (given: readonly string[]): Promise<SweptScenario[]> => {
  const library = createLibrary(catalogue)
  const names = await library.names()
  const found = await Promise.all(
    (given.length === 0 ? ['*'] : given).map(async (one) => {
      if (isFileName(one)) return [{ scenario: await readScenarioFile(one, catalogue), source: one }]
      const matching = names.filter((name) => isMatch(one, name))
      // Reading what matches nothing says what was meant.
      const wanted = matching.length === 0 ? [one] : matching
      return Promise.all(wanted.map(async (source) => ({ scenario: await library.read(source), source })))
    }),
  )
  const byName = new Map(found.flat().map((swept) => [swept.scenario.name, swept]))
  return [...byName.values()]
}

/** Whether a name fits a pattern, in which `*` is any text and `?` any character. */
const isMatch = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(name)

/** Flags of the emulator that were given, for the line that runs a scenario again. */
const givenAgain = (options: Arguments['options']): string[] =>
  AGAIN.flatMap(([name, flag]) =>
    [options[name] ?? []].flat().map((value) => (value === true ? flag : `${flag} ${quoted(String(value))}`)),
  )

const AGAIN = settingOptions()
  .map(({ flags }) => flags.split(' ')[0] as string)
  .filter((flag) => ![...OTHERS, '--seed', '--control-token'].includes(flag))
  .concat('--env')
  .map(
    (flag) => [flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()), flag] as const,
  )

const quoted = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const openServer = async (sweep: string, { settings, templates }: Run) => {
  const emulator = await openEmulator(settings, { sweep })
  const { url, port, close } = await listen(emulator)
  const { controlToken } = emulator.settings
  return {
    environment: {
      ...process.env,
      BACKLOT_URL: url,
      BACKLOT_SWEEP_URL: url,
      ...(controlToken === undefined ? {} : { BACKLOT_CONTROL_TOKEN: controlToken }),
      ...filled(templates, { url, port }),
    },
    close,
  }
}

const headOf = (
  { written, settings, names, shard }: Run,
  { outcome, durationMs, sightings }: Baseline,
): Omit<Report, 'cells'> => ({
  kind: 'backlot-sweep',
  format: REPORT_FORMAT,
  version,
  command: [...written],
  seed: settings.seed,
  scenarios: [...names],
  ...(shard === undefined ? {} : { shard }),
  baseline: {
    tests: outcome,
    durationMs: Math.round(durationMs),
    calls: sightings.filter(({ kind }) => kind === 'call').length,
    tasks: sightings.filter((one) => one.kind === 'call' && one.makes).length,
    leftAlone: leftAloneIn(sightings),
  },
})

const failedBaseline = ({ outcome, code, output }: Baseline): number => {
  const how = outcome === 'hung' ? 'did not end in time' : `ended with ${code ?? 'a signal'}`
  warn(`The command ${how} without any scenario, so that nothing else was run. Its output: ${output}`)
  return FAILED_BASELINE
}

const printList = (
  reached: readonly SweptScenario[],
  others: readonly SweptScenario[],
  baseline: Baseline,
  jobs: number,
): number => {
  const named = (some: readonly SweptScenario[]) => some.map(({ scenario }) => scenario.name).join('\n  ')
  process.stdout.write(
    [
      `${reached.length} scenarios would be tried, in about ${formatDuration(rounded(expectedMs(reached.length, baseline, jobs)))}:`,
      `  ${named(reached)}`,
      ...(others.length === 0
        ? []
        : [`${others.length} act on no call of these tests:`, `  ${named(others)}`]),
      '',
    ].join('\n'),
  )
  return 0
}

const rounded = (ms: number): number => Math.ceil(ms / 1_000) * 1_000

/** Progress on standard error: one line that is written over on a terminal, a line for each cell elsewhere. */
const createProgress = (all: number) => {
  const isTerminal = process.stderr.isTTY === true
  let [done, expected] = [0, all]
  const show = (text: string) => {
    if (isTerminal) process.stderr.write(`\r\u001b[2K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`)
    else process.stderr.write(`${text}\n`)
  }
  return {
    begin: show,
    expect: (count: number) => {
      expected = count
    },
    print: (text: string, leftMs: number) => {
      done += 1
      const left = leftMs === 0 ? '' : `, about ${formatDuration(rounded(leftMs))} left`
      show(`[${done}/${expected}] ${text}${left}`)
    },
    end: () => {
      if (isTerminal) process.stderr.write('\r\u001b[2K')
    },
  }
}
