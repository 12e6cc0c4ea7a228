import { z } from 'zod'
import { EmulatorError } from '../core/errors.js'
import { formatDuration } from '../core/schedule/duration.js'
import { type DiagnosticItem, diagnose } from '../observability/diagnostics.js'
import { type Arguments, baseUrl, type CliCommand } from './command.js'
import { type Paint, paintFor } from './output/screen.js'
import { fewSettingOptions, readCommandSettings } from './settings/read.js'

const bound = z.object({
  name: z.string(),
  of: z.string(),
  settings: z.array(z.string()),
  most: z.number(),
  per: z.string(),
  size: z.number().nullable(),
  hits: z.number(),
  refused: z.number(),
  kind: z.string(),
  atBound: z.string(),
})
export type BoundSeen = z.output<typeof bound>

/** What is read of `GET /_backlot/health?full`. */
const healthSchema = z.object({
  version: z.string(),
  uptime_ms: z.number(),
  clock: z.object({ mode: z.string(), speed: z.number(), now: z.string() }),
  bounds: z.array(bound),
  callbacks: z.record(z.string(), z.number()),
  troubles: z.array(z.object({ need: z.string(), says: z.string(), hint: z.string() })),
  errors: z.number(),
  memoryBytes: z.number(),
  logFile: z.string().nullable(),
  stateFile: z.string().nullable(),
})
export type Health = z.output<typeof healthSchema>

/** What is read of `GET /_backlot/doctor`. */
const doctorSchema = z.object({
  items: z.array(
    z.object({ what: z.string(), isFine: z.boolean(), detail: z.string(), hint: z.string().optional() }),
  ),
})

/** What is to be said of an emulator's health, in the order in which one would ask. */
export const diagnoseHealth = (health: Health): DiagnosticItem[] => [
  server(health),
  clock(health),
  ...bounds(health),
  ...state(health),
  callbacks(health),
  ...health.troubles.map(({ says, hint }) => wrong('trouble', says, hint)),
  errors(health),
]

const server = ({ version, uptime_ms, memoryBytes }: Health): DiagnosticItem =>
  fine(
    'server',
    `version ${version}, up for ${formatDuration(uptime_ms)}, ${Math.round(memoryBytes / 2 ** 20)} MiB of memory`,
  )

const clock = ({ clock: { mode, speed, now } }: Health): DiagnosticItem =>
  fine('clock', `${mode}${mode === 'live' && speed !== 1 ? ` at ${speed} times the speed` : ''}, ${now}`)

const bounds = ({ bounds: all }: Health): DiagnosticItem[] => {
  const told = all.filter(({ per }) => per !== 'call').flatMap(aboutBound)
  return told.length > 0 ? told : [fine('bounds', 'none of them was met, and none is near')]
}

const NEAR = 0.9

const aboutBound = (bound: BoundSeen): DiagnosticItem[] => {
  const { of, settings, most, size, hits, refused, kind, atBound } = bound
  const stands = `${of}: ${size ?? 0} of ${most}`
  const raise = `Raise the setting ${settings[0]}, or reset accounts that nobody needs.`
  if (refused > 0) return [wrong('bound', `${stands}, and ${times(refused)} somebody was refused`, raise)]
  if (kind === 'refuses' && (size ?? 0) >= NEAR * most)
    return [wrong('bound', `${stands}, which is near; then ${atBound}`, raise)]
  return hits > 0 ? [fine('bound', `${stands}, met ${times(hits)}: ${atBound}`)] : []
}

