import { commands } from './commands.js'
import { exitCodeOf, told } from './failure.js'
import { readPlainly } from './plain.js'
import { start } from './start/command.js'

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
