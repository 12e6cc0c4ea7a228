import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
