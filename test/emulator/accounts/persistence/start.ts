import { cp, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { EmulatorDependencies } from '../../../../src/emulator/composition/dependencies.js'
import type { SettingsInput } from '../../../../src/emulator/settings.js'
import { startOnPort } from '../../../emulator.js'
import { newFolder } from '../../../folder.js'

/** A folder that goes with the test, by its real path: that for temporary files is a link on macOS, and short on Windows. */
export const openFolder = async (): Promise<string> => {
  const folder = await realpath(newFolder())
  return folder
}

/** An emulator on a port with a state file, and calls of the account `k`. */
export const start = async (
  file: string,
  settings: SettingsInput = {},
  dependencies: EmulatorDependencies = {},
) => {
  const started = await startOnPort({ state: file, ...settings }, dependencies)
  return { ...started, ...started.as('k') }
}

export type StartedEmulator = Awaited<ReturnType<typeof start>>

/** What a process that is killed now leaves behind: copies of the file, its logs, and the folder beside it. */
export const killed = async (house: StartedEmulator, into: string): Promise<string> => {
  const file = house.emulator.persistence?.facts().file ?? ''
  const copy = join(into, 'left-behind.jsonl')
  for (const name of await readdir(dirname(file)))
    if (name.startsWith(basename(file)) && !name.endsWith('.lock'))
      await cp(join(dirname(file), name), copy + name.slice(basename(file).length), { recursive: true })
  return copy
}
