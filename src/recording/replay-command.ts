import { basename } from 'node:path'
import {
  type CliCommand,
  checkTokenUsed,
  clean,
  counted,
  formatError,
  type Options,
  remoteOf,
  tokenOption,
  warn,
} from '../command/command.js'
import { familyOptions, readService } from '../command/settings/service.js'
import { readText } from '../command/settings/sources.js'
import { localTransport, type RemoteEmulator, remoteTransport } from '../emulator/surface/client.js'
import { readFamilies } from '../emulator/surface/profile.js'
import { EmulatorError } from '../emulator/surface/records.js'
import { builtIn, type Registry } from '../emulator/surface/registry.js'
import { readScenarioDocument } from '../emulator/surface/scenarios.js'
import {
  createEmulator,
  createFixtures,
  listen,
  readSettings,
  type Settings,
} from '../emulator/surface/starting.js'
import { routes } from '../generated/routes.js'
import type { AccountLine, Head, Recording } from '../traffic/format.js'
import { parseRecording } from '../traffic/parse.js'
import { type Difference, differences } from './diff.js'
import { checkFamilies } from './families.js'
import { withoutForeignRoutes } from './foreign-routes.js'
import { createHttpClient } from './http-client.js'
import { renameAccounts, replayKeys } from './keys.js'
import { createRecordedMedia, hasAllMedia, mediaReader, type ReadMedium } from './media.js'
import { createRecordedReceivers, type Report, replay } from './replay.js'
import { EMULATOR_HOST, EMULATOR_ORIGIN } from './sanitise.js'
import { recordedSettings } from './serialise.js'
import type { PerformAction, ReplayMismatch } from './session.js'

export const command: CliCommand = {
  usage: 'replay <file>',
  description: 'run a recording again and show each answer that is not what it was',
  options: [
    {
      flags: '--url <url>',
      description: 'URL of a running emulator to replay against; default: starts its own',
    },
    tokenOption,
    { flags: '--all', description: 'show every difference; default: those of the first 20 answers' },
    ...familyOptions(),
  ],
  examples: [
    ['backlot start --record session.jsonl', 'records everything that happens until Ctrl-C'],
    ['backlot replay session.jsonl', 'exit code 0 when all answers are the same, 1 when some are not'],
    ['backlot replay session.jsonl --url http://127.0.0.1:4650', 'against an emulator that runs already'],
  ],
  // Resolves with 0 when everything is as it was, 1 when something differs.
  run: async ({ options, operands: [file = ''] }) => {
    checkTokenUsed(options)
    const recording = parseRecording(await readText(file), basename(file))
    const readMedium = mediaReader(file)
    const { target, warnings, close } =
      options.url === undefined
        ? await openOwnTarget(recording, readMedium, await familiesFor(recording, options))
        : await openRemoteTarget(recording, readMedium, remoteOf(options))
    for (const warning of [...recordingWarnings(recording), ...warnings]) warn(warning)
    const maxShown = options.all === true ? Number.POSITIVE_INFINITY : MAX_SHOWN
    let count = 0
    try {
      const report = await replay(recording, target, (mismatch) => {
        count += 1
        if (count <= maxShown) process.stdout.write(`${mismatchText(mismatch)}\n`)
      })
      process.stdout.write(`${summary(report, Math.max(0, count - maxShown))}\n`)
      return count === 0 ? 0 : 1
    } finally {
      await close()
    }
  },
}

const MAX_SHOWN = 20

/**
 * Target of the replay's own: an emulator with the recorded settings, whose clocks are moved by hand and whose receivers
 * answer as recorded.
 * @param families from outside, as the setting names them
 * @throws EmulatorError `wrong-usage` where the recording was made with another one
 */
