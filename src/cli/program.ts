import { type ParseArgsConfig, parseArgs } from 'node:util'
import { Command, CommanderError } from 'commander'
import { version } from '../version.js'
import { check } from './check.js'
import { type CliCommand, type CliOption, exitCodeOf, type Given, told, usageError } from './command.js'
import { doctor } from './doctor.js'
import { exec } from './exec.js'
import { openapi } from './openapi.js'
import { ready } from './ready.js'
import { replay } from './replay.js'
import { scenarioFrom } from './scenario-from.js'
import { scenarios } from './scenarios.js'
import { start } from './start.js'
import { state } from './state.js'

/** Does what the arguments ask for. Answers the exit code: 0 fine, 1 it failed, 2 wrong usage. Never throws. */
export const run = async (args: readonly string[]): Promise<number> => {
  try {
    return await done(withCommand(args))
  } catch (error) {
    process.stderr.write(`${told(error)}\n`)
    return exitCodeOf(error)
  }
}

const OF_THE_PROGRAM = ['-h', '--help', '-V', '--version']

// Plain `backlot`, with or without options, is `backlot start`.
const withCommand = (args: readonly string[]): string[] => {
  const [first] = args
  const isStart = first === undefined || (first.startsWith('-') && !OF_THE_PROGRAM.includes(first))
  return isStart ? [start.usage, ...args] : [...args]
}

// Loading the parser of everything takes a tenth of the time in which the emulator starts.
const done = async (args: readonly string[]): Promise<number> => {
  const given = readPlainly(start, args)
  if (given !== undefined) return start.run(given)
  const { runProgram } = await import('./program.js')
  return runProgram(commands, args)
}

const SAYS = 'An emulator of an image and video generation service, with real pictures and videos.'

/**
 * Runs the command that is named first, or prints what was asked for. Answers the exit code.
 * @throws EmulatorError `wrong-usage`, or what the command throws
 */
export const runProgram = async (
  commands: readonly CliCommand[],
  args: readonly string[],
): Promise<number> => {
  let code = 0
  const program = createProgram(commands, (of) => {
    code = of
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version end so too.
    if (error.exitCode !== 0) throw misspelt(error)
    return 0
  }
}

// Commander writes `error: unknown option '--x=value'` and a suggestion on a second line; a value may be a secret.
const misspelt = ({ message }: CommanderError) =>
  usageError(
    message
      .replace(/^error: /, '')
      .replace(/'(--[\w-]+)=.*?'/s, "'$1'")
      .replace(/\s*\n\s*/g, ' '),
    '`backlot --help` lists the commands, `backlot COMMAND --help` the options of one.',
  )

/** The commands as a program that parses arguments, prints help and throws a CommanderError for wrong ones. */
export const createProgram = (
  commands: readonly CliCommand[],
  ended: (exitCode: number) => void,
): Command => {
  const program = new Command('backlot')
    .description(SAYS)
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    // Errors are thrown, and told by whoever catches them.
    .configureOutput({ writeErr: () => {} })
    .addHelpText('after', examplesText(commands.flatMap(({ examples }) => examples.slice(0, 1))))
  for (const command of commands) add(program, command, ended)
  return program
}

const add = (program: Command, command: CliCommand, ended: (exitCode: number) => void): void => {
  const added = program
    .command(command.usage)
    .description(command.says)
    .addHelpText('after', examplesText(command.examples))
  if (command.passesOptionsOn === true) added.passThroughOptions()
  for (const option of command.options) addOption(added, option)
  added.action(async () => {
    ended(await command.run({ options: added.opts<Given['options']>(), operands: added.args }))
  })
}

const addOption = (command: Command, { flags, says, repeats }: CliOption): void => {
  if (repeats === true)
    command.option(flags, says, (value: string, before: string[] = []) => [...before, value])
  else command.option(flags, says)
}

const examplesText = (examples: CliCommand['examples']): string => {
  const width = Math.max(...examples.map(([line]) => line.length))
  return `\nExamples:\n${examples.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`).join('\n')}`
}

/**
 * What a command was given, where its arguments are nothing but options that are spelt as they should be; undefined for
 * everything else (help, mistakes, other commands), which the whole parser understands. Reads as that one does.
 */
export const readPlainly = (command: CliCommand, args: readonly string[]): Given | undefined => {
  const [name, ...rest] = args
  if (name !== command.usage) return undefined
  try {
    const { values } = parseArgs({ args: rest, options: Object.fromEntries(command.options.map(configOf)) })
    const named = Object.entries(values).map(([flag, value]) => [camelCase(flag), value])
    return { options: Object.fromEntries(named) as Given['options'], operands: [] }
  } catch {
    return undefined
  }
}

type Config = NonNullable<ParseArgsConfig['options']>[string]

const configOf = ({ flags, repeats = false }: CliOption): [string, Config] => {
  const [flag = '', value] = flags.split(' ')
  return [flag.replace('--', ''), { type: value === undefined ? 'boolean' : 'string', multiple: repeats }]
}

const camelCase = (flag: string): string =>
  flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Everything that `backlot` can be told to do. */
export const commands: readonly CliCommand[] = [
  start,
  exec,
  ready,
  scenarios,
  check,
  replay,
  scenarioFrom,
  state,
  doctor,
  openapi,
]
