import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { commandEnvironment, envOption, readTemplates } from '../../command/child-process.js'
import {
  type CliCommand,
  type CliOption,
  counted,
  flagIn,
  givenFlag,
  type Host,
  listOption,
  numberLike,
  type Options,
  optionKey,
  parsedOption,
  temporaryFolder,
  textOption,
  usageError,
  warn,
} from '../../command/command.js'
import { readCommandSettings, settingOptions } from '../../command/settings/read.js'
import { familyOptions } from '../../command/settings/service.js'
import { onFirstSignal } from '../../command/signals.js'
import { spawnCommand } from '../../command/windows-command.js'
import { readFamilies } from '../../emulator/surface/profile.js'
import { formatDuration, parseDuration, systemReason, version } from '../../emulator/surface/records.js'
import type { Registry } from '../../emulator/surface/registry.js'
import { createLibrary, isFileName, readScenarioFile } from '../../emulator/surface/scenarios.js'
import { listen, makeFolder, type Settings } from '../../emulator/surface/starting.js'
import { baselineFacts } from './baseline.js'
import { NO_CALLS } from './render.js'
import { isUneventful, REPORT_FORMAT, type Report, verdictText } from './report.js'
import { exitCodes, publish, publishOptions, readCriteria } from './report-command.js'
import { expectedMs, type Run, Sweep, type SweepOptions, type SweptScenario } from './run.js'
import { hasCalls, isOpen, type SightedTask, tasksOf } from './sighting.js'

/** Settings that a sweep has another use for, or none. */
const OTHERS = ['--scenario', '--json', '--quiet', '--port', '--log-file', '--log-level']

// A run is a process group of its own, which a terminal that closes does not end.
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

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
    { flags: '--timeout <time>', description: 'limit of a run (default 5 times the baseline, at least 20s)' },
    {
      flags: '--budget <time>',
      description: 'limit of the whole, the baseline too; what is left is untested',
    },
    { flags: '--shard <index/count>', description: 'a part of the scenarios, from 1: 2/4' },
    { flags: '--output <folder>', description: 'keep the output and the recordings of all runs there' },
    ...publishOptions,
    envOption,
    ...settingOptions(OTHERS),
  ],
  examples: [
    ['backlot sweep -- npm test', 'once as it is, then once under each scenario that its calls meet'],
    ["backlot sweep --scenario 'result-*' --jobs 2 -- npx vitest run", 'some of them, two at a time'],
    ['backlot sweep --html sweep.html --fail-on lost,hung -- npm test', 'a page, and another threshold'],
  ],
  passesOptionsOn: true,
  // Resolves with 0 when all is fine, 1 when something is worse than accepted, 3 when not all was run, 4 when the baseline fails.
  run: async ({ options, operands }, { openEmulator }) => {
    const reporting = options.list === true ? givenFlag(publishOptions, options) : undefined
    if (reporting !== undefined)
      throw usageError(
        `Expected --list or ${reporting}, found both.`,
        '--list judges nothing, and reports nothing.',
      )
    const criteria = await readCriteria(options)
    const interrupted = new AbortController()
    const progress = createProgress()
    const { settings, names, shard, ...sweepOptions } = await readOptions(options, operands, openEmulator)
    const sweep = new Sweep({
      ...sweepOptions,
      signal: interrupted.signal,
      onCell: (cell, leftMs) => progress.next(`${cell.scenario}: ${verdictText(cell)}`, leftMs),
    })
    const ignoreSignals = onFirstSignal(ENDING_SIGNALS, () => interrupted.abort())
    let isKept = sweepOptions.keepsAll
    try {
      progress.show(`baseline: ${operands.join(' ')}`)
      const baseline = await sweep.baseline()
      progress.end()
      if (settings.clock === 'live') warnOfSlowClock(baseline)
      if (baseline.isAborted || baseline.outcome !== 'pass') {
        isKept ||= !baseline.isAborted
        return await withoutBaseline(baseline, options)
      }
      const reached = sweep.reached(baseline)
      if (options.list === true) return printList(sweepOptions, reached, baseline)
      progress.expected = reached.length
      const cells = await sweep.judge(baseline)
      progress.end()
      isKept ||= cells.some(({ again, verdict }) => again.length > 0 && !isUneventful(verdict))
      const report: Report = {
        kind: 'backlot-sweep',
        format: REPORT_FORMAT,
        version,
        command: [...operands],
        seed: settings.seed,
        scenarios: names,
        ...(shard === undefined ? {} : { shard }),
        baseline: baselineFacts(baseline),
        cells,
      }
      return await publish(report, criteria, options)
    } finally {
      progress.end()
      if (isKept) warn(`The output and the recordings are in ${displayPath(sweepOptions.folder)}`)
      else await rm(sweepOptions.folder, { recursive: true, force: true, maxRetries: 3 })
      ignoreSignals()
    }
  },
}

