import { mkdir } from 'node:fs/promises'
import { explainSystemError } from '../../system-error.js'
import type { HealthIssues } from '../../troubles.js'

/** Writes into a folder, once more where it has been removed meanwhile, and says in words what is wrong where it cannot. */
export const createWrite =
  (home: string, troubles: Pick<HealthIssues, 'had' | 'over'>) =>
  async (write: () => Promise<void>): Promise<void> => {
    try {
      await write().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        await mkdir(home, { recursive: true, mode: 0o700 })
        await write()
      })
      troubles.over('inputs')
    } catch (error) {
      const explained = explainSystemError('What was sent could not be kept', error)
      troubles.had('inputs', explained)
      throw explained
    }
  }
