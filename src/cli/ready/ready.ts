import { setTimeout as pause } from 'node:timers/promises'
import { formatDuration, parseDuration } from '../../core/time/duration.js'
import type { Given } from '../command.js'
import { urlOf } from '../url.js'
import { look } from './look.js'

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
