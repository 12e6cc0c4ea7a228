import { Command, CommanderError } from 'commander'
import { version } from '../server/version.js'
import type { CliCommand, CliOption, Given } from './command.js'
import { usageError } from './failure.js'

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
