import { setTimeout as pause } from 'node:timers/promises'
import { isRunning } from '../accounts/persistence/lock.js'
import { formatDuration, parseDuration } from '../core/schedule/time.js'
import { isLoopbackHost } from '../net/host-check.js'
import {
  type Arguments,
  type CliCommand,
  remoteOf,
  remoteOptions,
  TOKEN_HINT,
  textOption,
  usageError,
} from './command.js'

export const command: CliCommand = {
  usage: 'ready',
  description: 'say whether an emulator answers, or wait until one does',
  options: [
    { flags: '--wait [duration]', description: 'how long to wait, 10s without a value; default: ask once' },
    {
      flags: '--pid <process>',
      description: 'only the emulator in this process, not another one at the URL',
    },
    {
      flags: '--instance <id>',
      description: 'only the emulator whose ready line (start --json) has this instance',
    },
    ...remoteOptions,
  ],
  examples: [
    ['backlot ready --wait 30s', 'exit code 0 as soon as it answers, 1 when it does not'],
    ['backlot ready --url http://emulator:4010', 'asks once'],
    ['backlot ready --wait 30s --pid $!', 'the one that the shell has just started, and no other'],
  ],
  run: async (args) => ready(args),
}

const DEFAULT_WAIT = '10s'
const POLL_INTERVAL_MS = 100

/** Asks for an emulator until it answers or the time is over. Resolves with 0 when it answered. */
const ready = async ({ options }: Arguments): Promise<number> => {
  const target: Target = {
    ...remoteOf(options),
    pid: pidOf(options.pid),
    instance: textOption(options.instance),
  }
  const waitMs = options.wait === undefined ? 0 : parseDuration(textOption(options.wait) ?? DEFAULT_WAIT)
  const deadline = Date.now() + waitMs
  let answer = await probe(target, waitMs === 0 ? SINGLE_TIMEOUT_MS : waitMs)
  while (!answer.isReady && Date.now() + POLL_INTERVAL_MS < deadline) {
    if (await hasEnded(target)) {
      answer = { ...answer, detail: `${answer.detail}, and the process ${target.pid} has ended` }
      break
    }
    await pause(POLL_INTERVAL_MS)
    answer = await probe(target, deadline - Date.now())
  }
  if (answer.isReady) process.stdout.write(`${target.url} is ready (${answer.detail}).\n`)
  else process.stderr.write(`${notReady(target.url, waitMs, answer)}\n`)
  return answer.isReady ? 0 : 1
}

/** Whether the process that is waited for runs no more; false where it may be on another machine. */
const hasEnded = async ({ url, pid }: Target): Promise<boolean> =>
  pid !== undefined && isLoopbackHost(new URL(url).hostname) && !(await isRunning(pid))

const pidOf = (option: Arguments['options'][string]): number | undefined => {
  const text = textOption(option)
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text)
  throw usageError(`--pid must be the number of a process, found ${JSON.stringify(text)}.`)
}

const notReady = (url: string, waitMs: number, { detail, hint }: Answer): string =>
  [
    `backlot: ${url} is not ready${waitMs === 0 ? '' : ` within ${formatDuration(waitMs)}`}: ${detail}.`,
    hint ?? 'Start an emulator with `backlot start`, or name another address with --url.',
  ].join('\n')

interface Target {
  readonly url: string
  readonly token: string | undefined
  /** Process that must answer. Default: any. */
  readonly pid: number | undefined
  /** Emulator that must answer. Default: any. */
  readonly instance: string | undefined
}

interface Answer {
  readonly isReady: boolean
  /** The version when it is ready, otherwise why it is not. */
  readonly detail: string
  readonly hint?: string
}

interface Health {
  readonly version?: unknown
  readonly pid?: unknown
  readonly instance?: unknown
  readonly error?: { readonly code?: unknown }
}

/** Time limit of a single request: a busy machine may take seconds to load what answers it. */
const SINGLE_TIMEOUT_MS = 10_000
const MIN_TIMEOUT_MS = 1_000

/** Asks once whether the emulator answers. */
const probe = async (target: Target, timeoutMs: number): Promise<Answer> => {
  const signal = AbortSignal.timeout(Math.max(MIN_TIMEOUT_MS, timeoutMs))
  const headers: Record<string, string> =
    target.token === undefined ? {} : { 'x-backlot-token': target.token }
  try {
    const response = await fetch(`${target.url}/_backlot/health`, { signal, headers })
    const body = ((await response.json().catch(() => null)) ?? {}) as Health
    return answerOf(response, body, target)
  } catch (error) {
    return { isReady: false, detail: signal.aborted ? 'it does not answer' : reasonOf(error) }
  }
}

const answerOf = ({ ok, status }: Response, body: Health, target: Target): Answer => {
  const isAny = target.pid === undefined && target.instance === undefined
  // Without its token, an emulator answers no more than that.
  if (body.error?.code === 'token-needed')
    return isAny
      ? { isReady: true, detail: 'it asks for its token' }
      : {
          isReady: false,
          detail: 'it asks for its token, so that nothing says whether it is the right one',
          hint: TOKEN_HINT,
        }
  if (!ok || typeof body.version !== 'string')
    return { isReady: false, detail: `something else answers there, with status ${status}` }
  return differentEmulator(body, target) ?? { isReady: true, detail: `version ${body.version}` }
}

const differentEmulator = (body: Health, { pid, instance }: Target): Answer | undefined => {
  const hint = 'Stop that one, or start yours on another port: --port 0 picks a free one.'
  if (pid !== undefined && body.pid !== pid)
    return {
      isReady: false,
      detail: `another emulator answers there, in process ${body.pid} and not ${pid}`,
      hint,
    }
  if (instance !== undefined && body.instance !== instance)
    return { isReady: false, detail: `another emulator answers there, the instance ${body.instance}`, hint }
  return undefined
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
