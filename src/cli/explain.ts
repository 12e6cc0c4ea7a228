import { type CliCommand, clean, remoteOf, remoteOptions, textOption, warn } from '../command/command.js'
import { remoteTransport } from '../emulator/surface/client.js'
import { answerText } from '../emulator/surface/journal.js'
import { EmulatorError } from '../emulator/surface/records.js'
import type { ExplainedRequest, InFlightRecord } from '../generated/control-api.js'

export const command: CliCommand = {
  usage: 'explain [request]',
  description: 'say why a call was answered as it was: the last one, or the one with a request id',
  options: [
    ...remoteOptions,
    {
      flags: '--key <key>',
      description: 'API key of the call, which names its account; default: the calls of every account',
    },
  ],
  examples: [
    [
      'backlot explain --key my-key',
      'the last call with this key: rules that refused it, scenario steps, what followed',
    ],
    ['backlot explain 7a1adcc7-0a9d-4345-894d-c9562c93f077 --key my-key', 'the one with this X-Request-Id'],
  ],
  run: async ({ options, operands: [request = 'last'] }) => {
    const key = textOption(options.key)
    const call = remoteTransport(remoteOf(options), key ?? 'default')
    // Without a key, the calls of every account.
    const all = key === undefined ? { all: 'true' as const } : {}
    const { items, inFlight } =
      request === 'last' ? await call('requests.list', { limit: 1, ...all }) : { items: [], inFlight: [] }
    if (inFlight.length > 0) process.stdout.write(inFlightText(inFlight))
    const id = request === 'last' ? items[0]?.id : request
    if (id === undefined && inFlight.length > 0) return 0
    if (id === undefined) {
      warn(key === undefined ? 'No call has been made.' : 'No call has been made with this key.')
      return 1
    }
    process.stdout.write(textOf(await call('requests.read', { id, ...all }).catch(withKeyHint(key))))
    return 0
  },
}

/** Rethrows an error; that of a request that an account does not have says how its account is named here. */
const withKeyHint =
  (key: string | undefined) =>
  (error: unknown): never => {
    if (key === undefined || !(error instanceof EmulatorError) || error.code !== 'no-such-request')
      throw error
    throw new EmulatorError(error.sentence, {
      code: error.code,
      hint: 'Old entries are evicted (settings journalEntries and journalBytes); --key selects the account: without it, the calls of every account are looked through.',
    })
  }

/** The calls that the last one of the journal is not: they have no answer that could be explained. */
const inFlightText = (calls: readonly InFlightRecord[]): string => {
  const lines = calls.map(({ method, path, says }) => clean(`  ${method} ${path}: ${says}.`))
  return ['Under way:', ...lines, '', ''].join('\n')
}

const textOf = ({ id, at, account, explanation, followed, ...call }: ExplainedRequest): string => {
  const { task, downloads } = followed
  return [
    `${call.method} ${call.path}  ${answerText(call.status, call.connection)}`,
    `Request ${id} of the account ${account} at ${at}.`,
    '',
    ...explanation,
    ...(task === null ? [] : ['', `Task ${task.id}:`]),
    ...(task?.timeline ?? []).map(({ at, status }) => `  ${at}  ${status}`),
    ...downloads.map(
      ({ at, status, connection }) => `Downloaded at ${at}: ${answerText(status, connection)}.`,
    ),
    '',
  ]
    .map((line) => clean(line))
    .join('\n')
}
