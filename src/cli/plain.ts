import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { CliCommand, CliOption, Given } from './command.js'

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
