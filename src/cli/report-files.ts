import { writeFile } from 'node:fs/promises'
import { type Arguments, textOption, usageError } from './command.js'

/** Writes each text into the file that the option of its name names, if one is given. @throws EmulatorError `wrong-usage` */
export const writeReports = async (
  texts: Readonly<Record<string, string>>,
  options: Arguments['options'],
): Promise<void> => {
  for (const [name, text] of Object.entries(texts)) {
    const file = textOption(options[name])
    if (file !== undefined) await writeReport(file, text)
  }
}

/** Writes a text into a file. @throws EmulatorError `wrong-usage` where it cannot be written */
export const writeReport = (file: string, text: string): Promise<void> =>
  writeFile(file, text).catch((error: Error) => {
    throw usageError(`${file} cannot be written: ${error.message}.`, 'Name a file in a folder that is there.')
  })

/** Value as the text of a JSON file. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