export const openOwnTarget = async (
  recording: Recording,
  readMedium: ReadMedium = mediaReader(),
  families: Settings['families'] = [],
) => {
  const { read: readFixture } = createFixtures()
  const putBlob = (bytes: Uint8Array) => emulator.blobs.put(bytes)
  const media = createRecordedMedia({ readMedium, readFixture, putBlob })
  const receivers = createRecordedReceivers(recording.lines)
  const { settings, registry, profile, foreign } = await readRecordedService(recording, families)
  const emulator = await createEmulator(settings, {
    registry,
    profile,
    scenarios: scenariosOf(recording, registry),
    post: receivers,
    wrapMediaResolver: media.wrapMediaResolver,
    inspectUpload: media.inspectUpload,
    // Delays of scenarios are not compared.
    setTimer: (ring) => {
      const soon = setImmediate(ring)
      return () => clearImmediate(soon)
    },
    onInternalError: (error) => void process.stderr.write(`${formatError(error)}\n`),
  })
  const { url, close } = await listen(emulator)
  const httpClient = createHttpClient(url, EMULATOR_HOST)
  return {
    target: {
      httpClient,
      origin: EMULATOR_ORIGIN,
      as: (key: string) => knownActions(localTransport(emulator, key) as PerformAction),
      isOwn: true,
      readMedium,
      readFixture,
      fileOperations: registry.fileOperations,
      foreign,
      begin: media.begin,
      onReset: receivers.reset,
    },
    warnings: [],
    close: async () => {
      httpClient.stop()
      await close()
    },
  }
}

// Its journal is not read, and all callbacks are compared.
const ownSettings = {
  port: 0,
  clock: 'paused',
  journalEntries: 1,
  callbackLogEntries: 1_000_000,
  allowedHosts: [EMULATOR_HOST],
}

// Only settings that answers depend on: a recording of another user names no program and no file of this machine.
const settingsOf = ({ head }: Recording, families: Settings['families']): Settings =>
  readHead(head, 'settings', () =>
    readSettings({ ...recordedSettings(head.settings), ...ownSettings, seed: head.seed, families }),
  )

/** The families from outside that a recording needs, as options and configuration file name them; none where it needs none. */
const familiesFor = async ({ head }: Recording, options: Options): Promise<Settings['families']> => {
  if (head.families === undefined && options.families === undefined) return []
  return (await readService(options)).settings.families
}

/** The families and the profile that the recorded emulator had. */
const readRecordedService = async (recording: Recording, families: Settings['families']) => {
  // Before its settings are read: they can be those of a family that is missing.
  if (families.length === 0) checkFamilies(recording, builtIn)
  const { settings, foreign } = withoutForeignRoutes(settingsOf(recording, families))
  const { registry, throughProfile } = await readFamilies(settings)
  checkFamilies(recording, registry)
  return { foreign, ...(await throughProfile()) }
}

const scenariosOf = ({ head, lines }: Recording, registry: Registry) => {
  const keys = replayKeys(lines, { isOwn: true })
  const rename = (document: unknown) => renameAccounts(document, (id) => keys.get(id) ?? id)
  return (head.scenarios ?? []).map((document, index) =>
    readHead(head, `scenarios[${index}]`, () => readScenarioDocument(rename(document), registry)),
  )
}

const readHead = <T>({ emulator }: Head, field: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw new EmulatorError(`Line 1, ${field}: ${(error as EmulatorError).sentence}`, {
      code: 'bad-recording',
      hint: `The recording was written by version ${emulator}.`,
      cause: error,
    })
  }
}

/** Target that runs elsewhere. Accounts of the replay's own are used there; their callbacks are really sent. */
const openRemoteTarget = async (recording: Recording, readMedium: ReadMedium, emulator: RemoteEmulator) => {
  const { url } = emulator
  const httpClient = createHttpClient(url)
  const head = await headAt(emulator)
  const lost = (await hasAllMedia(recording, readMedium)) ? [] : [LOST_MEDIA]
  return {
    target: {
      httpClient,
      origin: new URL(url).origin,
      as: (key: string) => knownActions(remoteTransport(emulator, key) as PerformAction),
      isOwn: false,
      readMedium,
      readFixture: createFixtures().read,
    },
    // Facts to know before the answers are compared.
    warnings: [...settingWarnings(recording.head, head, url), ...lost],
    close: async () => httpClient.stop(),
  }
}

const LOST_MEDIA =
  'The recording lacks the bytes of some of its media. Without --url they are replayed by their recorded facts; the emulator at the URL refuses them.'

