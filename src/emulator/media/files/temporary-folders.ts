import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isRunning } from '../../processes.js'

const user = process.getuid?.()

/**
 * Default folder for media: one for each user, so that rendered files are used again. The system's folder for temporary
 * files is shared: where another user has made a folder or a link of that name, another name is taken, by all of a process.
 * The folder is made at once, for this user alone: another user could make it between this check and the first file.
 */
export const defaultMediaFolder = (): string => {
  const folder = join(tmpdir(), `backlot-${user ?? 'media'}`)
  return isOurs(folder) ? folder : `${folder}-${instance}`
}

const isOurs = (folder: string): boolean => {
  try {
    mkdirSync(folder, 0o700)
    return true
  } catch {
    return isFolderOfUser(folder)
  }
}

const isFolderOfUser = (folder: string): boolean => {
  try {
    const status = lstatSync(folder)
    return status.isDirectory() && (user === undefined || status.uid === user)
  } catch {
    // It cannot be made. What is wrong is reported when a file is written.
    return true
  }
}

// Machines or containers may share a folder; the process numbers of one mean nothing on another.
const here = hostname().replace(/[^\w.]/g, '_')

// What this module has named is in use, whatever its time says: clocks are set, and machines sleep.
const instance = randomBytes(8).toString('hex')

/**
 * Name for a temporary file or folder in a shared folder: its owner, which is a process of a machine, and a random part. A
 * count would not do: a process can hold this module several times, once for each worker thread.
 */
export const temporaryName = (): string =>
  `.of-${here}-${process.pid}-${instance}${randomBytes(8).toString('hex')}`

/** Removes temporary files and folders of dead processes of this machine. Never rejects. */
export const removeStaleTemporaries = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.map((name) => removeIfStale(join(folder, name), name).catch(() => undefined)))
}

const removeIfStale = async (path: string, name: string): Promise<void> => {
  const [, machine, pid, random] = /^\.of-([\w.]+)-(\d+)-([0-9a-f]+)$/.exec(name) ?? []
  if (machine !== here || random?.startsWith(instance)) return
  const isStale =
    Number(pid) === process.pid ? await isOlderThanProcess(path) : !(await isRunning(Number(pid)))
  if (isStale) await rm(path, { recursive: true, force: true })
}

// A container that starts again has the same name, and often the same process number.
const isOlderThanProcess = async (path: string): Promise<boolean> =>
  (await stat(path)).mtimeMs < Date.now() - process.uptime() * 1_000 - 1_000

/**
 * Makes a folder and those above it. Node's recursive `mkdir` never ends below `/proc`, and of a read-only file system it reports
 * ENOENT, where the plain one reports EROFS.
 */
export const makeFolder = async (folder: string, mode?: number): Promise<void> => {
  const make = () =>
    mkdir(folder, mode).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error
    })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder), mode)
    await make()
  })
}

/** Runs work that needs a temporary folder, and removes the folder. */
export const withTemporaryFolder = async <T>(parent: string, work: (folder: string) => Promise<T>) => {
  const folder = join(parent, temporaryName())
  await makeFolder(folder, 0o700)
  // A folder that cannot be removed now is stale at the next start. The result of the work is not lost for that.
  return work(folder).finally(() => rm(folder, { recursive: true, force: true }).catch(() => undefined))
}