/** What a sweep is to do, as the options say. @throws EmulatorError `wrong-usage`, `unknown-scenario`, `no-such-file` or `bad-scenario` */
const readOptions = async (
  options: Options,
  [program, ...args]: readonly string[],
  openEmulator: Host['openEmulator'],
) => {
  if (!program)
    throw usageError('`backlot sweep` wants a command to run.', 'For example: backlot sweep -- npm test')
  const shard = parsedOption('--shard', options.shard, SHARD, shardIn)
  const templates = readTemplates(options.env)
  const { scenario, json: _, ...others } = options
  const read = await readCommandSettings({ options: others }, { isForTests: true })
  read.warnings.forEach(warn)
  const settings = { ...read.settings, scenario: [] }
  const all = await scenariosOf(listOption(scenario), await registryOf(settings))
  const timeout = textOption(options.timeout)
  const rerunLines: SweepOptions['rerunLines'] = ({ source }, { recording, isMetElsewhere }) => {
    const line = (subcommand: string, ...flags: readonly string[]) =>
      [
        `npx backlot ${subcommand} --scenario ${quoted(source)} --seed ${settings.seed}`,
        ...flags,
        ...repeatedFlags(options),
        ...['--', ...[program, ...args].map(quoted)],
      ].join(' ')
    const limit = timeout === undefined ? [] : [`--timeout ${quoted(timeout)}`]
    return [
      line('exec'),
      // exec gives the scenario to its own emulator alone, a sweep to every one that the command starts.
      ...(isMetElsewhere ? [line('sweep', ...limit)] : []),
      ...(recording === undefined
        ? []
        : [
            [
              'npx backlot replay',
              quoted(displayPath(recording)),
              ...repeatedFlags(options, familyOptions()),
            ].join(' '),
          ]),
    ]
  }
  const openServer: SweepOptions['openServer'] = async (sweep) => {
    const emulator = await openEmulator(settings, { sweep })
    const { url, port, close } = await listen(emulator)
    const own = { BACKLOT_SWEEP_URL: url, ...commandEnvironment({ emulator, url, port }, templates) }
    // Test runners add to the summary of a GitHub job: here that would be once for each scenario.
    return { environment: { ...process.env, GITHUB_STEP_SUMMARY: undefined, ...own }, close }
  }
  return {
    settings,
    shard,
    rerunLines,
    openServer,
    jobs: parsedOption('--jobs', options.jobs, COUNT, numberLike(/^[1-9]\d*$/)) ?? 1,
    repeat: parsedOption('--repeat', options.repeat, COUNT, numberLike(/^[1-9]\d*$/)) ?? 1,
    timeoutMs: parsedOption('--timeout', options.timeout, DURATION, durationIn),
    budgetMs: parsedOption('--budget', options.budget, DURATION, durationIn),
    command: spawnCommand(program, args, process.env),
    scenarios: all.filter((_, index) => shard === undefined || index % shard.of === shard.index - 1),
    /** Names of all scenarios, those of other shards too. */
    names: all.map(({ scenario }) => scenario.name),
    folder: await folderOf(textOption(options.output)),
    keepsAll: options.output !== undefined,
  }
}

/** Folder for what the runs write: the one that is given, or a new one. @throws EmulatorError `wrong-usage` */
const folderOf = async (output: string | undefined): Promise<string> => {
  if (output === undefined) return temporaryFolder('backlot-sweep-')
  await makeFolder(resolve(output)).catch((error) => {
    throw usageError(`--output ${output} cannot be used: ${systemReason(error)}.`, 'Name a folder.')
  })
  return resolve(output)
}

const displayPath = (path: string): string => {
  const relativePath = relative(process.cwd(), path)
  return relativePath.startsWith('..') ? path : relativePath
}

/** The families that the emulators of the runs have. */
const registryOf = async (settings: Settings): Promise<Registry> => {
  const { throughProfile } = await readFamilies(settings)
  return (await throughProfile()).registry
}

/** Scenarios of the names, patterns and files that are given; all ready-made ones where none is. */
const scenariosOf = async (patterns: readonly string[], registry: Registry): Promise<SweptScenario[]> => {
  const library = createLibrary(undefined, registry)
  const names = await library.names()
  const scenarios = await Promise.all(
    (patterns.length === 0 ? ['*'] : patterns).map(async (pattern) => {
      if (isFileName(pattern))
        return [{ scenario: await readScenarioFile(pattern, registry), source: pattern }]
      const matching = names.filter((name) => isMatch(pattern, name))
      if (matching.length === 0 && /[*?]/.test(pattern))
        throw usageError(
          `No ready-made scenario has a name that matches ${JSON.stringify(pattern)}.`,
          'Patterns may have * for any text and ? for any character; `backlot scenarios` lists the names.',
        )
      // Reading what matches nothing says what was meant.
      const wanted = matching.length === 0 ? [pattern] : matching
      return Promise.all(wanted.map(async (source) => ({ scenario: await library.read(source), source })))
    }),
  )
  return [...new Map(scenarios.flat().map((swept) => [swept.scenario.name, swept])).values()]
}

/** Whether a name fits a pattern, in which `*` is any text and `?` any character. */
const isMatch = (pattern: string, name: string): boolean => {
  const wild: Readonly<Record<string, string>> = { '*': '.*', '?': '.' }
  return new RegExp(`^${pattern.replace(/[^\w-]/g, (sign) => wild[sign] ?? `\\${sign}`)}$`).test(name)
}

