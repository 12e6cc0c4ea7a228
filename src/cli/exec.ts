import {
  type CommandEnd,
  checkCommand,
  commandEnvironment,
  envOption,
  readTemplates,
  runCommand,
} from '../command/child-process.js'
import {
  type Arguments,
  type CliCommand,
  listOption,
  paintFor,
  usageError,
  warn,
} from '../command/command.js'
import { type CommandSettings, readCommandSettings, settingOptions } from '../command/settings/read.js'
import { localTransport } from '../emulator/surface/client.js'
import { DEFAULT_KEY, suggestion } from '../emulator/surface/records.js'
import type { Emulator } from '../emulator/surface/starting.js'
import { findingKinds } from '../emulator/surface/verdict.js'
import { launch, recordOption } from './launch.js'
import { eventOfDropped, jsonLines, printerOf, type Reporter } from './reporter.js'
import { screen, tokenLines } from './screen.js'

export const command: CliCommand = {
  usage: 'exec [command...]',
  description:
    'start the emulator on a free port, run a command with its URL, stop, and exit as the command did',
  options: [
    envOption,
    { flags: '--log', description: 'print what the emulator does on standard error' },
    recordOption,
    {
      flags: '--verdict',
      description:
        'judge the clients when the command has ended; exit 1 where it was fine and there is a finding',
    },
    {
      flags: '--allow <finding>',
      description: 'a finding that is allowed with --verdict, such as polled-on; repeatable',
      repeats: true,
    },
    ...settingOptions(),
  ],
  examples: [
    ['backlot exec -- npm test', 'the tests find the emulator at $BACKLOT_URL'],
    ['backlot exec --env "VIDEO_API_BASE={url}/provB/api/v3" -- pytest', 'a variable that your code reads'],
    ['backlot exec --verdict --allow never-fetched -- pytest', 'exits with 1 where a client did not behave'],
    ['backlot exec --log --timing instant -- ./smoke-test.sh', 'shows each call on standard error'],
  ],
  passesOptionsOn: true,
  // Resolves with the exit code of the command that it runs.
  run: async (given) => (await execute(given)).code,
}

/** Runs a command beside an emulator. */
export const execute = async ({ options, operands }: Arguments): Promise<CommandEnd> => {
  checkCommand('exec', operands, 'backlot exec -- npm test')
  const templates = readTemplates(options.env)
  const read = await readCommandSettings({ options }, { isForTests: true })
  if (read.settings.logFile === '-')
    throw usageError(
      'Standard output belongs to the command, so that the log cannot go there.',
      'Name a file: --log-file backlot.log',
    )
  read.warnings.forEach(warn)
  const allowed = allowedIn(options)
  const reporter = reporterFor(read, options.log === true)
  const launched = await launch(read.settings, reporter, options)
  const environment = { ...process.env, ...commandEnvironment(launched, templates) }
  try {
    const end = await runCommand(operands, environment)
    if (options.verdict !== true) return end
    const isFine = await judge(launched.emulator, allowed)
    return isFine || end.code !== 0 ? end : { ...end, code: 1 }
  } finally {
    await launched.close()
    reporter.stopped()
  }
}

/** Findings that the options allow. @throws a usage error for one that there is not, and where nothing is judged */
const allowedIn = ({ verdict, allow }: Arguments['options']): readonly string[] => {
  const allowed = listOption(allow)
  if (allowed.length > 0 && verdict !== true)
    throw usageError('--allow is for findings of the verdict.', 'Add --verdict.')
  for (const kind of allowed) {
    if (findingKinds.some((known) => known === kind)) continue
    const found = `--allow: there is no finding ${JSON.stringify(kind)}${suggestion(kind, findingKinds)}`
    throw usageError(found.endsWith('?') ? found : `${found}.`, 'docs/verdict.md lists them.')
  }
  return allowed
}

/** Prints the findings about the clients of all accounts on standard error. Returns whether there are none. */
const judge = async (emulator: Emulator, allowed: readonly string[]): Promise<boolean> => {
  const { items } = await localTransport(emulator, DEFAULT_KEY)('verdict.read', { all: 'true' })
  const findings = items.filter(({ kind }) => !allowed.includes(kind))
  for (const { kind, message, advice, docs } of findings)
    process.stderr.write(`backlot: ${kind}: ${message}\n  ${advice}\n  ${docs}\n`)
  return findings.length === 0
}

// Standard output belongs to the command. Before it begins, only what it cannot know is printed.
const reporterFor = ({ json }: CommandSettings, isLogged: boolean): Reporter => {
  if (json) return jsonLines(printerOf(process.stderr, eventOfDropped))
  const print = printerOf(process.stderr)
  const reporter = isLogged ? screen(print, paintFor(process.stderr)) : {}
  return { ...reporter, started: ({ emulator }) => tokenLines(emulator).forEach(print), stopped: () => {} }
}
