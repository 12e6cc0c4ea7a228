import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, constants, copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { FfmpegCommand } from 'fluent-ffmpeg'
import { EmulatorError, explainSystemError, isExhausted } from '../../core/errors.js'
import { clearTimeout, setImmediate, setTimeout } from '../../timers.js'

// Required when it is first asked for, as sharp is (sharp.ts).
const require = createRequire(import.meta.url)

interface FoundFfmpeg {
  readonly path: string
  /** As the program says: `4.4.1`, `N-47683-g0e8eb07980-static`. */
  readonly version: string
  readonly source: 'setting' | 'package' | 'path'
}

type Candidate = Pick<FoundFfmpeg, 'path' | 'source'>

/** Programs that can be the ffmpeg for videos, the first choice first. */
const candidatesOf = async (setting?: string): Promise<readonly Candidate[]> => {
  if (setting !== undefined) return [{ path: setting, source: 'setting' }]
  const packaged = await packagedPath()
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return [
    ...(packaged === undefined ? [] : [{ path: packaged, source: 'package' as const }]),
    ...folders.map((folder) => ({ path: join(folder, NAME), source: 'path' as const })),
  ]
}

/**
 * Finds the ffmpeg for videos: the one of the setting, else the one that was installed with the package, else
 * the first of the PATH. Undefined when there is none. EmulatorError when the one of the setting does not run.
 */
export const findFfmpeg = async (setting?: string, signal?: AbortSignal) => {
  for (const { path, source } of await candidatesOf(setting)) {
    const found = await tryProgram(path, source, signal)
    if (found !== undefined) return found
  }
  if (setting === undefined) return undefined
  throw new EmulatorError(`The setting ffmpeg names ${setting}, which is not an ffmpeg that runs here.`, {
    code: 'ffmpeg-unusable',
    hint: 'Name another one, or leave the setting out to use the one that comes with the package.',
  })
}

/**
 * Identifies the build of ffmpeg that is the first choice, by the size and the time of its file: two builds of one version encode
 * differently. It is not run, which would take longer than to read a video that was rendered before. Undefined when there is none.
 */
export const ffmpegBuild = async (setting?: string): Promise<string | undefined> => {
  for (const { path } of await candidatesOf(setting)) {
    if (!(await canRun(path))) continue
    const { size, mtimeMs } = await stat(path)
    return `${size} ${mtimeMs}`
  }
  return undefined
}

const VERSION_TIMEOUT_MS = 10_000

const tryProgram = async (
  path: string,
  source: FoundFfmpeg['source'],
  signal?: AbortSignal,
): Promise<FoundFfmpeg | undefined> => {
  if (!(await canRun(path))) return undefined
  try {
    const text = await versionText(path, signal)
    const version = /^ffmpeg version (\S+)/.exec(text)?.[1]
    return version === undefined ? undefined : { path, version, source }
  } catch (error) {
    signal?.throwIfAborted()
    // Whether it runs cannot be known while nothing can be started.
    if (isExhausted(error)) throw explainSystemError('ffmpeg could not be started', error)
    return undefined
  }
}

// Without execFile's own signal and timeout: they end a child that never started, and to kill a process without a pid is
// to kill the process group, the shell that called this one included.
const versionText = (path: string, signal?: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile(path, ['-version'], (error, stdout) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (error) reject(error)
      else resolve(stdout)
    })
    const end = (): void => {
      if (child.pid !== undefined) child.kill('SIGKILL')
    }
    const timer = setTimeout(end, VERSION_TIMEOUT_MS)
    signal?.addEventListener('abort', end, { once: true })
  })

const NAME = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'

// Found as a dependency of the package, which itself looks for the folders of npm: Yarn's Plug'n'Play has none.
const packagedPath = async (): Promise<string | undefined> => {
  try {
    const installer = createRequire(require.resolve('@ffmpeg-installer/ffmpeg'))
    const manifest = installer.resolve(`@ffmpeg-installer/${process.platform}-${process.arch}/package.json`)
    return await executable(join(dirname(manifest), NAME), installer(manifest).version)
  } catch {
    return undefined
  }
}

