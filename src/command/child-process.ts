import { type ChildProcess, spawn } from 'node:child_process'
import { proxyExemption } from '../emulator/surface/client.js'
import { nearest, unknownPlaceholder } from '../emulator/surface/records.js'
import type { Emulator } from '../emulator/surface/starting.js'
import { type CliOption, listOption, type Options, usageError, warn } from './command.js'
import { exitCodeOfSignal, onFirstSignal } from './signals.js'
import { spawnCommand } from './windows-command.js'

/** Emulator that has been started. */
export interface Started {
  readonly emulator: Emulator
  readonly url: string
  readonly port: number
}

export const envOption: CliOption = {
  flags: '--env <name=template>',
  description: 'a variable for the command; {url} and {port} are filled in (repeatable)',
  repeats: true,
}

export interface CommandEnd {
  /** 128 + n when a signal ended the command. */
  readonly code: number
  /** Whether there is no such command. */
  readonly isMissing: boolean
}

// SIGUSR1 is Node's own: it opens the debugger.
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

/** Exit codes of shells for a command that does not exist, and for one that exists and cannot be run. */
const NOT_FOUND = 127
const NOT_RUNNABLE = 126

/** Checks that operands name a command to run. @throws EmulatorError `wrong-usage`, with an example of how it is written */
export const checkCommand = (name: string, [program]: readonly string[], example: string): void => {
  if (!program) throw usageError(`\`backlot ${name}\` wants a command to run.`, `For example: ${example}`)
}

/** Runs a command with this process's input and output. */
export const runCommand = async (
  [program = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CommandEnd> => {
  const command = spawnCommand(program, args, environment)
  const { windowsVerbatimArguments = false } = command
  const options = { stdio: 'inherit', env: environment, windowsVerbatimArguments } as const
  let child: ChildProcess
  try {
    // Some errors of the system are thrown here, and others are events.
    child = spawn(command.program, command.args, options)
  } catch (error) {
    return notStarted(program, error as NodeJS.ErrnoException)
  }
  const forward = (signal: NodeJS.Signals) => {
    if (!comesFromTerminal(signal)) child.kill(signal)
  }
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  onFirstSignal(FORWARDED_SIGNALS, () => {}, process, hasEnded)
  return new Promise<CommandEnd>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(notStarted(program, error))
      else warn(`A signal did not reach the command: ${error.message}.`)
    })
    child.once('exit', (code, signal) =>
      resolve({ code: signal === null ? (code ?? 1) : exitCodeOfSignal(signal), isMissing: false }),
    )
  })
}

// A terminal sends these signals to the command as well; some commands abort at the second one. On Windows all signals come
// from the console, and passing one on would end the command at once.
const comesFromTerminal = (signal: NodeJS.Signals): boolean =>
  process.platform === 'win32' ||
  (process.stdin.isTTY === true && (signal === 'SIGINT' || signal === 'SIGQUIT'))

const notStarted = (program: string, error: NodeJS.ErrnoException): CommandEnd => {
  const isMissing = error.code === 'ENOENT'
  warn(isMissing ? `There is no command ${program}.` : `${program} cannot be run: ${error.message}.`)
  return { code: isMissing ? NOT_FOUND : NOT_RUNNABLE, isMissing }
}

/** Variables of a command that is to find an emulator. */
export const commandEnvironment = ({ emulator, url, port }: Started, templates: Templates) => {
  const { controlToken } = emulator.settings
  return {
    ...proxyExemption(url, process.env),
    BACKLOT_URL: url,
    ...(controlToken === undefined ? {} : { BACKLOT_CONTROL_TOKEN: controlToken }),
    ...filled(templates, { url, port }),
  }
}

/** Templates of environment variables, by name: `VIDEO_API_BASE`, `{url}/provB/api/v3`. */
type Templates = ReadonlyMap<string, string>

/** Reads every `--env NAME=TEMPLATE`. @throws EmulatorError `wrong-usage`, also for unknown placeholders */
export const readTemplates = (option: Options[string]): Templates => {
  const templates = new Map<string, string>()
  for (const written of listOption(option)) {
    const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/s.exec(written) ?? []
    if (name === undefined || text === undefined)
      throw usageError(
        `--env wants NAME=TEMPLATE, found ${JSON.stringify(written)}.`,
        'For example --env "VIDEO_API_BASE={url}/provB/api/v3".',
      )
    checkPlaceholders(name, text)
    templates.set(name, text)
  }
  return templates
}

const PLACEHOLDERS = ['url', 'port']

const checkPlaceholders = (variable: string, text: string): void => {
  const unknown = unknownPlaceholder(text, PLACEHOLDERS)
  if (unknown === undefined) return
  const meant = nearest(unknown, PLACEHOLDERS)
  throw usageError(
    `--env ${variable} has {${unknown}}, and only {url} and {port} are filled in${meant === undefined ? '.' : `: did you mean {${meant}}?`}`,
    `To have braces as they stand, set the variable before the line, without --env: ${variable}=… backlot …`,
  )
}

/** The variables with `{url}` and `{port}` filled in; other braces stay as they are. */
export const filled = (templates: Templates, { url, port }: Pick<Started, 'url' | 'port'>) => {
  const fill = (text: string) => text.replaceAll('{url}', url).replaceAll('{port}', String(port))
  return Object.fromEntries([...templates].map(([name, text]) => [name, fill(text)]))
}