/** Flags of the emulator that were given, for the line that runs a scenario again. */
const repeatedFlags = (
  options: Options,
  possible: readonly CliOption[] = [...settingOptions([...OTHERS, '--seed', '--control-token']), envOption],
): string[] =>
  possible.flatMap((option) => {
    const flag = flagIn(option)
    const values = [options[optionKey(flag.slice(2))] ?? []].flat()
    return values.map((value) => (value === true ? flag : `${flag} ${quoted(String(value))}`))
  })

// To cmd.exe single quotes are part of a word, and backslashes need none.
const quoted = (word: string): string => {
  if (process.platform === 'win32')
    return /^[\w./\\:=+-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

const MAX_SHOWN = { bytes: 8_000, lines: 20 }

/** Says why nothing but the baseline was run, and how its output ends. */
const withoutBaseline = async (
  { outcome, code, output, isAborted, isOverBudget }: Run,
  { budget, timeout }: Options,
): Promise<number> => {
  const limit = isOverBudget ? `--budget ${budget}` : `--timeout ${timeout}`
  const ended = outcome === 'hung' ? `did not end within ${limit}` : `ended with ${code ?? 'a signal'}`
  const how = isAborted ? 'was interrupted' : ended
  const start = Math.max(0, (await stat(output)).size - MAX_SHOWN.bytes)
  const end = (await text(createReadStream(output, { start }))).trimEnd().split('\n').slice(-MAX_SHOWN.lines)
  const isShown = !isAborted && end[0] !== ''
  const more = isShown ? ' Its output ends with:' : ''
  warn(`The command ${how} without any scenario, so that nothing else was run.${more}`)
  if (isShown) process.stderr.write(`${end.join('\n')}\n`)
  return isAborted || isOverBudget ? exitCodes.incomplete : exitCodes.failedBaseline
}

const MANY_POLLS = 20
/** Queries that bring a task to its end on an on-poll clock, on which helpers put their accounts. */
const FEWEST_POLLS = 3

/** Says what to do where tasks take longer than the command waits, or where it polls them without a pause. */
const warnOfSlowClock = ({ sightings }: Run): void => {
  const tasks = tasksOf(sightings)
  const calls = sightings.filter((sighting) => sighting.kind === 'call')
  const reads = calls.filter(({ operation }) => operation?.endsWith('.read'))
  const readsOf = ({ create }: SightedTask) => reads.filter(({ task }) => task === create.task).length
  const isWaitedFor = tasks.some((task) => isOpen(task) && readsOf(task) >= FEWEST_POLLS)
  if (!isWaitedFor && reads.length <= MANY_POLLS * Math.max(tasks.length, 1)) return
  warn(
    `The command asked ${reads.length} times how its tasks are, which take their time on a live clock. With --clock on-poll, each query moves the clock to what comes next.`,
  )
}

const printList = (
  { scenarios, jobs }: Pick<SweepOptions, 'scenarios' | 'jobs'>,
  reached: readonly SweptScenario[],
  baseline: Run,
): number => {
  const print = (sentence: string, listed: readonly SweptScenario[]) =>
    process.stdout.write(`${sentence}:\n${listed.map(({ scenario }) => `  ${scenario.name}\n`).join('')}`)
  if (!hasCalls(baseline.sightings)) warn(NO_CALLS)
  const others = scenarios.filter((swept) => !reached.includes(swept))
  const time = formatDuration(rounded(expectedMs(reached.length, baseline, jobs)))
  print(`${counted(reached.length, 'scenario')} would be tried, in about ${time}`, reached)
  if (others.length > 0) print(`${counted(others.length, 'acts', 'act')} on no call of these tests`, others)
  return 0
}

const rounded = (ms: number): number => Math.ceil(ms / 1_000) * 1_000

/** Progress on standard error: one line that is written over on a terminal, a line for each cell elsewhere. */
const createProgress = () => {
  const { isTTY = false, columns = 80 } = process.stderr
  let done = 0
  const progress = {
    expected: 0,
    show: (text: string) =>
      void process.stderr.write(isTTY ? `\r\u001b[2K${text.slice(0, columns - 1)}` : `${text}\n`),
    next: (text: string, leftMs: number) => {
      done += 1
      const left = leftMs === 0 ? '' : `, about ${formatDuration(rounded(leftMs))} left`
      progress.show(`[${done}/${progress.expected}] ${text}${left}`)
    },
    end: () => void process.stderr.write(isTTY ? '\r\u001b[2K' : ''),
  }
  return progress
}

const COUNT = 'a whole number, 1 or more'

const DURATION = 'a duration such as 90s, 10m or 1h'
const durationIn = (text: string) => {
  try {
    return parseDuration(text) || undefined
  } catch {
    return undefined
  }
}

const SHARD = 'INDEX/COUNT such as 2/4, with an index from 1 to the count'
const shardIn = (text: string): Report['shard'] => {
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  return index >= 1 && index <= of ? { index, of } : undefined
}
