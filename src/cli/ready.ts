import {
  type CliCommand,
  numberLike,
  parsedOption,
  remoteOf,
  remoteOptions,
  TOKEN_HINT,
  textOption,
} from '../command/command.js'
import { isLoopbackHost, send } from '../emulator/surface/client.js'
import { parseJson } from '../emulator/surface/journal.js'
import {
  connectionReason,
  delay,
  formatDuration,
  isRunning,
  LONGEST_TIMER_MS,
  parseDuration,
} from '../emulator/surface/records.js'

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
    ['backlot ready --url http://emulator:4650', 'asks once'],
    ['backlot ready --wait 30s --pid $!', 'the one that the shell has just started, and no other'],
  ],
  // Asks until an emulator answers or the time is over. Resolves with 0 when it answered, otherwise 1.
  run: async ({ options }) => {
    const pid = parsedOption('--pid', options.pid, 'the number of a process', numberLike(/^\d+$/))
    const target: Target = { ...remoteOf(options), pid, instance: textOption(options.instance) }
    const waitMs =
      options.wait === undefined ? 0 : parseDuration(textOption(options.wait) ?? DEFAULT_WAIT, '--wait')
    const deadline = Date.now() + waitMs
    let answer = await probe(target, waitMs === 0 ? SINGLE_TIMEOUT_MS : waitMs)
    while (!answer.isReady && Date.now() + POLL_INTERVAL_MS < deadline) {
      if (await hasEnded(target)) {
        answer = { ...answer, detail: `${answer.detail}, and the process ${pid} has ended` }
        break
      }
      await delay(POLL_INTERVAL_MS)
      answer = await probe(target, deadline - Date.now())
    }
    const { isReady, detail, hint = START_HINT } = answer
    const within = waitMs === 0 ? '' : ` within ${formatDuration(waitMs)}`
    if (isReady) process.stdout.write(`${target.url} is ready (${detail}).\n`)
    else process.stderr.write(`backlot: ${target.url} is not ready${within}: ${detail}.\n${hint}\n`)
    return isReady ? 0 : 1
  },
}

const DEFAULT_WAIT = '10s'
const POLL_INTERVAL_MS = 100
const START_HINT = 'Start an emulator with `backlot start`, or name another address with --url.'

/** Whether the process that is waited for runs no more; false where it may be on another machine. */
const hasEnded = async ({ url, pid }: Target): Promise<boolean> =>
  pid !== undefined && isLoopbackHost(new URL(url).hostname) && !(await isRunning(pid))

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

interface Health extends Readonly<Partial<Record<'version' | 'pid' | 'primaryPid' | 'instance', unknown>>> {
  readonly error?: { readonly code?: unknown }
}

/** Time limit of a single request: a busy machine may take seconds to load what answers it. */
const SINGLE_TIMEOUT_MS = 10_000
const MIN_TIMEOUT_MS = 1_000

const probe = async (target: Target, timeoutMs: number): Promise<Answer> => {
  const { url, token } = target
  const signal = AbortSignal.timeout(Math.min(Math.max(MIN_TIMEOUT_MS, timeoutMs), LONGEST_TIMER_MS))
  const headers: Record<string, string> = token === undefined ? {} : { 'x-backlot-token': token }
  try {
    // Not with `fetch`, which refuses ports of other protocols, such as 6000, where an emulator may listen.
    const { status, bytes } = await send({ method: 'GET', url: `${url}/_backlot/health`, headers, signal })
    return answerOf(status, (parseJson(bytes.toString()) ?? {}) as Health, target)
  } catch (error) {
    if (signal.aborted) return notReady('it does not answer')
    const detail = reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? connectionReason(error)
    return notReady(detail, /certificate|TLS/.test(detail) ? TLS_HINT : undefined)
  }
}

const notReady = (detail: string, hint?: string): Answer => ({ isReady: false, detail, hint })

const answerOf = (status: number, body: Health, target: Target): Answer => {
  const { pid, instance } = target
  // Without its token, an emulator answers no more than that.
  if (body.error?.code === 'token-needed')
    return pid === undefined && instance === undefined
      ? { isReady: true, detail: 'it asks for its token' }
      : notReady('it asks for its token, so that nothing says whether it is the right one', TOKEN_HINT)
  if (status >= 300 || typeof body.version !== 'string')
    return notReady(`something else answers there, with status ${status}`)
  if (pid !== undefined && body.pid !== pid && body.primaryPid !== pid)
    return notReady(`another emulator answers there, in process ${body.pid} and not ${pid}`, PID_HINT)
  if (instance !== undefined && body.instance !== instance)
    return notReady(`another emulator answers there, the instance ${body.instance}`, PORT_HINT)
  return { isReady: true, detail: `version ${body.version}` }
}

const TLS_HINT =
  'Something answers there: name it with http:// where it does not speak TLS, or trust its certificate.'

const PORT_HINT = 'Stop that one, or start yours on another port: --port 0 picks a free one.'

const PID_HINT = `A program that starts another one, such as npx, timeout or sh -c, has a number of its own: start \`backlot\` without it, or wait without --pid. If another emulator runs there: stop it, or start yours on another port with --port 0.`

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host name cannot be looked up',
}
