import {
  type CliCommand,
  clean,
  counted,
  targetOf,
  targetOption,
  textOption,
  usageError,
} from '../command/command.js'
import {
  apiKey,
  type HttpAnswer,
  type RunningEmulator,
  send,
  startEmulator,
} from '../emulator/surface/client.js'
import { isRecord, parseJson, shown } from '../emulator/surface/journal.js'
import { connectionReason, delay, EmulatorError } from '../emulator/surface/records.js'
import type { Probe } from '../emulator/surface/registry.js'
import { type Difference, differences } from './diff.js'
import { probes } from './probes.js'
import { decodedBody, redirectedTarget } from './service-answer.js'

export const command: CliCommand = {
  usage: 'verify',
  description:
    'compare answers of the real service with those of the emulator, by calls that it refuses and that cost nothing',
  options: [
    targetOption,
    { flags: '--key-env <name>', description: 'the variable that holds the API key of the service' },
  ],
  examples: [
    [
      'backlot verify --target https://api.example.com --key-env VIDEO_API_KEY',
      'exit code 0 when all answers agree, 1 when some do not',
    ],
  ],
  run: async ({ options }) => {
    const target = targetOf(options)
    const name = textOption(options.keyEnv)
    const key = keyIn(name)
    const emulator = await startEmulator({ clock: 'paused' })
    const comparisons: Comparison[] = []
    const retry = createRetry()
    try {
      for (const probe of probes) {
        const [ours, theirs] = await Promise.all([
          ask(emulator.url, probe, OWN_KEY),
          retry(() => ask(target, probe, key)),
        ])
        if (probe.key === undefined && theirs.status === 401 && ours.status !== 401)
          throw usageError(`The service refuses the API key in ${name}: it answers 401.`)
        if (theirs.status === 429)
          throw usageError(
            `The service limits its calls: it answers 429 to ${probe.says}, ${TRIES} times.`,
            'Run the command again later.',
          )
        const found = tellingDifferences(ours, theirs)
        comparisons.push({ probe, theirs, found })
        const title = `${probe.says}: ${theirs.status}`
        if (found.length === 0) print(`agrees  ${title}`)
        else print(`differs ${title}`, ...found.map(differenceText), `  ${await placeOf(emulator, ours)}`)
        if (theirs.status < 300)
          print(`  The service took this call, which may cost money. It answered ${shown(bodyOf(theirs))}`)
      }
    } finally {
      if (comparisons.length < probes.length)
        print(
          `The command ended early: ${comparisons.length} of ${counted(probes.length, 'call')} were compared.`,
        )
      await emulator.stop()
    }
    const differing = comparisons.filter(({ found }) => found.length > 0).length
    print(
      differing === 0
        ? `All ${probes.length} answers agree.`
        : `${differing} of ${counted(probes.length, 'answer')} ${differing === 1 ? 'differs' : 'differ'}.`,
    )
    const advice = adviceOn(target, comparisons)
    if (advice !== undefined) print(advice)
    return differing === 0 ? 0 : 1
  },
}

/** Probe, the answer of the service, and how it differs from that of the emulator. */
interface Comparison {
  readonly probe: Probe
  readonly theirs: HttpAnswer
  readonly found: readonly Difference[]
}

/** What the answers say of the target as a whole, or undefined where they say nothing. */
const adviceOn = (target: string, comparisons: readonly Comparison[]): string | undefined => {
  for (const { probe, theirs } of comparisons) {
    const moved = redirectedTarget(target, probe.path, theirs)
    if (moved !== undefined) return `The service redirects calls to ${moved}: name it as --target.`
  }
  // A gateway may refuse calls without the user's own key by itself.
  const withOwnKey = comparisons.filter(({ probe }) => probe.key === undefined)
  const statuses = new Set(withOwnKey.map(({ theirs }) => theirs.status))
  return statuses.size === 1
    ? `Every call with the key was answered with ${[...statuses]}: the target may not be the service, or the path of --target may be wrong.`
    : undefined
}

const OWN_KEY = 'verify'
const TIMEOUT_MS = 30_000

const print = (...lines: readonly string[]): void =>
  void process.stdout.write(`${lines.map((line) => clean(line)).join('\n')}\n`)

