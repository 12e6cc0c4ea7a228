import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommandLine } from '../../../src/cli/program.js'
import type { Arguments } from '../../../src/command/command.js'
import { type CommandSettings, readCommandSettings } from '../../../src/command/settings/read.js'
import type { EmulatorError } from '../../../src/emulator/core/errors.js'
import { newFolder } from '../../folder.js'

export interface Written {
  readonly flags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Files of the working directory, by name. */
  readonly files?: Readonly<Record<string, string | Buffer>>
}

/** A folder with some files in it, for as long as the test runs. */
export const folderWith = async (files: Readonly<Record<string, string | Buffer>> = {}): Promise<string> => {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** The options as the program parses them. */
export const parsed = async (flags: readonly string[]): Promise<Arguments['options']> => {
  const { parsed } = await readCommandLine(['start', ...flags])
  return parsed === 'help' ? {} : parsed.options
}

/** What comes of what was written in the three places. */
export const settingsOf = async (
  written: Written,
  reading?: Parameters<typeof readCommandSettings>[1],
): Promise<CommandSettings> => {
  const { flags = [], environment = {}, files } = written
  return readCommandSettings(
    { folder: await folderWith(files), environment, options: await parsed(flags) },
    reading,
  )
}

/** The message with which it is refused. */
export const refusalOf = async (written: Written): Promise<string> => {
  const error = await settingsOf(written).then(
    () => undefined,
    (reason: EmulatorError) => reason,
  )
  return error?.sentence ?? 'it was not refused'
}
