import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

let count = 0

/** A name for something unfinished that nobody else uses. It tells the process that works on it. */
export const scratchName = (): string => {
  count += 1
  return `.unfinished-${process.pid}-${count}`
}

/** Whether a name is that of something unfinished whose process is gone. */
export const isLeftover = (name: string): boolean => {
  const pid = /^\.unfinished-(\d+)-\d+$/.exec(name)?.[1]
  return pid !== undefined && !isAlive(Number(pid))
}

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
  const folder = join(parent, scratchName())
  await mkdir(folder, { recursive: true })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
