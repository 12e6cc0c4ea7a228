import {
  type CliCommand,
  checkTokenUsed,
  howOften,
  listOption,
  type Paint,
  paintFor,
  remoteOf,
  tokenOption,
  usageError,
} from '../command/command.js'
import { fewSettingOptions, readCommandSettings } from '../command/settings/read.js'
import {
  type ActionOutput,
  notAnEmulator,
  type RemoteEmulator,
  remoteTransport,
} from '../emulator/surface/client.js'
import { DEFAULT_KEY, formatDuration } from '../emulator/surface/records.js'
import { type DiagnosticItem, diagnose } from '../emulator/surface/starting.js'

export const command: CliCommand = {
  usage: 'doctor',
  description:
    'say whether pictures and videos can be made, here or where an emulator runs, and how that one is',
  options: [
    { flags: '--url <url>', description: 'URL of a running emulator; default: checks only this machine' },
    tokenOption,
    ...fewSettingOptions,
  ],
  examples: [
    ['backlot doctor', 'exit code 0 when everything is there'],
    ['backlot doctor --url http://127.0.0.1:4650', 'how an emulator is: its bounds, callbacks and media'],
    ['backlot doctor --set ffmpeg=/opt/ffmpeg/bin/ffmpeg', 'with another ffmpeg'],
  ],
  run: async ({ options }) => {
    if (typeof options.url === 'string') {
      if (options.config !== undefined || listOption(options.set).length > 0)
        throw usageError(
          `Expected --url or ${options.config === undefined ? '--set' : '--config'}, found both.`,
          'An emulator has the settings that it was started with.',
        )
      const emulator = remoteOf(options)
      const [allFine, notFine] = [`Nothing is wrong at ${emulator.url}.`, `wrong at ${emulator.url}.`]
      return printItems(diagnoseRemote(emulator), 'wrong', { allFine, notFine })
    }
    checkTokenUsed(options)
    const { settings } = await readCommandSettings({ options })
    return printItems(diagnose(settings), 'missing', {
      allFine: 'Pictures and videos can be made here.',
      notFine: 'missing; everything else of the emulator works without.',
    })
  },
}

type Health = Required<Omit<ActionOutput<'health.read'>, 'primaryPid' | 'clock'>> &
  Pick<ActionOutput<'health.read'>, 'clock'>

/** Diagnosis of an emulator's health. */
export const diagnoseHealth = (health: Health): DiagnosticItem[] => [
  server(health),
  ...(health.clock === undefined ? [] : [clock(health.clock)]),
  ...bounds(health),
  ...state(health),
  callbacks(health),
  ...health.troubles.map(({ says, hint }) => wrong('trouble', says, hint)),
  errors(health),
]

const server = ({ version, uptime_ms, memoryBytes }: Health): DiagnosticItem => {
  const memory = `${Math.round(memoryBytes / 2 ** 20)} MiB of memory`
  return fine('server', `version ${version}, up for ${formatDuration(uptime_ms)}, ${memory}`)
}

const clock = ({ mode, speed, now }: NonNullable<Health['clock']>): DiagnosticItem =>
  fine('clock', `${mode}${mode === 'live' && speed !== 1 ? ` at ${speed} times the speed` : ''}, ${now}`)

const bounds = ({ bounds: all }: Health): DiagnosticItem[] => {
  const items = all.filter(({ per }) => per !== 'call').flatMap(aboutBound)
  return items.length > 0 ? items : [fine('bounds', 'none of them was met, and none is near')]
}

const NEAR = 0.9

const aboutBound = (bound: Health['bounds'][number]): DiagnosticItem[] => {
  const { of, settings, most: max, size, hits, refused, kind, atBound } = bound
  const stands = `${of}: ${size ?? 0} of ${max}`
  const raise = `Raise the setting ${settings[0]}, or reset unused accounts.`
  if (refused > 0) return [wrong('bound', `${stands}, and ${howOften(refused)} a call was refused`, raise)]
  const isNear = (size ?? 0) >= NEAR * max
  if (kind === 'refuses' && isNear)
    return [wrong('bound', `${stands}, which is near; then ${atBound}`, raise)]
  if (hits > 0) return [fine('bound', `${stands}, met ${howOften(hits)}: ${atBound}`)]
  // An emulator that runs for long is at bounds that evict, and evictions are not wrong.
  return isNear ? [fine('bound', `${stands}, which is near; then ${atBound}`)] : []
}

// A file that cannot be written has a health issue, which says why.
const state = ({ stateFile, troubles }: Health): DiagnosticItem[] => {
  if (stateFile === null || troubles.some(({ need }) => need === 'state')) return []
  return [fine('state', `what happens is written into ${stateFile}`)]
}

const callbacks = ({ callbacks: { delivered = 0, failed = 0, skipped = 0 } }: Health): DiagnosticItem =>
  failed + skipped === 0
    ? fine('callbacks', delivered === 0 ? 'none was sent so far' : `${delivered} delivered, none failed`)
    : wrong(
        'callbacks',
        `${delivered} delivered, ${failed} failed, ${skipped} not sent`,
        'GET /_backlot/callbacks says of each what the receiver answered.',
      )

const errors = ({ errors: count, logFile }: Health): DiagnosticItem =>
  count === 0
    ? fine('errors', 'the emulator itself had none')
    : wrong(
        'errors',
        `the emulator itself had ${count}`,
        logFile === null
          ? 'Start it with --log-file, which has them with their places.'
          : `The log ${logFile} has them.`,
      )

const fine = (what: string, detail: string): DiagnosticItem => ({ what, isFine: true, detail })

const wrong = (what: string, detail: string, hint: string): DiagnosticItem => {
  return { what, isFine: false, detail, hint: hint || undefined }
}

/**
 * Diagnoses a running emulator: its health, then whether it can make pictures and videos.
 * @throws EmulatorError `unreachable`, `token-needed` or `not-an-emulator`
 */
async function* diagnoseRemote(emulator: RemoteEmulator): AsyncGenerator<DiagnosticItem> {
  const call = remoteTransport(emulator, DEFAULT_KEY)
  const health = await call('health.read', { full: 'true' })
  if (health.bounds === undefined) throw notAnEmulator(emulator.url, 200)
  yield* diagnoseHealth(health as Health)
  yield* (await call('doctor.read', {})).items
}

/**
 * Prints items as they come, and a last sentence. Resolves with the exit code.
 * @param mark of an item that is not fine
 * @param texts the sentence where all are fine, and the end of the one where some are not
 */
const printItems = async (
  items: AsyncIterable<DiagnosticItem>,
  mark: string,
  texts: { readonly allFine: string; readonly notFine: string },
): Promise<0 | 1> => {
  const paint = paintFor()
  let count = 0
  for await (const item of items) {
    process.stdout.write(lineOf(item, mark, paint))
    if (!item.isFine) count += 1
  }
  const notFine = `${count === 1 ? 'One thing is' : `${count} things are`} ${texts.notFine}`
  process.stdout.write(`${count === 0 ? texts.allFine : notFine}\n`)
  return count === 0 ? 0 : 1
}

const lineOf = ({ isFine, what, detail, hint }: DiagnosticItem, mark: string, paint: Paint): string => {
  const state = isFine ? paint('green', 'ok     ') : paint('red', mark.padEnd(7))
  return `${state}  ${what.padEnd(9)}  ${detail}\n${hint === undefined ? '' : `         ${hint}\n`}`
}
