import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import type { FfmpegCommand } from 'fluent-ffmpeg'
import type { Launcher } from './launcher.js'

type Started = (process: { kill(): void }, out: Lines, errors: Lines) => void
type Ended = (error: unknown, out?: Lines, errors?: Lines) => void
/** How the package starts ffmpeg; `started` and `ended` are its own. */
export type Spawn = (args: readonly string[], options: unknown, started: Started, ended: Ended) => void

interface Lines {
  get(): string
}

const noLines: Lines = { get: () => '' }

/**
 * As the package does it. Where a process cannot be started, that looks into output that there is not, in a place where
 * nobody can catch it, and this whole process would end.
 */
export const survivingSpawn = (command: FfmpegCommand): Spawn => {
  const spawn: Spawn = Reflect.get(command, '_spawnFfmpeg')
  return (args, options, started, ended) => {
    const end: Ended = (error, out = noLines, errors = noLines) => ended(error, out, errors)
    try {
      spawn.call(command, args, options, started, end)
    } catch (error) {
      // What the system has against it is told a moment later, and is what counts.
      setImmediate(() => end(error))
    }
  }
}

/** By a launcher: what ffmpeg says goes into the file `log`. */
export const launchedSpawn =
  (launcher: Launcher, path: string, log: string): Spawn =>
  async (args, _options, started, ended) => {
    try {
      const launched = await launcher.launch(path, args, log)
      started(launched, noLines, noLines)
      const code = await launched.ended
      if (code === 0) return ended(undefined, noLines, noLines)
      const errors = await readFile(log, 'utf8').catch(() => '')
      ended(new Error(endingOf(code)), noLines, { get: () => errors })
    } catch (error) {
      ended(error, noLines, noLines)
    }
  }

// With the first words the package looks for what ffmpeg itself says.
const endingOf = (code: number): string => {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - BY_SIGNAL)
  return signal === undefined
    ? `ffmpeg exited with code ${code}`
    : `ffmpeg was killed with signal ${signal[0]}`
}

const BY_SIGNAL = 128
