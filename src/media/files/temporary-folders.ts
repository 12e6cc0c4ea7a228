import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

const user = process.getuid?.()

/**
 * The folder for media where the settings name none: one for each user, so that what was drawn is used again. The folder
 * for temporary files is everybody's: where somebody else has put a folder or a link of that name, another one is taken.
 */
export const defaultMediaFolder = (): string => {
  const folder = join(tmpdir(), `backlot-${user ?? 'media'}`)
  return isOurs(folder) ? folder : `${folder}-${randomBytes(8).toString('hex')}`
}

const isOurs = (folder: string): boolean => {
  try {
    const status = lstatSync(folder)
    return status.isDirectory() && (user === undefined || status.uid === user)
  } catch {
    // Nobody's yet; what is in the way otherwise is found, and said, when something is kept there.
    return true
  }
}

let count = 0

// Two machines, or two containers, may share a folder; what a process number means there is not known here.
const here = hostname().replace(/[^\w.]/g, '_')

/** A name for something of this process in a folder for all. It tells whose it is: machine, process, number. */
export const temporaryName = (): string => {
  count += 1
  return `.of-${here}-${process.pid}-${count}`
}

/** Removes from a folder what processes of this machine have left there that were killed. Never rejects. */
export const removeStaleTemporaries = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.map((name) => removeIfLeft(join(folder, name), name).catch(() => undefined)))
}

const removeIfLeft = async (path: string, name: string): Promise<void> => {
  const [, machine, pid] = /^\.of-([\w.]+)-(\d+)-\d+$/.exec(name) ?? []
  if (machine !== here) return
  const isLeft = Number(pid) === process.pid ? await isOlderThanProcess(path) : !isAlive(Number(pid))
  if (isLeft) await rm(path, { recursive: true, force: true })
}

// A container that starts again has the same name, and often the same process number.
const isOlderThanProcess = async (path: string): Promise<boolean> =>
  (await stat(path)).mtimeMs < Date.now() - process.uptime() * 1_000 - 1_000

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Lends a folder for the time of some work. */
export const withScratchFolder = async <T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> => {
  const folder = join(parent, temporaryName())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    return await work(folder)
  } finally {
    // A folder that cannot be removed is found at the next start; what was drawn is not lost for that.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