const knownActions =
  (act: PerformAction): PerformAction =>
  async (action, input) => {
    if (Object.hasOwn(routes, action)) return act(action, input)
    throw new EmulatorError(`This version cannot do ${action}.`, { code: 'unknown-action' })
  }

const headAt = async (emulator: RemoteEmulator): Promise<Head> => {
  const text = await remoteTransport(emulator, 'default')('recording.read', { format: 'replay' })
  return parseRecording(text.split('\n', 1)[0] ?? '', emulator.url).head
}

// Answers are compared all the same: the difference that a setting makes may be what the user wants to see.
const settingWarnings = (recorded: Head, there: Head, url: string): string[] => [
  ...(recorded.families ?? [])
    .filter((id) => there.families?.includes(id) !== true)
    .map((id) => `The emulator at ${url} does not have the family ${id}, of which the recording has calls.`),
  ...differences({ seed: recorded.seed, ...recorded.settings }, { seed: there.seed, ...there.settings }).map(
    ({ path, recorded, now }) =>
      `The setting ${path} is ${JSON.stringify(now)} at ${url} and was ${JSON.stringify(recorded)}: answers that depend on it differ.`,
  ),
]

const recordingWarnings = ({ lines, isCut }: Recording): string[] => [
  ...(isCut ? ['The last line of the recording is cut off in the middle and is ignored.'] : []),
  ...lines.flatMap(({ line }) => (line.kind === 'account' ? lackWarnings(line) : [])),
]

const lackWarnings = ({ account, lacks, lacksCallbacks }: AccountLine): string[] => [
  ...(lacks === undefined
    ? []
    : [
        `The recording lacks the first ${lacks} calls of the account ${account}, which the journal had dropped (setting journalEntries): answers that depend on them differ.`,
      ]),
  ...(lacksCallbacks === undefined
    ? []
    : [
        `The recording lacks ${lacksCallbacks} callbacks of the account ${account}, which its log had dropped (setting callbackLogEntries): they are not compared.`,
      ]),
]

const mismatchText = ({ place: { lineNumber, line }, differences }: ReplayMismatch): string => {
  const place = lineNumber === null ? 'not recorded' : `line ${lineNumber}`
  const lines = [`${place}  ${nameOf(line)}`, ...differences.flatMap(differenceLines), '']
  return lines.map((each) => clean(each)).join('\n')
}

const nameOf = (line: ReplayMismatch['place']['line']): string => {
  if (line.kind === 'control') return `${line.action} of the account ${line.account}`
  if (line.kind === 'callback') return `callback ${line.id} (${line.status ?? 'challenge'})`
  const { method, path } = line.request
  return `${method} ${path}${line.operation === undefined ? '' : `  (${line.operation})`}`
}

const differenceLines = ({ path, recorded, now }: Difference): string[] => [
  `  ${path}`,
  `    recorded  ${valueText(recorded)}`,
  `    now       ${valueText(now)}`,
]

const MAX_CHARACTERS = 400

const valueText = (value: unknown): string => {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value)
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)` : text
}

/** Summary of a replay. `hidden` counts the mismatches that are not shown. */
const summary = ({ calls, callbacks, mismatches, statusOnly, foreign }: Report, hidden: number): string => {
  const what = counted(calls, 'call') + (callbacks === 0 ? '' : ` and ${counted(callbacks, 'callback')}`)
  const differing = counted(mismatches.length, 'outcome differs', 'outcomes differ')
  const sentences = [
    mismatches.length === 0 ? `${what}, all as they were recorded.` : `${what}: ${differing}.`,
  ]
  if (hidden > 0) sentences.push(`${hidden} of them not shown; --all shows all.`)
  if (statusOnly > 0)
    sentences.push(`Of ${counted(statusOnly, 'call')} the status alone was compared: the body was not kept.`)
  if (foreign > 0)
    sentences.push(
      `${counted(foreign, 'call')} of a route that a host or a file answers ${foreign === 1 ? 'was' : 'were'} not compared.`,
    )
  return sentences.join(' ')
}
