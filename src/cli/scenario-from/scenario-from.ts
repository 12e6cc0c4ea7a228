import { writeFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { EmulatorError } from '../../core/emulator-error.js'
import { callsAgain } from '../../core/recording/wrongs/calls-again.js'
import { stepsOf } from '../../core/recording/wrongs/steps.js'
import { documentOf, type ScenarioInput } from '../../core/scenario/scenario.js'
import { catalogue } from '../../families/catalogue.js'
import { readScenarioDocument } from '../../server/scenario/read.js'
import type { Given } from '../command.js'
import { usageError } from '../failure.js'
import { warn } from '../start/warn.js'
import { knowledge } from './knowledge.js'
import { scenarioText } from './scenario-text.js'
import { type Source, sourceOf } from './source.js'
import { testText } from './test-text.js'

/** Writes a scenario of what went wrong in a file. Answers 0 when there is one, 1 when nothing went wrong. */
export const runScenarioFrom = async ({ options, operands: [file = ''] }: Given): Promise<number> => {
  const output = typeof options.output === 'string' ? options.output : undefined
  if (options.test === true && output === undefined)
    throw usageError(
      '--test writes beside the scenario, so it needs a place for that.',
      'Name one: -o bad-day.yaml',
    )
  const source = await sourceOf(file, typeof options.account === 'string' ? options.account : undefined)
  source.notes.forEach(warn)
  const { steps, left } = stepsOf(source.witnessed, knowledge.errorCatalog)
  for (const one of left) warn(`Left out: ${one}.`)
  if (steps.length === 0) {
    warn(`Nothing went wrong in ${file} that a scenario could do again.`)
    return 1
  }
  const scenario = checked({
    name: nameOf(output ?? file),
    says: sentenceFor(source, steps.length),
    steps: [...steps],
  })
  const text = await scenarioText(scenario, basename(file), output)
  if (output === undefined) process.stdout.write(text)
  else await write(output, text)
  if (options.test === true && output !== undefined)
    await write(
      testFileOf(output),
      testText(scenario, basename(output), callsAgain(source.witnessed.calls, scenario)),
    )
  return 0
}

const sentenceFor = ({ what }: Source, steps: number): string =>
  `What went wrong in ${what}, again: ${steps === 1 ? 'one thing' : `${steps} things`}.`

// What is written is read back, so that nothing is written that could not be played.
const checked = (document: ScenarioInput): ScenarioInput =>
  documentOf(readScenarioDocument(document, catalogue))

const nameOf = (file: string): string => {
  const words = basename(file, extname(file))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return words === '' ? 'recorded' : words
}

const testFileOf = (output: string): string =>
  `${output.slice(0, output.length - extname(output).length)}.test.ts`

const write = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new EmulatorError(`${file} cannot be written: ${(error as Error).message}.`, {
      code: 'wrong-usage',
      hint: 'Name a file in a folder that is there and may be written to.',
      cause: error,
    })
  }
  process.stderr.write(`Written: ${file}\n`)
}