const keyIn = (name: string | undefined): string => {
  if (name === undefined)
    throw usageError(
      'Expected the variable that holds an API key, found none.',
      'Name it: --key-env VIDEO_API_KEY',
    )
  const key = process.env[name]
  if (apiKey.fits(key)) return key as string
  throw usageError(
    `The variable ${name}, which --key-env names, holds no API key${key ? `: it must be ${apiKey.allowed}` : ''}.`,
  )
}

/** Sends a probe. Rejects where no answer comes. */
const ask = async (url: string, probe: Probe, key: string): Promise<HttpAnswer> => {
  const { method, path, json, body: [type, text] = ['application/json', JSON.stringify(json)] } = probe
  const bearer = { own: key, unknown: UNKNOWN_KEY, none: undefined }[probe.key ?? 'own']
  // A connection of its own: a call over one that is kept alive may be sent again, and cost twice what it should not cost at all.
  const headers: Record<string, string> = { connection: 'close', 'accept-encoding': 'identity' }
  if (bearer !== undefined) headers.authorization = `Bearer ${bearer}`
  const body = method === 'POST' ? text : undefined
  if (body !== undefined) headers['content-type'] = type
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return send({ method, url: url + path, headers, body, signal }).catch((error) => {
    const reason = signal.aborted ? `it takes longer than ${TIMEOUT_MS / 1_000} s` : connectionReason(error)
    throw new EmulatorError(`No answer comes from ${url}: ${reason}.`, { code: 'unreachable' })
  })
}

const TRIES = 3
const PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

/**
 * Retries of calls that a gateway refuses because it is overloaded or away (429 and 5xx): after Retry-After, or after a pause that
 * doubles. Once a call was refused to its last try, later ones are not tried again.
 */
const createRetry = () => {
  let tries = TRIES
  return async (call: () => Promise<HttpAnswer>): Promise<HttpAnswer> => {
    for (let tried = 1; ; tried += 1) {
      const answer = await call()
      if (answer.status !== 429 && answer.status < 500) return answer
      if (tried >= tries) {
        tries = 1
        return answer
      }
      const seconds = Number(answer.headers['retry-after'])
      const pauseMs = seconds >= 0 ? seconds * 1_000 : PAUSE_MS * 2 ** (tried - 1)
      await delay(Math.min(pauseMs, MAX_PAUSE_MS))
    }
  }
}

// The emulator takes any key but a reserved one.
const UNKNOWN_KEY = 'invalid'

/**
 * Differences that clients can meet: in the status, in the fields that there are, in the type of a value, and in the values of codes. Ids,
 * times and sentences are others in every answer.
 */
const tellingDifferences = (ours: HttpAnswer, theirs: HttpAnswer): Difference[] => {
  const ofStatus = differences(ours.status, theirs.status, 'status')
  return [...ofStatus, ...differences(bodyOf(ours), bodyOf(theirs)).filter(isTelling)]
}

const isTelling = ({ path, recorded, now }: Difference): boolean =>
  kindOf(recorded) !== kindOf(now) || CODE.test(path)

const CODE = /(^|\.)(code|type|status_code)$/

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  return isRecord(value) ? 'an object' : typeof (value ?? undefined)
}

const bodyOf = (answer: HttpAnswer): unknown => {
  const decoded = decodedBody(answer)
  if (decoded === undefined)
    return { '(cannot be decoded)': `Content-Encoding: ${answer.headers['content-encoding']}` }
  const text = decoded.toString()
  return parseJson(text) ?? { '(no JSON)': text }
}

const differenceText = ({ path, recorded, now }: Difference): string =>
  `  ${path || 'body'}: the emulator says ${valueText(recorded)}, the service ${valueText(now)}`

const valueText = (value: unknown): string => (value === undefined ? 'nothing' : shown(value))

/** Where the answer of the emulator is documented. */
const placeOf = async (emulator: RunningEmulator, { headers }: HttpAnswer): Promise<string> => {
  const id = String(headers['x-request-id'] ?? '')
  for (const account of [emulator.account(OWN_KEY), emulator.account(UNKNOWN_KEY), emulator]) {
    const [refusal] = (await account.requests.get(id).catch(() => undefined))?.refusedBy ?? []
    if (refusal !== undefined) return `${refusal.rule}: ${refusal.place}`
  }
  return 'docs/gaps.md'
}
