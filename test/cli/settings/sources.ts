import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Given } from '../../../src/cli/command.js'
import { createProgram } from '../../../src/cli/program.js'
import {
  type Reading,
  type ReadSettings,
  readCommandSettings,
  settingOptions,
} from '../../../src/cli/settings/read.js'

export interface Written {
  readonly flags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Files of the working directory, by name. */
  readonly files?: Readonly<Record<string, string>>
}

/** A folder with some files in it, for as long as the test runs. */
export const folderWith = async (files: Readonly<Record<string, string>> = {}): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-settings-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** The options as the program parses them. */
export const parsed = async (flags: readonly string[]): Promise<Given['options']> => {
  let options: Given['options'] = {}
  const command = { usage: 'start', says: '', options: settingOptions(), examples: [['', '']] as const }
  const run = async (given: Given) => {
    options = given.options
    return 0
  }
  await createProgram([{ ...command, run }], () => {}).parseAsync(['start', ...flags], { from: 'user' })
  return options
}

/** What comes of what was written in the three places. */
export const settingsOf = async (written: Written, reading?: Reading): Promise<ReadSettings> => {
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
    (reason: Error) => reason,
  )
  return error?.message ?? 'it was not refused'
}
