import { spawn } from 'node:child_process'
import { nearest } from '../core/errors.js'
import { type CliCommand, type Given, usageError, warn } from './command.js'
import { launch, recordingFor, recordOption } from './launch.js'
import { jsonLines, type Print, printerOf, type Reporter, type Started } from './output/reporter.js'
import { paintFor, screen, tokenLines } from './output/screen.js'
import { type ReadSettings, readCommandSettings, settingOptions } from './settings/read.js'
import { exitCodeOfSignal } from './start.js'

export const exec: CliCommand = {
  usage: 'exec [command...]',
  says: 'start the emulator on a free port, run a command with its URL, stop, and exit as the command did',
  options: [
    {
      flags: '--env <name=template>',
      says: 'a variable for the command; {url} and {port} are filled in (repeatable)',
      repeats: true,
    },
    { flags: '--log', says: 'print what the emulator does on standard error' },
    recordOption,
    ...settingOptions(),
  ],
  examples: [
    ['backlot exec -- npm test', 'the tests find the emulator at $BACKLOT_URL'],
    ["backlot exec --env VIDEO_API_BASE='{url}/provB/api/v3' -- pytest", 'a variable that your code reads'],
    ['backlot exec --log --timing instant -- ./smoke-test.sh', 'shows each call on standard error'],
  ],
  passesOptionsOn: true,
  run: async (given) => (await import('./exec.js')).runExec(given),
}

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

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** What shells answer for a command that does not exist, and for one that is there and cannot be run. */
const NOT_FOUND = 127
const NOT_RUNNABLE = 126

/** Runs a command with this process's input and output. Answers its exit code; 128 + n when a signal ended it. */
const runChild = async (
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> => {
  const child = spawn(command, args, { stdio: 'inherit', env: environment })
  const passOn = (signal: NodeJS.Signals) => {
    if (!comesFromTerminal(signal)) child.kill(signal)
  }
  for (const signal of PASSED_ON) process.on(signal, passOn)
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(notStarted(command, error)))
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : exitCodeOfSignal(signal)))
  })
}

// A terminal sends these to the command as well; twice is once too often for commands that end hard at the second.
const comesFromTerminal = (signal: NodeJS.Signals): boolean =>
  process.stdin.isTTY === true && (signal === 'SIGINT' || signal === 'SIGQUIT')

const notStarted = (command: string, error: NodeJS.ErrnoException): number => {
  const isMissing = error.code === 'ENOENT'
  warn(isMissing ? `There is no command ${command}.` : `${command} cannot be run: ${error.message}.`)
  return isMissing ? NOT_FOUND : NOT_RUNNABLE
}

/** A variable of the command and what it is made from: `VIDEO_API_BASE`, `{url}/provB/api/v3`. */
interface Template {
  readonly name: string
  readonly text: string
}

/** Reads every `--env NAME=TEMPLATE`. @throws EmulatorError `wrong-usage`, for placeholders that nobody fills in too */
export const readTemplates = (given: Given['options'][string]): Template[] =>
  (Array.isArray(given) ? given : []).map((written: string) => {
    const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/s.exec(written) ?? []
    if (name !== undefined && text !== undefined) return withKnownPlaces({ name, text })
    throw usageError(
      `--env wants NAME=TEMPLATE, found ${JSON.stringify(written)}.`,
      "For example --env VIDEO_API_BASE='{url}/provB/api/v3'.",
    )
  })

const PLACES = ['url', 'port']

// A word alone in braces. JSON, an empty object, a number of repetitions and a shell's ${VARIABLE} are none.
const PLACE = /(?<!\$)\{([A-Za-z]\w*)\}/g

const withKnownPlaces = (template: Template): Template => {
  const [, stranger] =
    [...template.text.matchAll(PLACE)].find(([, place = '']) => !PLACES.includes(place)) ?? []
  if (stranger === undefined) return template
  const meant = nearest(stranger, PLACES)
  throw usageError(
    `--env ${template.name} has {${stranger}}, and only {url} and {port} are filled in${meant === undefined ? '.' : `: did you mean {${meant}}?`}`,
    `To have braces as they stand, set the variable before the command: ${template.name}=… backlot exec -- …`,
  )
}

/** The variables with `{url}` and `{port}` filled in; other braces stay as they are. */
export const filled = (
  templates: readonly Template[],
  { url, port }: { readonly url: string; readonly port: number },
): Record<string, string> =>
  Object.fromEntries(
    templates.map(({ name, text }) => [
      name,
      text.replaceAll('{url}', url).replaceAll('{port}', String(port)),
    ]),
  )
