import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import {
  type CliCommand,
  counted,
  jsonText,
  printDocument,
  sentences,
  textOption,
  usageError,
  warn,
  writeReport,
} from '../command/command.js'
import { serviceOptions } from '../command/settings/read.js'
import { readService } from '../command/settings/service.js'
import { readDataFile, readText } from '../command/settings/sources.js'
import { isRecord, isTooDeep, parseJson, shapeRefusals } from '../emulator/surface/journal.js'
import { EmulatorError, packageRoot, slug } from '../emulator/surface/records.js'
import type { Registry } from '../emulator/surface/registry.js'
import { documentOf, readScenarioDocument, type ScenarioInput } from '../emulator/surface/scenarios.js'
import type { Settings } from '../emulator/surface/starting.js'
import { harSchema, isHar, withBodies } from '../traffic/har.js'
import { parseRecording } from '../traffic/parse.js'
import { checkFamilies } from './families.js'
import { stepsOf } from './infer/failures.js'
import { sessionInHar } from './infer/har.js'
import { type ObservedSession, sessionsIn } from './infer/observed.js'
import { type RepeatableCall, repeatableCalls } from './infer/repeat.js'

export const command: CliCommand = {
  usage: 'scenario-from <file>',
  description: 'turn what went wrong in a recording, or in a HAR file of the real service, into a scenario',
  options: [
    { flags: '-o, --output <file>', description: 'the file to write; default: standard output' },
    { flags: '--test', description: 'write a vitest test beside it that plays it' },
    {
      flags: '--account <id>',
      description: 'the account of the recording; default: the one with the most failures',
    },
    ...serviceOptions(),
  ],
  examples: [
    ['backlot scenario-from session.jsonl', 'prints the scenario'],
    ['backlot scenario-from session.jsonl -o test/bad-day.yaml --test', 'also writes test/bad-day.test.ts'],
    ['backlot scenario-from production.har -o bad-day.yaml', 'from what a browser or a proxy has seen'],
  ],
  // Resolves with 0, or with 1 where the file has no failure to repeat.
  run: async ({ options, operands: [file = ''] }) => {
    const output = textOption(options.output)
    if (options.test === true && output === undefined)
      throw usageError(
        '--test writes beside the scenario, so it needs a place for that.',
        'Name one: -o bad-day.yaml',
      )
    const { settings, throughProfile } = await readService(options)
    const registry = await throughProfile()
    const { session, notes } = await sourceOf(file, textOption(options.account), registry)
    notes.forEach(warn)
    const { steps, omitted, replaced } = stepsOf(session, registry)
    for (const failure of omitted) warn(`Skipped: ${failure}.`)
    replaced.forEach(warn)
    if (steps.length === 0) {
      warn(
        session.calls.length === 0
          ? `${file} holds no calls of the service.`
          : `Nothing went wrong in ${file} that a scenario could do again.`,
      )
      return 1
    }
    const count = steps.length === 1 ? 'one thing' : `${steps.length} things`
    const description = `What went wrong in ${basename(file)}, again: ${count}.`
    const document = { name: nameOf(output ?? file), description, steps: [...steps] }
    // Every scenario that is written can be played.
    const scenario = documentOf(readScenarioDocument(document, registry))
    const text = await scenarioText(scenario, basename(file), output)
    if (output === undefined) await printDocument(text)
    else await write(output, text)
    if (options.test === true && output !== undefined) {
      const test = testFileOf(output)
      const calls = repeatableCalls(session.calls, scenario, registry)
      // A test is made to be edited; the scenario, whose place was named, is written anew.
      if (existsSync(test)) warn(`Kept: ${test}, which was there. Remove it to have it written anew.`)
      else await write(test, await testText(scenario, basename(output), calls, serviceOf(settings)))
    }
    return 0
  },
}

const nameOf = (file: string): string => slug(basename(file, extname(file))) || 'recorded'

const testFileOf = (output: string): string =>
  `${output.slice(0, output.length - extname(output).length)}.test.ts`

const write = async (file: string, text: string): Promise<void> => {
  await writeReport(file, text)
  process.stderr.write(`Written: ${file}\n`)
}

/** Vitest test, as text: makes the calls and fails when a step of the scenario has not acted. */
const testText = async (
  { name }: ScenarioInput,
  file: string,
  calls: readonly RepeatableCall[],
  service: Partial<Settings>,
): Promise<string> => {
  const template = await readFile(join(packageRoot(), 'assets', 'templates', 'scenario-test.ts'), 'utf8')
  const lines = calls.map((call) => `  ${JSON.stringify(call)},\n`).join('')
  return template
    .replace('SCENARIO_FILE', () => inQuotes(file))
    .replace('SCENARIO_NAME', () => inQuotes(name))
    .replace('startEmulator({ scenario })', (call) => call.replace(' }', `${namedIn(service)} }`))
    .replace('readonly Call[] = []', () => `readonly Call[] = [\n${lines}]`)
}

