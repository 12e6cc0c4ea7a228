import { statSync } from 'node:fs'
import { win32 } from 'node:path'
import { EmulatorError } from '../emulator/surface/records.js'

/** Command as `spawn` takes it. */
export interface SpawnedCommand {
  readonly program: string
  readonly args: readonly string[]
  /** Whether the arguments are quoted already. */
  readonly windowsVerbatimArguments?: boolean
}

/** Command as this system spawns it. @throws EmulatorError `wrong-usage` */
export const spawnCommand = (
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): SpawnedCommand =>
  process.platform === 'win32'
    ? windowsCommand(program, args, { environment, folder: process.cwd() })
    : { program, args }

interface Lookup {
  readonly environment: NodeJS.ProcessEnv
  readonly folder: string
  /** Whether a path is that of a file; default: asks the system. */
  readonly isFile?: (path: string) => boolean
}

/**
 * Command resolver for Windows: finds a program by PATH and PATHEXT (`npm` is `npm.cmd`), which `spawn` does for `.exe` alone.
 * Batch files are run by cmd.exe, which alone can.
 * @throws EmulatorError `wrong-usage`
 */
export const windowsCommand = (
  program: string,
  args: readonly string[],
  { environment, folder, isFile = isFileHere }: Lookup,
): SpawnedCommand => {
  // Names of variables have no case there.
  const variable = (name: string) =>
    Object.entries(environment).find(([other]) => other.toUpperCase() === name)?.[1] ?? ''
  const extensions = (variable('PATHEXT') || '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';')
  const folders = /[\\/]/.test(program) ? [folder] : variable('PATH').split(';').filter(Boolean)
  // A name that has one of the extensions is looked for as it is, first.
  const endings = extensions.includes(win32.extname(program).toLowerCase()) ? ['', ...extensions] : extensions
  const file = folders
    .flatMap((path) => endings.map((ending) => win32.resolve(folder, path, `${program}${ending}`)))
    .find(isFile)
  if (file === undefined) return { program, args }
  if (!/\.(cmd|bat)$/i.test(file)) return { program: file, args }
  const line = [file, ...args].map(quotedForBatch).join(' ')
  return {
    program: variable('COMSPEC') || 'cmd.exe',
    // /d: no autorun; /v:off: no !variables!; /s: exactly the outer quotes are taken off.
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  }
}

const isFileHere = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/**
 * Argument in quotes that neither cmd.exe nor the program behind it ends early: quotes are doubled, backslashes before a quote
 * too, and `%cd:~,%`, which is empty, keeps `%` from naming a variable. A line break would end the command.
 */
const quotedForBatch = (text: string): string => {
  if (/[\r\n\0]/.test(text))
    throw new EmulatorError('A batch file takes no argument with a line break.', { code: 'wrong-usage' })
  return `"${text
    .replace(/\\+(?="|$)/g, '$&$&')
    .replaceAll('"', '""')
    .replaceAll('%', '%%cd:~,%')}"`
}