// Where it cannot be written there is a trouble that says why.
const state = ({ stateFile, troubles }: Health): DiagnosticItem[] => {
  if (stateFile === null || troubles.some(({ need }) => need === 'state')) return []
  return [fine('state', `what happens is written into ${stateFile}`)]
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

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

const wrong = (what: string, detail: string, hint: string): DiagnosticItem => ({
  what,
  isFine: false,
  detail,
  ...(hint === '' ? {} : { hint }),
})

/**
 * Looks at an emulator that runs: how it stands, then whether it can make pictures and videos.
 * @throws EmulatorError `unreachable`, `token-needed` or `not-an-emulator`
 */
async function* diagnoseRemote(url: string, token: string | undefined): AsyncGenerator<DiagnosticItem> {
  yield* diagnoseHealth(await asked(`${url}/_backlot/health?full`, token, healthSchema))
  const { items } = await asked(`${url}/_backlot/doctor`, token, doctorSchema)
  for (const { hint, ...item } of items) yield { ...item, ...(hint === undefined ? {} : { hint }) }
}

const asked = async <S extends z.ZodType>(
  url: string,
  token: string | undefined,
  schema: S,
): Promise<z.output<S>> => {
  const headers: Record<string, string> = token === undefined ? {} : { 'X-Backlot-Token': token }
  const response = await fetch(url, { headers }).catch((cause) => {
    throw unreachable(url, cause)
  })
  const body: unknown = await response.json().catch(() => undefined)
  const read = schema.safeParse(body)
  if (response.ok && read.success) return read.data
  throw refused(url, response.status, body)
}

const unreachable = (url: string, cause: Error): EmulatorError =>
  new EmulatorError(`No emulator answers at ${new URL(url).origin}.`, {
    code: 'unreachable',
    hint: 'Start one with `backlot start`, or name another address with --url.',
    cause,
  })

const refused = (url: string, status: number, body: unknown): EmulatorError => {
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string; hint?: string } }
  if (typeof error?.code === 'string' && typeof error.message === 'string')
    return new EmulatorError(error.message, { code: error.code, hint: error.hint ?? '' })
  return new EmulatorError(
    `What answers at ${new URL(url).origin} is no emulator of this version: it sent ${status}.`,
    {
      code: 'not-an-emulator',
    },
  )
}

/** Tries what pictures and videos are made with, or looks at an emulator that runs. Answers 0 when nothing is wrong. */
const runDoctor = async (given: Arguments): Promise<number> => {
  const { url } = given.options
  return typeof url === 'string' ? examineAt(baseUrl(url), given) : examineHere(given)
}

const examineHere = async ({ options }: Arguments): Promise<number> => {
  const sources = { folder: process.cwd(), environment: process.env, options }
  const { settings } = await readCommandSettings(sources)
  const wrong = await told(diagnose(settings), 'missing')
  process.stdout.write(wrong === 0 ? 'Pictures and videos can be made here.\n' : `${brokenText(wrong)}\n`)
  return wrong === 0 ? 0 : 1
}

const examineAt = async (url: string, { options }: Arguments): Promise<number> => {
  const given = options.controlToken ?? process.env.BACKLOT_CONTROL_TOKEN
  const wrong = await told(diagnoseRemote(url, typeof given === 'string' ? given : undefined), 'wrong')
  process.stdout.write(wrong === 0 ? `Nothing is wrong at ${url}.\n` : `${wrongText(wrong, url)}\n`)
  return wrong === 0 ? 0 : 1
}

/** Prints findings as they are made. Answers how many are not fine, which are called by the word. */
const told = async (found: AsyncIterable<DiagnosticItem>, word: string): Promise<number> => {
  const paint = paintFor(process.stdout, process.env)
  let wrong = 0
  for await (const finding of found) {
    process.stdout.write(lineOf(finding, word, paint))
    if (!finding.isFine) wrong += 1
  }
  return wrong
}

const lineOf = ({ isFine, what, detail, hint }: DiagnosticItem, word: string, paint: Paint): string => {
  const mark = isFine ? paint('green', 'ok     ') : paint('red', word.padEnd(7))
  return `${mark}  ${what.padEnd(9)}  ${detail}\n${hint === undefined ? '' : `         ${hint}\n`}`
}

const brokenText = (wrong: number): string =>
  `${wrong === 1 ? 'One thing is' : `${wrong} things are`} missing; everything else of the emulator works without.`

const wrongText = (wrong: number, url: string): string =>
  `${wrong === 1 ? 'One thing is' : `${wrong} things are`} wrong at ${url}.`

export const command: CliCommand = {
  usage: 'doctor',
  description:
    'say whether pictures and videos can be made, here or where an emulator runs, and how that one is',
  options: [
    { flags: '--url <url>', description: 'an emulator that runs; left out, only this machine is looked at' },
    {
      flags: '--control-token <token>',
      description: 'what that emulator wants; left out, $BACKLOT_CONTROL_TOKEN',
    },
    ...fewSettingOptions,
  ],
  examples: [
    ['backlot doctor', 'exit code 0 when everything is there'],
    ['backlot doctor --url http://127.0.0.1:4010', 'how an emulator is: its bounds, callbacks and media'],
    ['backlot doctor --set ffmpeg=/opt/ffmpeg/bin/ffmpeg', 'with another ffmpeg'],
  ],
  run: async (args) => runDoctor(args),
}
