import { execFile } from 'node:child_process'
import { access, chmod, constants, copyFile, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { EmulatorError, explainSystemError, isExhausted } from '../../core/errors.js'
import { loadFfmpegInstaller } from './packages.js'

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
  if (!(await canRun(path))) return undefined
  try {
    const version = /^ffmpeg version (\S+)/.exec(await versionText(path, signal))?.[1]
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

/** The program itself; a copy of it where npm did not set the execute bit and the file cannot be changed. */
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
