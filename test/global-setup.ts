import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaCacheFolders } from '../src/emulator/media/files/media-cache.js'

/**
 * Empties the media cache that emulators with default settings use here, once before all tests: media that earlier sources have
 * rendered say nothing about these, and no run is to depend on the one before it. The folders stay, so that no running emulator
 * counts them as removed.
 */
export const setup = async (): Promise<void> => {
  for (const folder of await mediaCacheFolders({})) {
    const entries = await readdir(folder).catch(() => [])
    await Promise.all(entries.map((name) => rm(join(folder, name), { recursive: true, force: true })))
  }
}
