import { existsSync } from 'node:fs'
import { realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  type CliCommand,
  checkWritable,
  counted,
  jsonText,
  type Options,
  printDocument,
  remoteOf,
  remoteOptions,
  textOption,
  usageError,
  warn,
  writeReport,
} from '../command/command.js'
import { serviceOptions } from '../command/settings/read.js'
import { readService } from '../command/settings/service.js'
import { readText } from '../command/settings/sources.js'
import { type RemoteEmulator, remoteTransport } from '../emulator/surface/client.js'
import { parseJson } from '../emulator/surface/journal.js'
import { exportStateFile, followed, importStateFile, noSuchAccount } from '../emulator/surface/persistence.js'
import { DEFAULT_KEY, EmulatorError } from '../emulator/surface/records.js'
import { temporaryName } from '../emulator/surface/starting.js'

export const command: CliCommand = {
  usage: 'state <verb> <document>',
  description: 'export accounts into a document, or import them from one',
  options: [
    ...remoteOptions,
    { flags: '--state <file>', description: 'of a state file that no emulator holds, instead' },
    { flags: '--key <key>', description: 'this account alone; default: all of them' },
    ...serviceOptions(),
  ],
  examples: [
    ['backlot state export state.json', 'everything that a running emulator holds'],
    ['backlot state export - | jq .accounts', 'the same on standard output'],
    ['backlot state import state.json', 'the emulator is as the document says'],
    ['backlot state export state.json --state backlot.jsonl', 'what a state file holds'],
  ],
  run: async ({ operands: [verb, path = ''], options }) => {
    if (verb !== 'export' && verb !== 'import')
      throw usageError(
        `Expected export or import, found ${JSON.stringify(verb)}.`,
        '`backlot help state` shows how it is used.',
      )
    const { state } = options
    if (verb === 'export' && typeof state === 'string' && (await areSame(path, state)))
      throw usageError(
        `Expected another file than the state file ${state}, which the document would replace.`,
        'Name a new file, or - for standard output.',
      )
    const move = verb === 'export' ? exportTo : importFrom
    const sentence = await move(path, targetOf(options))
    if (path === STANDARD_OUTPUT) warn(sentence)
    else process.stdout.write(`${sentence}\n`)
    return 0
  },
}

const STANDARD_OUTPUT = '-'

const areSame = async (one: string, other: string): Promise<boolean> =>
  existsSync(one) && existsSync(other) && (await realpath(one)) === (await realpath(other))

/** State of a running emulator: of one account, or of all where no key is given. */
const remoteTarget = (emulator: RemoteEmulator, key: string | undefined): StateTarget => {
  const call = remoteTransport(emulator, key ?? DEFAULT_KEY)
  const all = key === undefined ? { all: 'true' as const } : {}
  return {
    read: async () => {
      // An account comes into being when it is read.
      const isKnown =
        key === undefined || (await call('accounts.list', {})).items.some((account) => account.key === key)
      if (!isKnown) throw noSuchAccount()
      return call('state.read', all)
    },
    write: (document) => call('state.write', { ...document, ...all }),
  }
}

/** Where accounts are exported from or imported to. */
interface StateTarget {
  read(): Promise<object>
  write(document: object): Promise<Written>
}

interface Written {
  readonly accounts: number
  readonly tasks: number
  readonly missing: readonly string[]
}

const targetOf = (options: Options): StateTarget => {
  const { state, url, controlToken } = options
  if (state !== undefined && (url ?? controlToken) !== undefined)
    throw usageError(
      `Expected ${url === undefined ? '--control-token' : '--url'} or --state, found both.`,
      'A file is read here, an emulator is asked.',
    )
  const key = textOption(options.key)
  if (typeof state !== 'string') return remoteTarget(remoteOf(options), key)
  return {
    read: () => exportStateFile(state, { key, onWarning: warn }),
    write: async (document) => {
      const { throughProfile } = await readService(options)
      const { keys, ...imported } = await importStateFile(state, document, {
        key,
        registry: await throughProfile(),
        onWarning: warn,
      })
      return { accounts: keys.length, ...imported }
    },
  }
}

const exportTo = async (path: string, target: StateTarget): Promise<string> => {
  const isPrinted = path === STANDARD_OUTPUT
  if (!isPrinted) await checkWritable(path)
  const document = await target.read()
  await (isPrinted ? printDocument(jsonText(document)) : replaceFile(path, jsonText(document)))
  const { accounts, media } = document as { accounts: readonly unknown[]; media: object | null }
  return `${isPrinted ? 'The document' : path} holds ${counted(accounts.length, 'account')}${media === null ? '; the files of its assets are too large for it' : ''}.`
}

/** Replaces a file atomically. A link stays a link, and a device or a named pipe is written into: it cannot be replaced. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isFile() === false) return writeReport(path, text)
  const file = stats === undefined ? await followed(resolve(path)) : await realpath(path)
  const temporary = join(dirname(file), temporaryName())
  try {
    // API keys stand in it.
    await writeReport(temporary, text, 0o600)
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

const importFrom = async (path: string, target: StateTarget): Promise<string> => {
  const { accounts, tasks, missing } = await target.write(await readDocument(path))
  const files = missing.length === 0 ? '' : ` The files of these assets are missing: ${missing.join(', ')}.`
  return `${counted(accounts, 'account')} with ${counted(tasks, 'task')} came from ${path}.${files}`
}

const readDocument = async (path: string): Promise<object> => {
  const document = parseJson(await readText(path))
  if (typeof document === 'object' && document !== null) return document
  throw new EmulatorError(`Expected an exported state in ${path}, found no JSON object.`, {
    code: 'bad-state',
    hint: '`backlot state export` writes one.',
  })
}
