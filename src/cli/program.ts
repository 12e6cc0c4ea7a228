import { parseArgs } from 'node:util'
import {
  type Arguments,
  type CliCommand,
  type CliOption,
  type CommandTable,
  counted,
  exitCodeOf,
  formatError,
  type Host,
  optionKey,
  usageError,
} from '../command/command.js'
import { nearest, version } from '../emulator/surface/records.js'
import { commands as realServiceCommands } from '../real-service/commands.js'
import { commands as recordingCommands } from '../recording/commands.js'
import { commands as resilienceCommands } from '../resilience/commands.js'

const DESCRIPTION = 'An emulator of an image and video generation service, with real pictures and videos.'

/** Table of the commands, in the order of the help. The folders beside this one have tables of theirs. */
const modules: CommandTable = {
  start: () => import('./start.js'),
  exec: () => import('./exec.js'),
  ...resilienceCommands,
  init: () => import('./init.js'),
  ready: () => import('./ready.js'),
  explain: () => import('./explain.js'),
  scenarios: () => import('./scenarios.js'),
  check: () => import('./check.js'),
  ...recordingCommands,
  ...realServiceCommands,
  state: () => import('./state.js'),
  doctor: () => import('./doctor.js'),
  openapi: () => import('./openapi.js'),
  mcp: () => import('./mcp/command.js'),
}

/** What commands of the folders beside this one need of the program. */
export const host: Host = {
  openEmulator: async (...args) => (await import('../composition.js')).openEmulator(...args),
  execute: async (args) => (await import('./exec.js')).execute(args),
}

/** Loads all commands. */
export const loadCommands = (): Promise<CliCommand[]> => Promise.all(Object.keys(modules).map(loadCommand))

const loadCommand = async (name: string): Promise<CliCommand> => {
  const load = Object.hasOwn(modules, name) ? modules[name] : undefined
  if (load === undefined) throw unknownName('command', name, Object.keys(modules))
  return (await load()).command
}

/** Runs what the arguments ask for. Resolves with the exit code: 0 fine, 1 it failed, 2 wrong usage. Never throws. */
export const run = async (args: readonly string[]): Promise<number> => {
  try {
    return await dispatch(args)
  } catch (error) {
    process.stderr.write(`${formatError(error)}\n`)
    return exitCodeOf(error)
  }
}

const HELP = ['-h', '--help']

const dispatch = async (args: readonly string[]): Promise<number> => {
  const [first = '', second, third] = args
  if (['-V', '--version'].includes(first)) return print(`${version}\n`)
  if (HELP.includes(first) || (first === 'help' && second === undefined))
    return print(overview(await loadCommands()))
  if (first === 'help') return print(helpOf(await loadCommand(nameOf(second ?? '', third))))
  const { command, parsed } = await readCommandLine(args)
  return parsed === 'help' ? print(helpOf(command)) : command.run(parsed, host)
}

/** The command that the arguments name, with its own arguments. @throws EmulatorError `wrong-usage` */
export const readCommandLine = async (args: readonly string[]) => {
  const [first = '', second] = args
  // Plain `backlot`, with or without options, is `backlot start`.
  const isStart = first === '' || first.startsWith('-')
  const name = isStart ? 'start' : nameOf(first, second)
  const command = await loadCommand(name)
  return { command, parsed: parseArguments(command, isStart ? args : args.slice(name.split(' ').length)) }
}

/** Name of the command in the table: of two words where the table has such a one. */
const nameOf = (first: string, second: string | undefined): string =>
  Object.hasOwn(modules, `${first} ${second}`) ? `${first} ${second}` : first

const print = (text: string): number => {
  process.stdout.write(text)
  return 0
}

/** Parses the arguments of a command; `help` where they ask for it. @throws EmulatorError `wrong-usage` */
const parseArguments = (command: CliCommand, args: readonly string[]): Arguments | 'help' => {
  const options = [...command.options, HELP_OPTION].map(declarationOf)
  const tokens = tokensOf(options, args)
  const end = command.passesOptionsOn ? tokens.find(({ kind }) => kind !== 'option') : undefined
  const passedOn = end === undefined ? [] : args.slice(end.kind === 'positional' ? end.index : end.index + 1)
  const values: Record<string, string | boolean | string[]> = {}
  const operands = [...passedOn]
  for (const token of tokens) {
    if (token === end) break
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const option = optionNamed(token, options)
    const value = readValue(option, token.value)
    values[option.key] = option.repeats ? ([...[values[option.key] ?? []].flat(), value] as string[]) : value
  }
  if (values.help === true) return 'help'
  checkOperands(command.usage, operands)
  return { options: values, operands }
}

const HELP_OPTION: CliOption = { flags: '-h, --help', description: 'display help for command' }

/** Declaration of an option: its `name` is `control-token`, and its `key` `controlToken`. */
type Declaration = ReturnType<typeof declarationOf>

const declarationOf = ({ flags, repeats = false }: CliOption) => {
  const [, short, name = '', value = ''] = /^(?:-(\w), )?--([\w-]+)(?: (.+))?$/.exec(flags) ?? []
  const takes = value === '' ? 'nothing' : value.startsWith('[') ? 'optional value' : 'value'
  return { flags: flags.replace(/^-\w, /, ''), name, key: optionKey(name), short, takes, repeats } as const
}