/** The settings without which an emulator of a test would not be that service. */
const serviceOf = ({ families: given, familySettings, profile }: Settings): Partial<Settings> => {
  // A family that a configuration module holds itself cannot be written down.
  const families = given.filter((family) => typeof family === 'string')
  return {
    ...(families.length === 0 ? {} : { families }),
    ...(Object.keys(familySettings).length === 0 ? {} : { familySettings }),
    ...(profile.length === 0 ? {} : { profile }),
  }
}

const namedIn = (service: Partial<Settings>): string =>
  Object.entries(service)
    .map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`)
    .join('')

const inQuotes = (text: string): string => text.replace(/['\\]/g, '\\$&')

/** A scenario as the text of a file: JSON where the file's name ends so, otherwise YAML. */
const scenarioText = async (scenario: ScenarioInput, from: string, output = ''): Promise<string> => {
  if (extname(output).toLowerCase() === '.json') return jsonText(scenario)
  const { stringify } = await import('yaml')
  return `# Made from ${from} by backlot scenario-from.\n${stringify(scenario, { lineWidth: 110 })}`
}

/**
 * Reads a recording, or an HTTP archive. `notes`: for the user, a sentence each.
 * @throws EmulatorError when there is no such file, or it is neither
 */
const sourceOf = async (file: string, account: string | undefined, registry: Registry) => {
  const text = await readText(file)
  const isNamedHar = extname(file).toLowerCase() === '.har'
  // Where it is no JSON, reading it once more says why.
  const archive = parseJson(text) ?? (isNamedHar ? (await readDataFile(file)).contents : undefined)
  if (!isNamedHar && !isHar(archive)) return fromRecording(text, basename(file), account, registry)
  if (account !== undefined)
    throw usageError('--account is for recordings; a HAR file does not say whose calls are whose.')
  return fromArchive(archive, file, registry)
}

const fromArchive = (archive: unknown, file: string, registry: Registry) => {
  if (isTooDeep(archive)) throw badArchive(file, ['It is nested too deep'])
  if (!isRecord(archive)) throw badArchive(file, ['It must be an object that holds log.entries'])
  const unread: string[] = []
  const shape = harSchema.safeParse(withBodies(archive, dirname(file), unread))
  if (!shape.success) {
    const problems = shapeRefusals(shape.error.issues, archive).map(({ message }) => String(message))
    throw badArchive(file, problems.slice(0, 5))
  }
  const session = sessionInHar(shape.data, registry)
  const entries = isHar(archive) ? archive.log.entries.length : 0
  // Bodies whose files cannot be read are missing from their answers, too.
  const lost = unread.length > 0 ? unreadBodies(unread, file) : withoutTexts(session.withoutText, file)
  return { session, notes: [...lost, ...skippedEntries(entries - shape.data.log.entries.length)] }
}

const badArchive = (file: string, problems: readonly string[]): EmulatorError =>
  new EmulatorError(`${file} is no HTTP archive that can be read.\n${sentences(problems)}`, {
    code: 'bad-recording',
  })

/** How many of the files that cannot be read are named. */
const MAX_FILES = 5

const unreadBodies = (unread: readonly string[], file: string): string[] => {
  const files = unread.slice(0, MAX_FILES).join(', ') + (unread.length > MAX_FILES ? ' …' : '')
  return [`${counted(unread.length, 'body', 'bodies')} of ${file} cannot be read from beside it: ${files}`]
}

const withoutTexts = (count: number, file: string): string[] => {
  if (count === 0) return []
  const answers = `${counted(count, 'answer')} of the service ${count === 1 ? 'has' : 'have'} no body in ${file}`
  return [`${answers}: the scenario lacks what they said of errors and failed tasks.`]
}

const skippedEntries = (count: number): string[] =>
  count === 0 ? [] : [`Skipped: ${counted(count, 'entry', 'entries')} without a request or an answer.`]

const fromRecording = (text: string, file: string, wanted: string | undefined, registry: Registry) => {
  const recording = parseRecording(text, file)
  checkFamilies(recording, registry)
  const sessions = sessionsIn(recording, registry)
  const own = wanted === undefined ? sessions[0] : sessions.find(({ id }) => id === wanted)
  if (wanted !== undefined && own === undefined)
    throw usageError(
      `${file} has no account ${wanted}.`,
      `It has ${sessions.map(({ id }) => id).join(', ') || 'none'}.`,
    )
  const others = sessions.filter((other) => wanted === undefined && other !== own && other.failures > 0)
  const notes = others.map(
    ({ id, failures }) => `The account ${id} met ${counted(failures, 'failure')} of its own: --account ${id}`,
  )
  return { session: own?.session ?? NOTHING, notes }
}

const NOTHING: ObservedSession = { calls: [], failedTasks: [], lost: [], failedJobs: [], ofOtherCalls: [] }
