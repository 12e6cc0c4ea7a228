import { readFile } from 'node:fs/promises'
import type { FfmpegCommand } from 'fluent-ffmpeg'
import { EmulatorError, explainSystemError, isExhausted } from '../../core/errors.js'
import { loadFluentFfmpeg } from './packages.js'

/** An input of raw or encoded media: a file and the options before it. */
export interface FfmpegInput {
  readonly source: string
  readonly options: readonly string[]
}

export interface FfmpegOutput {
  readonly target: string
  readonly options: readonly string[]
}

interface FfmpegRun {
  readonly inputs: readonly FfmpegInput[]
  readonly filter?: string
  readonly outputs: readonly FfmpegOutput[]
}

/** Everything that a render needs of ffmpeg: the program, a folder for temporary files, and the signal that ends it. */
export interface RenderContext {
  readonly ffmpegPath: string
  readonly folder: string
  readonly signal: AbortSignal
}

/** Runs ffmpeg to its end. When the signal is aborted it is killed, and the promise rejects once the process is gone. */
export const runFfmpeg = (run: FfmpegRun, { ffmpegPath, signal }: RenderContext): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const command = commandFor(run, ffmpegPath)
    const kill = () => command.kill('SIGKILL')
    const done = () => signal.removeEventListener('abort', kill)
    signal.addEventListener('abort', kill)
    command
      // Before the start there is no process to kill.
      .on('start', () => signal.aborted && kill())
      .on('end', () => {
        done()
        resolve()
      })
      .on('error', (cause: Error) => {
        done()
        reject(signal.aborted ? signal.reason : failureOf(cause))
      })
      .run()
  })

// Filters run in one thread: several renders run at once, and threads only cost them time.
const ALWAYS = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-filter_threads', '1'] as const

const commandFor = (run: FfmpegRun, path: string): FfmpegCommand => {
  const command = withPath(loadFluentFfmpeg()(), path)
  run.inputs.forEach(({ source, options }, index) => {
    const before = [...(index === 0 ? ALWAYS : []), ...options]
    command.input(source)
    // Called with nothing, the package adds an empty argument.
    if (before.length > 0) command.inputOptions(...before)
  })
  if (run.filter !== undefined) command.complexFilter(run.filter)
  for (const { target, options } of run.outputs) command.output(target).outputOptions(...options)
  return command
}

type Callback<T extends unknown[]> = (error: null, ...values: T) => void
type SpawnFfmpeg = (args: readonly string[], options: object, started: unknown, ended: Ended) => void
type Ended = (error: unknown, stdout?: Lines, stderr?: Lines) => void
interface Lines {
  get(): string
}

/**
 * A command of fluent-ffmpeg that runs one program. `setFfmpegPath` is not used: it sets the program of every other user
 * of the package in this process. The questions about formats and encoders (two more processes) are skipped. The package
 * is archived and crashes the process where a program cannot be started: it reads output that does not exist.
 */
const withPath = (command: FfmpegCommand, path: string): FfmpegCommand => {
  const spawn: SpawnFfmpeg = Reflect.get(command, '_spawnFfmpeg')
  const noLines: Lines = { get: () => '' }
  return Object.assign(command, {
    _getFfmpegPath: (callback: Callback<[path: string]>) => callback(null, path),
    _checkCapabilities: (callback: Callback<[]>) => callback(null),
    availableEncoders: (callback: Callback<[encoders: object]>) => callback(null, {}),
    _spawnFfmpeg: (args: readonly string[], options: object, started: unknown, ended: Ended) => {
      const end: Ended = (error, stdout = noLines, stderr = noLines) => ended(error, stdout, stderr)
      try {
        spawn.call(command, args, options, started, end)
      } catch (error) {
        // The system's own error follows in the next turn, and is the one to report.
        setImmediate(() => end(error))
      }
    },
  })
}

const failureOf = (cause: Error): unknown =>
  isExhausted(cause)
    ? explainSystemError('ffmpeg could not be started', cause)
    : ffmpegFailed(`ffmpeg could not make the video: ${cause.message.trim()}`, cause)

/** ffmpeg did something else than it should, in a sentence. */
export const ffmpegFailed = (message: string, cause?: unknown): EmulatorError =>
  new EmulatorError(message, {
    code: 'ffmpeg-failed',
    hint: 'Run `backlot doctor`, which says which ffmpeg is used; one with libx264 and aac is needed.',
    cause,
  })

/** Reads a file that ffmpeg has written. */
export const readOutput = (file: string): Promise<Buffer> =>
  readFile(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    throw ffmpegFailed('ffmpeg ended without an error and has written nothing.', cause)
  })
