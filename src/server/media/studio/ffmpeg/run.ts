import type { FfmpegCommand } from 'fluent-ffmpeg'
import { explainSystemError, isExhausted } from '../../../system-error.js'
import { loadFluentFfmpeg } from '../load.js'
import { ffmpegFailed } from './failed.js'
import type { Launcher } from './launcher.js'
import { launchedSpawn, survivingSpawn } from './spawn.js'

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
