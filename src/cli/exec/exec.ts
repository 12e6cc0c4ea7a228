import type { Given } from '../command.js'
import { usageError } from '../failure.js'
import { jsonLines } from '../output/json-lines.js'
import { type Print, printerOf, type Reporter, type Started } from '../output/reporter.js'
import { paintFor } from '../output/screen/paint.js'
import { screen } from '../output/screen/screen.js'
import { tokenLines } from '../output/screen/start-screen.js'
import { type ReadSettings, readCommandSettings } from '../settings/read.js'
import { launch } from '../start/launch.js'
import { recordingFor } from '../start/record.js'
import { warn } from '../start/warn.js'
import { runChild } from './child.js'
import { filled, readTemplates } from './templates.js'

/** Runs a command beside an emulator of its own. Answers the command's exit code. */
export const runExec = async ({ options, operands }: Given): Promise<number> => {
  const [command, ...args] = operands
  if (command === undefined)
    throw usageError('`backlot exec` wants a command to run.', 'For example: backlot exec -- npm test')
  const templates = readTemplates(options.env)
  const sources = { folder: process.cwd(), environment: process.env, options }
  const read = await readCommandSettings(sources, { isPortFree: true })
  if (read.settings.logFile === '-') throw logGoesElsewhere()
  read.warnings.forEach(warn)
  const recording = recordingFor(options)
  const reporter = reporterFor(read, options.log === true)
  const { emulator, url, port, close } = await launch(read.settings, reporter, recording.begin)
  const { controlToken } = emulator.settings
  const code = await runChild(command, args, {
    ...process.env,
    BACKLOT_URL: url,
    ...(controlToken === undefined ? {} : { BACKLOT_CONTROL_TOKEN: controlToken }),
    ...filled(templates, { url, port }),
  })
  await close()
  recording.end()
  reporter.stopped()
  return code
}

const logGoesElsewhere = () =>
  usageError(
    'Standard output belongs to the command, so that the log cannot go there.',
    'Name a file: --log-file backlot.log',
  )

// Standard output belongs to the command.
const reporterFor = ({ json }: ReadSettings, isLogged: boolean): Reporter => {
  const print = printerOf(process.stderr)
  if (json) return jsonLines(print)
  const spoken = isLogged ? screen(print, paintFor(process.stderr, process.env)) : {}
  return { ...spoken, started: (started) => beginning(started, print), stopped: () => {} }
}

// The command is about to speak; only what it cannot know is said before.
const beginning = ({ emulator }: Started, print: Print): void => tokenLines(emulator).forEach(print)