const canRun = async (path: string): Promise<boolean> =>
  (await access(path, constants.X_OK).catch(() => false)) !== false

/** Path of an executable: the program itself, or a copy of it where npm did not set the execute bit and it cannot be set. */
const executable = async (path: string, version: string): Promise<string> => {
  if (await canRun(path)) return path
  await chmod(path, 0o755).catch(() => undefined)
  if (await canRun(path)) return path
  const folder = join(tmpdir(), `backlot-ffmpeg-${version}-${process.getuid?.() ?? 0}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The folder for temporary files is shared: a program that another user has put there is not run.
  if ((await stat(folder)).uid !== (process.getuid?.() ?? 0))
    throw new Error(`${folder} belongs to another user`)
  const copy = join(folder, NAME)
  if (!(await canRun(copy))) {
    await copyFile(path, copy)
    await chmod(copy, 0o755)
  }
  return copy
}

/** File that ffmpeg reads or writes, with the options before it. */
export interface FfmpegFile {
  readonly path: string
  readonly options: readonly string[]
}

interface FfmpegRun {
  readonly inputs: readonly FfmpegFile[]
  readonly filter?: string
  readonly outputs: readonly FfmpegFile[]
}

/** Render context: the program, a folder for temporary files, and the signal that ends it. */
export interface RenderContext {
  readonly ffmpegPath: string
  readonly folder: string
  readonly signal: AbortSignal
}

/** Runs ffmpeg to its end. When the signal is aborted it is killed, and the promise rejects once the process is gone. */
export const runFfmpeg = async (run: FfmpegRun, { ffmpegPath, signal }: RenderContext): Promise<void> => {
  signal.throwIfAborted()
  const command = commandFor(run, ffmpegPath)
  const kill = () => command.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  // Before the start there is no process to kill.
  command.on('start', () => signal.aborted && kill())
  // A program that cannot be started may be reported twice.
  command.on('error', () => {})
  try {
    const ended = once(command, 'end')
    command.run()
    await ended
  } catch (cause) {
    throw signal.aborted ? signal.reason : failureOf(cause as Error)
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

/** @throws EmulatorError `fluent-ffmpeg-missing` where it is not installed */
const loadFluentFfmpeg = (): FfmpegCommand => {
  try {
    return require('fluent-ffmpeg')()
  } catch (cause) {
    throw new EmulatorError('Videos cannot be rendered here, because fluent-ffmpeg does not load.', {
      code: 'fluent-ffmpeg-missing',
      hint: 'Install the dependencies again on this machine, optional ones included.',
      cause,
    })
  }
}

// Filters run in one thread: several renders run at once, and threads only cost them time.
const ALWAYS = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-filter_threads', '1'] as const

const commandFor = (run: FfmpegRun, ffmpegPath: string): FfmpegCommand => {
  const command = withPath(loadFluentFfmpeg(), ffmpegPath)
  run.inputs.forEach(({ path, options }) => {
    command.input(path)
    // Called with nothing, the package adds an empty argument.
    if (options.length > 0) command.inputOptions(...options)
  })
  if (run.filter !== undefined) command.complexFilter(run.filter)
  for (const { path, options } of run.outputs) command.output(path).outputOptions(...options)
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
 * of the package in this process. The package's own preparation is skipped: it asks for formats and encoders (two more
 * processes), and takes its steps with the global setImmediate, which the fake timers of a test replace. The package is
 * archived and crashes the process where a program cannot be started: it reads output that does not exist.
 */
const withPath = (command: FfmpegCommand, path: string): FfmpegCommand => {
  const argumentsOf: () => readonly string[] = Reflect.get(command, '_getArguments')
  const spawn: SpawnFfmpeg = Reflect.get(command, '_spawnFfmpeg')
  const noLines: Lines = { get: () => '' }
  return Object.assign(command, {
    _getFfmpegPath: (callback: Callback<[path: string]>) => callback(null, path),
    _prepare: (callback: Callback<[args: readonly string[]]>) =>
      callback(null, [...ALWAYS, ...argumentsOf.call(command)]),
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

/** Error of ffmpeg: it did something else than it should. */
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
