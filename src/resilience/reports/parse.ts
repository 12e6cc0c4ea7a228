import type { z } from 'zod'
import { shapeRefusals } from '../../emulator/surface/journal.js'
import { EmulatorError } from '../../emulator/surface/records.js'

/**
 * Parses a JSON text, with or without a byte order mark, by a schema.
 * @param sentence how a message begins: `part.json is no report of backlot sweep`
 * @throws EmulatorError of the given code that names the first problem
 */
export const parseDocument = <T extends z.ZodType>(
  text: string,
  schema: T,
  {
    sentence,
    ...options
  }: { readonly sentence: string; readonly code: EmulatorError['code']; readonly hint: string },
): z.output<T> => {
  const wrong = (problem: string) => new EmulatorError(`${sentence}: ${problem}.`, options)
  let document: unknown
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw wrong(`it is not JSON (${(error as Error).message})`)
  }
  const read = schema.safeParse(document)
  if (read.success) return read.data
  // A document of another kind has keys of its own, which say less than what it lacks.
  const { issues } = read.error
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys')
  const problems = shapeRefusals(others.length === 0 ? issues : others, document)
  // Another version says more than a field that it lacks.
  const problem = problems.find(({ isMissing }) => !isMissing) ?? problems[0]
  throw wrong(String(problem?.message).replace('The request body', 'it'))
}
