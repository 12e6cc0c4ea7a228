import { execFile } from 'node:child_process'
import { access, chmod, constants, copyFile, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { FfmpegCommand } from 'fluent-ffmpeg'
import { EmulatorError } from '../../../core/emulator-error.js'
import { explainedBySystem } from '../../system-error.js'
import { ffmpegFailed } from './ffmpeg-failed.js'
import { loadFfmpegInstaller, loadFluentFfmpeg } from './load.js'

export interface FoundFfmpeg {
  readonly path: string
  /** As the program says: `4.4.1`, `N-47683-g0e8eb07980-static`. */
  readonly version: string
  readonly source: 'setting' | 'package' | 'path'
}

/**
 * The ffmpeg that videos are made with: the one of the setting, else the one that was installed with the package, else
 * the first of the PATH. Undefined when there is none. EmulatorError when the one of the setting does not run.
 */
export const findFfmpeg = async (
  setting?: string,
  signal?: AbortSignal,
): Promise<FoundFfmpeg | undefined> => {
  if (setting !== undefined) return fromSetting(setting, signal)
  const packaged = await packagedPath()
  const found = packaged && (await tried(packaged, 'package', signal))
  return found || triedInOrder(pathsOfPath(), signal)
}

const fromSetting = async (path: string, signal?: AbortSignal): Promise<FoundFfmpeg> => {
  const found = await tried(path, 'setting', signal)
  if (found) return found
  throw new EmulatorError(`The setting ffmpeg names ${path}, which is not an ffmpeg that runs here.`, {
    code: 'ffmpeg-unusable',
    hint: 'Name another one, or leave the setting out to use the one that comes with the package.',
  })
}

const triedInOrder = async (
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<FoundFfmpeg | undefined> => {
  for (const path of paths) {
    const found = await tried(path, 'path', signal)
    if (found) return found
  }
  return undefined
}

const VERSION_TIMEOUT_MS = 10_000

const tried = async (
  path: string,
  source: FoundFfmpeg['source'],
  signal?: AbortSignal,
): Promise<FoundFfmpeg | undefined> => {
  try {
    const limits = { timeout: VERSION_TIMEOUT_MS, killSignal: 'SIGKILL', signal } as const
    const { stdout } = await promisify(execFile)(path, ['-version'], limits)
    const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1]
    return version === undefined ? undefined : { path, version, source }
  } catch (error) {
    signal?.throwIfAborted()
    // Whether it runs cannot be known while nothing can be started.
    if (isExhausted(error)) throw explainedBySystem('ffmpeg could not be started', error)
    return undefined
  }
}

const isExhausted = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '')

const NAME = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'

const pathsOfPath = (): string[] =>
  (process.env.PATH ?? '').split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, NAME)]))

// The package throws, and throws bare strings, where it has no program for the platform or was not installed.
const packagedPath = async (): Promise<string | undefined> => {
  try {
    const { path, version } = loadFfmpegInstaller()
    return await executable(path, version)
  } catch {
    return undefined
  }
}

const canRun = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The program itself; a copy of it where npm has left out the execute bit and the file is not ours to change. */
const executable = async (path: string, version: string): Promise<string> => {
  if (await canRun(path)) return path
  await chmod(path, 0o755).catch(() => undefined)
  if (await canRun(path)) return path
  const folder = join(tmpdir(), `backlot-ffmpeg-${version}-${process.getuid?.() ?? 0}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The folder for temporary files is everybody's: a program that somebody else has put there is not run.
  if ((await stat(folder)).uid !== (process.getuid?.() ?? 0))
    throw new Error(`${folder} belongs to another user`)
  const copy = join(folder, NAME)
  if (!(await canRun(copy))) {
    await copyFile(path, copy)
    await chmod(copy, 0o755)
  }
  return copy
}

export interface FfmpegRun {
  readonly inputs: readonly { readonly source: string; readonly options: readonly string[] }[]
  readonly filter?: string
  readonly outputs: readonly { readonly target: string; readonly options: readonly string[] }[]
}

/** Runs ffmpeg to its end. When the signal is aborted it is killed, and the promise rejects once the process is gone. */
export const runFfmpeg = async (path: string, run: FfmpegRun, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted()
  const command = assembled(withoutQuestions(loadFluentFfmpeg()(), path), run)
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
    _spawnFfmpeg: survivingSpawn(command),
    _getFfmpegPath: (callback: (error: null, path: string) => void) => callback(null, path),
    _checkCapabilities: (callback: (error: null) => void) => callback(null),
    availableEncoders: (callback: (error: null, encoders: object) => void) => callback(null, {}),
  })

type Ended = (error: unknown, out?: Lines, errors?: Lines) => void
type Spawn = (args: unknown, options: unknown, started: unknown, ended: Ended) => void

interface Lines {
  get(): string
}

const noLines: Lines = { get: () => '' }

// Where a process cannot be started, the package looks into output that there is not, in a place where nobody can catch
// that, and this whole process would end.
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

// Filters in one thread: a render is one of several at once, and threads only cost it time.
const ALWAYS = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-filter_complex_threads', '1'] as const

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
    ? explainedBySystem('ffmpeg could not be started', cause)
    : ffmpegFailed(`ffmpeg could not make the video: ${cause.message.trim()}`, cause)
