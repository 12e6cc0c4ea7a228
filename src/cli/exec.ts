import {
  type CommandEnd,
  checkCommand,
  commandEnvironment,
  envOption,
  readTemplates,
  runCommand,
} from '../command/child-process.js'
import { type Arguments, type CliCommand, paintFor, usageError, warn } from '../command/command.js'
import { type CommandSettings, readCommandSettings, settingOptions } from '../command/settings/read.js'
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
    ...settingOptions(),
  ],
  examples: [
    ['backlot exec -- npm test', 'the tests find the emulator at $BACKLOT_URL'],
    ['backlot exec --env "VIDEO_API_BASE={url}/provB/api/v3" -- pytest', 'a variable that your code reads'],
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
  const reporter = reporterFor(read, options.log === true)
  const launched = await launch(read.settings, reporter, options)
  const environment = { ...process.env, ...commandEnvironment(launched, templates) }
  try {
    return await runCommand(operands, environment)
  } finally {
    await launched.close()
    reporter.stopped()
  }
}

// Standard output belongs to the command. Before it begins, only what it cannot know is printed.
const reporterFor = ({ json }: CommandSettings, isLogged: boolean): Reporter => {
  if (json) return jsonLines(printerOf(process.stderr, eventOfDropped))
  const print = printerOf(process.stderr)
  const reporter = isLogged ? screen(print, paintFor(process.stderr)) : {}
  return { ...reporter, started: ({ emulator }) => tokenLines(emulator).forEach(print), stopped: () => {} }
}
