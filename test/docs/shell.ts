import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Whether there is a bash; on Windows it may be that of another system, with paths of its own. */
export const hasBash = process.platform !== 'win32'

/** Runs a script of bash to its end, in a folder. */
export const bash = async (
  script: string,
  folder: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> => {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (data) => {
    texts.out += data
  })
  child.stderr.on('data', (data) => {
    texts.err += data
  })
  const [code] = await once(child, 'close')
  return { code, ...texts }
}

/**
 * The lines of a block that somebody types: all of them in a script, those behind a `$` where a session is shown. What
 * stands behind two spaces is said about a line; lines that show the general form of a command are skipped.
 */
export const typedLines = (code: string): string[] => {
  const lines = code.replaceAll(/\\\n\s*/g, '').split('\n')
  const isSession = lines.some((line) => line.startsWith('$ '))
  const typed = isSession ? lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2)) : lines
  return typed
    .map((line) => line.trim().replace(/ {2,}.*$/, ''))
    .filter((line) => line !== '' && !/[[\]…]|--(help|version)\b/.test(line))
}

/** The arguments of every call of `backlot` in a line, quotes taken off. */
export const backlotCalls = (line: string): string[][] =>
  commandsIn(line)
    .map((words) => words.slice(words.findIndex((word) => !/^\w+=/.test(word))))
    .map((words) => (words[0] === 'npx' ? words.slice(1) : words))
    .filter(([name]) => name === 'backlot')
    .map(([, ...args]) => args)

const commandsIn = (line: string): string[][] => {
  const words = line.match(/#.*$|&&|\|\||[;&|<>]|(?:'[^']*'|"[^"]*"|[^\s;&|<>'"])+/g) ?? []
  const commands: string[][] = [[]]
  for (const word of words) {
    if (word.startsWith('#')) break
    if (/^[;&|<>]/.test(word)) commands.push([])
    else commands.at(-1)?.push(word.replaceAll(/['"]/g, ''))
  }
  return commands.filter((command) => command.length > 0)
}
