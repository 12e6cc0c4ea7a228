import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { localTransport } from '../client/local.js'
import { type RemoteEmulator, remoteTransport } from '../client/remote.js'
import { EmulatorError } from '../core/errors.js'
import type { Scenario } from '../core/scenario/schema.js'
import { readSettings, type Settings } from '../core/settings.js'
import { createEmulator } from '../emulator.js'
import { catalogue } from '../families/index.js'
import { routes } from '../generated/routes.js'
import { listen } from '../listen.js'
import { createFixtures, type Fixtures } from '../media/fixtures.js'
import { type Difference, differences } from '../recording/diff.js'
import { EMULATOR, EMULATOR_HOST, type Head, type Recording } from '../recording/format.js'
import { createHttpClient } from '../recording/http-client.js'
import { replayKeys, withAccounts } from '../recording/keys.js'
import { parseRecording } from '../recording/parse.js'
import { createRecordedReceivers } from '../recording/recorded-receivers.js'
import {
  type Do,
  type ReplayMismatch,
  type Report,
  replay as replayImported,
  type Target,
} from '../recording/replay.js'
import { areStoodIn, type BytesOf } from '../recording/request.js'
import { readScenarioDocument } from '../scenarios/read.js'
import { type Arguments, baseUrl, type CliCommand, formatError } from './command.js'
import { readText } from './settings/files.js'

export const command: CliCommand = {
  usage: 'replay <file>',
  description: 'run a recording again and show each answer that is not what it was',
  options: [
    {
      flags: '--url <url>',
      description: 'run it against an emulator that runs there; left out, against one of its own',
    },
    {
      flags: '--control-token <token>',
      description: 'what that emulator wants; left out, $BACKLOT_CONTROL_TOKEN',
    },
    { flags: '--all', description: 'show every difference; left out, those of the first 20 answers' },
  ],
  examples: [
    ['backlot start --record session.jsonl', 'records everything that happens until Ctrl-C'],
    ['backlot replay session.jsonl', 'exit code 0 when all answers are the same, 1 when some are not'],
    ['backlot replay session.jsonl --url http://127.0.0.1:4010', 'against an emulator that runs already'],
  ],
  run: async (args) => runReplay(args),
}

/** A target, and what ends it. */
export interface OpenTarget {
  readonly target: Target
  /** What is worth knowing before the answers are compared; empty where nothing is. */
  readonly warnings: readonly string[]
  close(): Promise<void>
}

const MOST_SHOWN = 20

/** Runs a recording again. Answers 0 when everything is as it was, 1 when something is not. */
const runReplay = async ({ options, operands: [file = ''] }: Arguments): Promise<number> => {
  const recording = await readRecording(file)
  const { target, close, warnings: known } = await openTarget(recording, options)
  for (const warning of [...warnings(recording), ...known]) process.stderr.write(`backlot: ${warning}\n`)
  let shown = 0
  try {
    const report = await replayImported(recording, target, (differing) => {
      shown += 1
      if (options.all === true || shown <= MOST_SHOWN) process.stdout.write(`${differingText(differing)}\n`)
    })
    const hidden = options.all === true ? 0 : Math.max(0, shown - MOST_SHOWN)
    process.stdout.write(`${summary(report, hidden)}\n`)
    return report.differing.length === 0 ? 0 : 1
  } finally {
    await close()
  }
}

const openTarget = (
  recording: Recording,
  { url, controlToken }: Arguments['options'],
): Promise<OpenTarget> =>
  typeof url === 'string'
    ? openRemoteTarget(recording, baseUrl(url), typeof controlToken === 'string' ? controlToken : undefined)
    : openOwnTarget(recording)

/** @throws EmulatorError when there is no such file, or it is no recording */
export const readRecording = async (file: string): Promise<Recording> =>
  parseRecording(await readText(file), basename(file))

/** An emulator of the recording's own: as that one was set, its clocks moved by hand, its receivers as they were. */
export const openOwnTarget = async (recording: Recording): Promise<OpenTarget> => {
  const emulator = createEmulator(settingsOf(recording), {
    scenarios: scenariosOf(recording),
    post: createRecordedReceivers(recording.lines),
    // What a scenario delays is not what is compared.
    setTimer: (ring) => {
      const soon = setImmediate(ring)
      return () => clearImmediate(soon)
    },
    onInternalError: (error) => void process.stderr.write(`${formatError(error)}\n`),
  })
  const { url, close } = await listen(emulator)
  const caller = createHttpClient({ url, host: EMULATOR_HOST })
  return {
    target: {
      caller,
      origin: EMULATOR,
      as: (key) => localTransport(emulator, key) as Do,
      isOwn: true,
      bytesOf: await fixtureBytes(recording, emulator.fixtures),
    },
    warnings: [],
    close: async () => {
      caller.stop()
      await close()
    },
  }
}

// Nobody looks into its journal, and the callbacks are all compared.
const ofItsOwn = { port: 0, clock: 'paused', journalEntries: 1, callbackLogEntries: 1_000_000 } as const

