import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

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
