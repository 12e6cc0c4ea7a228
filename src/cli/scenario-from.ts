import { basename, extname } from 'node:path'
import { shapeRefusals } from '../core/request.js'
import { documentOf, type ScenarioInput } from '../core/scenario/schema.js'
import { catalogue } from '../families/index.js'
import type { Recording } from '../recording/format.js'
import { stepsOf } from '../recording/infer/failures.js'
import { accountsIn, sessionInRecording } from '../recording/infer/from-recording.js'
import { harSchema, isHar, sessionInHar } from '../recording/infer/har.js'
import type { ObservedSession } from '../recording/infer/observed.js'
import { repeatableCalls, testText } from '../recording/infer/repeat.js'
import { parseRecording } from '../recording/parse.js'
import { readScenarioDocument } from '../scenarios/read.js'
import { type Arguments, type CliCommand, sentences, usageError, warn, writeReport } from './command.js'
import { readText } from './settings/sources.js'

export const command: CliCommand = {
  usage: 'scenario-from <file>',
  description: 'turn what went wrong in a recording, or in a HAR file of the real service, into a scenario',
  options: [
    { flags: '-o, --output <file>', description: 'the file to write; default: standard output' },
    { flags: '--test', description: 'write a vitest test beside it that plays it' },
    {
      flags: '--account <tag>',
      description: 'the account of the recording to use; default: the one with the most failures',
    },
  ],
  examples: [
    ['backlot scenario-from session.jsonl', 'prints the scenario'],
    ['backlot scenario-from session.jsonl -o test/bad-day.yaml --test', 'also writes test/bad-day.test.ts'],
    ['backlot scenario-from production.har -o bad-day.yaml', 'from what a browser or a proxy has seen'],
  ],
  run: async (args) => runScenarioFrom(args),
}

/** Writes a scenario of the failures in a file. Exit code: 0, or 1 where the file has no failure to repeat. */
const runScenarioFrom = async ({ options, operands: [file = ''] }: Arguments): Promise<number> => {
  const output = typeof options.output === 'string' ? options.output : undefined
  if (options.test === true && output === undefined)
    throw usageError(
      '--test writes beside the scenario, so it needs a place for that.',
      'Name one: -o bad-day.yaml',
    )
  const source = await sourceOf(file, typeof options.account === 'string' ? options.account : undefined)
  source.notes.forEach(warn)
  const { steps, omitted } = stepsOf(source.session)
  for (const one of omitted) warn(`Skipped: ${one}.`)
  if (steps.length === 0) {
    warn(`Nothing went wrong in ${file} that a scenario could do again.`)
    return 1
  }
  const scenario = checked({
    name: nameOf(output ?? file),
    description: sentenceFor(source, steps.length),
    steps: [...steps],
  })
  const text = await scenarioText(scenario, basename(file), output)
  if (output === undefined) process.stdout.write(text)
  else await write(output, text)
  if (options.test === true && output !== undefined)
    await write(
      testFileOf(output),
      testText(scenario, basename(output), repeatableCalls(source.session.calls, scenario)),
    )
  return 0
}

const sentenceFor = ({ what }: Source, steps: number): string =>
  `What went wrong in ${what}, again: ${steps === 1 ? 'one thing' : `${steps} things`}.`

// The scenario is checked before it is written, so that every written scenario can be played.
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
  await writeReport(file, text)
  process.stderr.write(`Written: ${file}\n`)
}

/** A scenario as the text of a file: JSON where the file's name ends so, otherwise YAML. */
const scenarioText = async (
  scenario: ScenarioInput,
  from: string,
  output: string | undefined,
): Promise<string> => {
  if (extname(output ?? '').toLowerCase() === '.json') return `${JSON.stringify(scenario, null, 2)}\n`
  const { stringify } = await import('yaml')
  return `# Made from ${from} by backlot scenario-from.\n${stringify(scenario, { lineWidth: 110 })}`
}

/** Observed session of a file. */
interface Source {
  readonly session: ObservedSession
  /** Name of the file: `session.jsonl`. */
  readonly what: string
  /** Notes for the user, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * Reads a recording, or an HTTP archive.
 * @throws EmulatorError when there is no such file, or it is neither
 */
const sourceOf = async (file: string, account: string | undefined): Promise<Source> => {
  const text = await readText(file)
  const archive = jsonOf(text)
  const what = basename(file)
  if (!isHar(archive)) return fromRecording(parseRecording(text, what), what, account)
  if (account !== undefined)
    throw usageError('--account is for recordings; a HAR file does not say whose calls are whose.')
  const shape = harSchema.safeParse(archive)
  if (!shape.success)
    throw badArchive(
      file,
      shapeRefusals(shape.error.issues, archive).map(({ message }) => String(message)),
    )
  return { session: sessionInHar(shape.data), what, notes: [] }
}

const fromRecording = (recording: Recording, what: string, wanted: string | undefined): Source => {
  const accounts = accountsIn(recording)
  const id = wanted ?? accounts[0]?.id ?? ''
  if (!accounts.some((account) => account.id === id))
    throw usageError(
      `${what} has no account ${id}.`,
      `It has ${accounts.map((account) => account.id).join(', ')}.`,
    )
  const others = accounts.filter((account) => account.id !== id && account.failures > 0)
  const notes = others.map(
    (account) =>
      `The account ${account.id} met ${account.failures} failures of its own: --account ${account.id}`,
  )
  return { session: sessionInRecording(recording, id), what, notes: wanted === undefined ? notes : [] }
}

const badArchive = (file: string, problems: readonly string[]) =>
  usageError(`${file} is no HTTP archive that can be read. ${sentences(problems.slice(0, 5))}`)

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