const settingsOf = ({ head }: Recording): Settings => {
  try {
    return readSettings({ ...head.settings, ...ofItsOwn, seed: head.seed })
  } catch (error) {
    throw new EmulatorError(`Line 1, settings: ${(error as Error).message}`, {
      code: 'bad-recording',
      hint: `The recording was written by version ${head.emulator}.`,
      cause: error,
    })
  }
}

const scenariosOf = ({ head, lines }: Recording): Scenario[] => {
  const keys = replayKeys(lines, true)
  return (head.scenarios ?? []).map((document) =>
    readScenarioDocument(
      withAccounts(document, (tag) => keys.get(tag) ?? tag),
      catalogue,
    ),
  )
}

/**
 * An emulator that runs elsewhere. The recording is played by accounts of its own there; their callbacks go where that
 * emulator sends callbacks.
 */
const openRemoteTarget = async (
  recording: Recording,
  url: string,
  token = process.env.BACKLOT_CONTROL_TOKEN,
): Promise<OpenTarget> => {
  const emulator: RemoteEmulator = { url, token }
  const head = await headAt(emulator)
  const caller = createHttpClient({ url })
  return {
    target: {
      caller,
      origin: new URL(url).origin,
      as: (key) => knownAction(remoteTransport(emulator, key) as Do),
      isOwn: false,
      bytesOf: await fixtureBytes(recording, createFixtures()),
    },
    warnings: settingWarnings(recording.head, head, url),
    close: async () => caller.stop(),
  }
}

const knownAction =
  (act: Do): Do =>
  async (action, input) => {
    if (action in routes) return act(action, input)
    throw new EmulatorError(`This version cannot do ${action}.`, { code: 'unknown-action' })
  }

const headAt = async (emulator: RemoteEmulator): Promise<Head> => {
  const text = await remoteTransport(emulator, 'default')('recording.read', { format: 'replay' })
  return parseRecording(text.split('\n', 1)[0] ?? '', emulator.url).head
}

// Answers are compared all the same: a difference that a setting makes may be what somebody wants to see.
const settingWarnings = (recorded: Head, there: Head, url: string): string[] =>
  differences({ seed: recorded.seed, ...recorded.settings }, { seed: there.seed, ...there.settings }).map(
    ({ path, recorded, now }) =>
      `The setting ${path} is ${JSON.stringify(now)} at ${url} and was ${JSON.stringify(recorded)}: answers that depend on it differ.`,
  )

/** The bytes of the fixtures by their hash. They are only read where the recording names a medium. */
const fixtureBytes = async ({ lines }: Recording, fixtures: Fixtures): Promise<BytesOf> => {
  const byHash = new Map<string, Uint8Array>()
  if (!areStoodIn(lines, () => undefined)) return () => undefined
  for (const { name } of await fixtures.list()) {
    const bytes = await fixtures.read(name)
    if (bytes !== undefined) byHash.set(createHash('sha256').update(bytes).digest('hex'), bytes)
  }
  return (sha256) => byHash.get(sha256)
}

/** What is worth knowing of a recording before it is run. */
const warnings = ({ lines, isCut }: Recording): string[] => [
  ...(isCut ? ['The last line of the recording was cut off in the middle and is left out.'] : []),
  ...lines.flatMap(({ line }) =>
    line.kind === 'account' && line.lacks !== undefined
      ? [
          `The recording lacks the first ${line.lacks} calls of the account ${line.account}, which the journal had dropped (setting journalEntries): answers that depend on them differ.`,
        ]
      : [],
  ),
]

/** A line that had another outcome: which one, and each field of it that differs. */
const differingText = ({ place: { at, line }, differences }: ReplayMismatch): string =>
  [`line ${at}  ${nameOf(line)}`, ...differences.map(differenceText), ''].join('\n')

const nameOf = (line: ReplayMismatch['place']['line']): string => {
  if (line.kind === 'control') return `${line.action} of the account ${line.account}`
  if (line.kind === 'callback') return `callback ${line.id} (${line.status ?? 'challenge'})`
  const { method, path } = line.request
  return `${method} ${path}${line.operation === undefined ? '' : `  (${line.operation})`}`
}

const differenceText = ({ path, recorded, now }: Difference): string =>
  `  ${path}\n    recorded  ${valueText(recorded)}\n    now       ${valueText(now)}`

const MOST_CHARACTERS = 400

const valueText = (value: unknown): string => {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value)
  return text.length > MOST_CHARACTERS
    ? `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)`
    : text
}

/** How it went, in one or more sentences. `hidden` counts the differing answers that are not shown. */
const summary = ({ calls, callbacks, differing, halfCompared }: Report, hidden: number): string => {
  const what =
    callbacks === 0
      ? counted(calls, 'call')
      : `${counted(calls, 'call')} and ${counted(callbacks, 'callback')}`
  const outcome =
    differing.length === 0
      ? `${what}, all as they were recorded.`
      : `${what}: ${counted(differing.length, 'outcome')} ${differing.length === 1 ? 'differs' : 'differ'}.`
  return [
    outcome,
    ...(hidden === 0 ? [] : [`${counted(hidden, 'of them', 'of them')} not shown; --all shows all.`]),
    ...(halfCompared === 0
      ? []
      : [`Of ${counted(halfCompared, 'call')} the status alone was compared: the body was not kept.`]),
  ].join(' ')
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