const tokensOf = (options: readonly Declaration[], args: readonly string[]) =>
  parseArgs({
    args: args.map((arg, index) => (isWithoutValue(arg, args[index + 1], options) ? `${arg}=` : arg)),
    options: Object.fromEntries(
      options.map(({ name, short, takes }) => {
        const type = takes === 'nothing' ? 'boolean' : 'string'
        return [name, short === undefined ? { type } : { type, short }]
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens

const optionNamed = (
  { name, rawName }: { readonly name: string; readonly rawName: string },
  options: readonly Declaration[],
): Declaration => {
  const option = options.find((declared) => name === declared.name || rawName === `-${declared.short}`)
  if (option !== undefined) return option
  const names = options.map((declared) => `--${declared.name}`)
  throw unknownName('option', rawName, names)
}

// parseArgs knows no optional values: `--wait` without one becomes `--wait=`.
const isWithoutValue = (arg: string, next: string | undefined, options: readonly Declaration[]): boolean =>
  (next === undefined || next.startsWith('-')) &&
  options.some(({ name, takes }) => takes === 'optional value' && arg === `--${name}`)

const readValue = ({ flags, takes, name }: Declaration, value: string | undefined): string | true => {
  if (takes === 'nothing') {
    if (value === undefined) return true
    throw usageError(`option '--${name}' takes no value`, HELP_HINT)
  }
  if (takes === 'optional value') return value || true
  // A variable that is not set leaves an empty name, which would be no file, or the usual one.
  const isMissing = value === undefined || (value === '' && /<(file|folder)>$/.test(flags))
  if (isMissing) throw usageError(`option '${flags}' argument missing`, HELP_HINT)
  return value
}

const checkOperands = (usage: string, operands: readonly string[]): void => {
  const { name, operands: declared } = partsOf(usage)
  const missing = declared.slice(operands.length).find((operand) => operand.startsWith('<'))
  if (missing !== undefined)
    throw usageError(`missing required argument '${missing.replace(/[<>.]/g, '')}'`, HELP_HINT)
  if (operands.length <= declared.length || declared.at(-1)?.includes('...')) return
  const counts = `Expected ${counted(declared.length, 'argument')} but got ${operands.length}.`
  throw usageError(`too many arguments for '${name}'. ${counts}`, HELP_HINT)
}

const HELP_HINT = '`backlot --help` lists the commands, `backlot COMMAND --help` the options of one.'

// The value of an option may be a secret, so that only its name is shown.
const unknownName = (kind: 'command' | 'option', name: string, known: readonly string[]) => {
  const meant = nearest(name, known)
  const suggestion = meant === undefined ? '' : ` (Did you mean ${meant}?)`
  return usageError(`unknown ${kind} '${name}'${suggestion}`, HELP_HINT)
}

const overview = (commands: readonly CliCommand[]): string => {
  const options = [{ flags: '-V, --version', description: 'output the version number' }, HELP_OPTION]
  const rows = commands.map(({ usage, options, description }): Row => {
    const { name, operands } = partsOf(usage)
    return [[name, ...(options.length === 0 ? [] : ['[options]']), ...operands].join(' '), description]
  })
  const commandTable = ['', 'Commands:', ...table([...rows, ['help [command]', HELP_OPTION.description]])]
  const examples = commands.flatMap(({ examples }) => examples.slice(0, 1))
  return helpText('[options] [command]', { description: DESCRIPTION, options, examples }, commandTable)
}

const helpOf = (command: CliCommand): string => {
  const { name, operands } = partsOf(command.usage)
  const options = [...command.options, HELP_OPTION]
  return helpText([name, '[options]', ...operands].join(' '), { ...command, options })
}

const helpText = (
  usage: string,
  { description, options, examples }: Pick<CliCommand, 'description' | 'options' | 'examples'>,
  more: readonly string[] = [],
): string => {
  const optionTable = table(options.map(({ flags, description }): Row => [flags, description]))
  const width = Math.max(...examples.map(([line]) => line.length))
  const exampleLines = examples.map(([line, effect]) => `  ${line.padEnd(width)}  ${effect}`)
  return [
    `Usage: backlot ${usage}`,
    ...['', ...wrapped(description, 0)],
    ...['', 'Options:', ...optionTable, ...more],
    ...['', 'Examples:', ...exampleLines, ''],
  ].join('\n')
}

/** Name of a command, of one word or several, and its operands. */
const partsOf = (usage: string): { readonly name: string; readonly operands: readonly string[] } => {
  const words = usage.split(' ')
  const operands = words.filter((word) => /^[<[]/.test(word))
  return { name: words.filter((word) => !operands.includes(word)).join(' '), operands }
}

type Row = readonly [term: string, text: string]

const table = (rows: readonly Row[]): string[] => {
  const width = Math.max(...rows.map(([term]) => term.length))
  return rows.flatMap(([term, text]) => {
    const [first = '', ...more] = wrapped(text, width + 4)
    return [`  ${term.padEnd(width)}  ${first}`, ...more.map((line) => ' '.repeat(width + 4) + line)]
  })
}

const COLUMNS = 80

const wrapped = (text: string, indent: number): string[] =>
  text
    .match(new RegExp(`.{1,${Math.max(24, COLUMNS - indent)}}(?:\\s+|$)|\\S+\\s*`, 'g'))
    ?.map((line) => line.trimEnd()) ?? []
