import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryName } from '../../leftovers.js'

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
