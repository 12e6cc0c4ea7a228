import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import type { FfmpegCommand } from 'fluent-ffmpeg'
import { EmulatorError } from '../../core/errors.js'
import { explainSystemError, isExhausted } from '../../core/system-error.js'
import type { Launcher } from './launcher.js'
import { loadFluentFfmpeg } from './packages.js'

export interface FfmpegRun {
  readonly inputs: readonly { readonly source: string; readonly options: readonly string[] }[]
  readonly filter?: string
  readonly outputs: readonly { readonly target: string; readonly options: readonly string[] }[]
}

/** What ffmpeg is run with: `launcher` starts it, or where there is none, this process. */
export interface RunsFfmpeg {
  readonly ffmpegPath: string
  readonly launcher: Launcher | undefined
  readonly signal: AbortSignal
}

/** Runs ffmpeg to its end. When the signal is aborted it is killed, and the promise rejects once the process is gone. */
export const runFfmpeg = async (
  run: FfmpegRun,
  { ffmpegPath, launcher, signal }: RunsFfmpeg,
): Promise<void> => {
  signal.throwIfAborted()
  const command = assembled(withoutQuestions(loadFluentFfmpeg()(), ffmpegPath), run)
  const spawn =
    launcher === undefined
      ? survivingSpawn(command)
      : launchedSpawn(launcher, ffmpegPath, `${run.outputs[0]?.target}.log`)
  Object.assign(command, { _spawnFfmpeg: spawn })
  await new Promise<void>((resolve, reject) => {
    const kill = () => command.kill('SIGKILL')
    signal.addEventListener('abort', kill)
    command
      // Between `run` and the start there is nothing to kill yet.
      .on('start', () => signal.aborted && kill())
      .on('end', () => resolve())
      .on('error', (cause: Error) => reject(signal.aborted ? signal.reason : failed(cause)))
      .run()
    const forget = () => signal.removeEventListener('abort', kill)
    command.on('end', forget).on('error', forget)
  })
}

// Left to itself, the package looks for a program of its own choice and runs it twice to ask what it can do, in
// processes that cannot be killed from here; and `setFfmpegPath` would speak for everybody else in this process.
const withoutQuestions = (command: FfmpegCommand, path: string): FfmpegCommand =>
  Object.assign(command, {
    _getFfmpegPath: (callback: (error: null, path: string) => void) => callback(null, path),
    _checkCapabilities: (callback: (error: null) => void) => callback(null),
    availableEncoders: (callback: (error: null, encoders: object) => void) => callback(null, {}),
  })

// Filters in one thread: a render is one of several at once, and threads only cost it time.
const ONE_THREAD = ['-filter_threads', '1', '-filter_complex_threads', '1'] as const
const ALWAYS = ['-nostdin', '-hide_banner', '-loglevel', 'error', ...ONE_THREAD] as const

const assembled = (command: FfmpegCommand, run: FfmpegRun): FfmpegCommand => {
  run.inputs.forEach(({ source, options }, index) => {
    command.input(source).inputOptions(...(index === 0 ? ALWAYS : []), ...options)
  })
  if (run.filter !== undefined) command.complexFilter(run.filter)
  for (const { target, options } of run.outputs) command.output(target).outputOptions(...options)
  return command
}

const failed = (cause: Error): unknown =>
  isExhausted(cause)
    ? explainSystemError('ffmpeg could not be started', cause)
    : ffmpegFailed(`ffmpeg could not make the video: ${cause.message.trim()}`, cause)

/** Something is wrong with what ffmpeg did, in a sentence. */
export const ffmpegFailed = (message: string, cause?: unknown): EmulatorError =>
  new EmulatorError(message, {
    code: 'ffmpeg-failed',
    hint: 'Run `backlot doctor`, which says which ffmpeg is used; one with libx264 and aac is needed.',
    cause,
  })

export const otherwiseWritten = (): EmulatorError =>
  ffmpegFailed('ffmpeg wrote H.264 with tools that it was asked not to use.')

type Started = (process: { kill(): void }, out: Lines, errors: Lines) => void
type Ended = (error: unknown, out?: Lines, errors?: Lines) => void
/** How the package starts ffmpeg; `started` and `ended` are its own. */
type Spawn = (args: readonly string[], options: unknown, started: Started, ended: Ended) => void

interface Lines {
  get(): string
}

const noLines: Lines = { get: () => '' }

/**
 * As the package does it. Where a process cannot be started, that looks into output that there is not, in a place where
 * nobody can catch it, and this whole process would end.
 */
const survivingSpawn = (command: FfmpegCommand): Spawn => {
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
const launchedSpawn =
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
