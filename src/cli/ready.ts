import { setTimeout as pause } from 'node:timers/promises'
import { formatDuration, parseDuration } from '../core/schedule/duration.js'
import { type CliCommand, type Given, urlOf } from './command.js'

export const ready: CliCommand = {
  usage: 'ready',
  says: 'say whether an emulator answers, or wait until one does',
  options: [
    { flags: '--wait [duration]', says: 'how long to wait, 10s when nothing is named; left out: look once' },
    { flags: '--url <url>', says: 'where it should answer; left out, $BACKLOT_URL or http://127.0.0.1:4010' },
  ],
  examples: [
    ['backlot ready --wait 30s', 'exit code 0 as soon as it answers, 1 when it does not'],
    ['backlot ready --url http://emulator:4010', 'looks once'],
  ],
  run: async (given) => (await import('./ready.js')).runReady(given),
}

const DEFAULT_URL = 'http://127.0.0.1:4010'
const DEFAULT_WAIT = '10s'
const BETWEEN_LOOKS_MS = 100

/** Looks for an emulator until it answers or the time is over. Answers 0 when it did. */
export const runReady = async ({ options }: Given): Promise<number> => {
  const url = urlOf(givenUrl(options.url ?? process.env.BACKLOT_URL))
  const waitMs = waitOf(options.wait)
  const deadline = Date.now() + waitMs
  let seen = await look(url, waitMs)
  while (!seen.isReady && Date.now() + BETWEEN_LOOKS_MS < deadline) {
    await pause(BETWEEN_LOOKS_MS)
    seen = await look(url, deadline - Date.now())
  }
  if (seen.isReady) process.stdout.write(`${url} is ready (${seen.detail}).\n`)
  else process.stderr.write(`${notReady(url, waitMs, seen.detail)}\n`)
  return seen.isReady ? 0 : 1
}

const notReady = (url: string, waitMs: number, detail: string): string =>
  [
    `backlot: ${url} is not ready${waitMs === 0 ? '' : ` after ${formatDuration(waitMs)}`}: ${detail}.`,
    'Start an emulator with `backlot start`, or name another address with --url.',
  ].join('\n')

const givenUrl = (given: unknown): string => (typeof given === 'string' && given !== '' ? given : DEFAULT_URL)

const waitOf = (given: unknown): number => {
  if (given === undefined) return 0
  return parseDuration(typeof given === 'string' ? given : DEFAULT_WAIT)
}

const LEAST_PATIENCE_MS = 1_000

interface Seen {
  readonly isReady: boolean
  /** The version when it is ready, otherwise why it is not. */
  readonly detail: string
}

/** Asks once whether an emulator answers at a URL. */
const look = async (url: string, patienceMs: number): Promise<Seen> => {
  const signal = AbortSignal.timeout(Math.max(LEAST_PATIENCE_MS, patienceMs))
  try {
    return await judged(await fetch(`${url}/_backlot/health`, { signal }))
  } catch (error) {
    return { isReady: false, detail: signal.aborted ? 'it does not answer' : reasonOf(error) }
  }
}

const judged = async (response: Response): Promise<Seen> => {
  const body = (await response.json().catch(() => ({}))) as {
    version?: unknown
    error?: { code?: unknown }
  } | null
  if (response.ok && typeof body?.version === 'string')
    return { isReady: true, detail: `version ${body.version}` }
  // It says no more than that to those without its token, and that is enough.
  if (body?.error?.code === 'token-needed') return { isReady: true, detail: 'it asks for its token' }
  return { isReady: false, detail: `something else answers there, with status ${response.status}` }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host name cannot be looked up',
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
  return reasons[cause?.code ?? ''] ?? cause?.message ?? message
}
