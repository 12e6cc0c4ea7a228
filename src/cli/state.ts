import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { everythingIn } from '../accounts/persistence/batch.js'
import { exportState, importState, stateDocument } from '../accounts/persistence/export.js'
import { acquireLock } from '../accounts/persistence/lock.js'
import { openState, readState } from '../accounts/persistence/state-file.js'
import { type HttpAnswer, send } from '../client/http.js'
import type { RemoteEmulator } from '../client/remote.js'
import { EmulatorError } from '../core/errors.js'
import type { Account } from '../core/model/account.js'
import { readSettings } from '../core/settings.js'
import { createBlobStore } from '../media/files/blob-store.js'
import { type Arguments, baseUrl, type CliCommand, usageError, warn } from './command.js'

/** The state in a file that no emulator holds: of one account, or of all where none is named. */
const fileTarget = (file: string, key: string | undefined): StateTarget => ({
  read: () => readFrom(resolve(file), key),
  write: (document) => writeInto(resolve(file), document, key),
})

const blobsOf = (path: string) =>
  createBlobStore({ folder: `${path}.media`, maxBytes: Number.MAX_SAFE_INTEGER, isKept: true })

const readFrom = async (path: string, key: string | undefined): Promise<object> => {
  if (!(await isThere(path)))
    throw new EmulatorError(`There is no state file ${path}.`, { code: 'no-such-file' })
  const lock = await acquireLock(path, { onLost: () => {} })
  const blobs = blobsOf(path)
  try {
    const { saved, accounts } = await readState(path, {
      callbacksMost: Infinity,
      isFresh: false,
      notify: warn,
    })
    const wanted = accounts
      .map(({ account }) => account)
      .filter((one) => key === undefined || one.key === key)
    return await exportState(wanted, { seed: saved.server?.seed ?? 1, wall: Date.now(), blobs })
  } finally {
    await blobs.stop()
    await lock.release()
  }
}

// The file is written as an emulator would write it that had these accounts.
const writeInto = async (path: string, document: object, key: string | undefined): Promise<Written> => {
  const { seed } = stateDocument(document)
  const settings = readSettings({ seed })
  const persistence = await openState(path, { settings, wall: Date.now, notify: warn })
  const blobs = blobsOf(path)
  const replace = async (account: Account): Promise<void> => {
    const batch = persistence.batchOf(everythingIn(account, Date.now()))
    await persistence.append(account.key, 1, [['account', '', null], ...batch])
  }
  try {
    const place = { seed, wall: Date.now(), callbacksMost: settings.callbackLogEntries, blobs, replace }
    const { keys, ...imported } = await importState(document, place, key)
    const before = key === undefined ? persistence.accounts.map(({ account }) => account.key) : []
    for (const other of before)
      if (!keys.includes(other)) await persistence.append(other, 1, [['account', '', null]])
    return { accounts: keys.length, ...imported }
  } finally {
    await blobs.stop()
    await persistence.stop()
  }
}

const isThere = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** The state of an emulator that runs: of one account, or of all where none is named. */
const remoteTarget = ({ url, token }: RemoteEmulator, key: string | undefined): StateTarget => {
  const ask = async (method: 'GET' | 'PUT', document?: object): Promise<object> => {
    const body = document === undefined ? undefined : JSON.stringify(document)
    const answer = await send({
      method,
      url: `${url}/_backlot/state${key === undefined ? '?all=true' : ''}`,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(token === undefined ? {} : { 'x-backlot-token': token }),
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      body,
    }).catch((cause) => {
      throw new EmulatorError(`No emulator answers at ${url}: ${cause.code ?? cause.message}.`, {
        code: 'unreachable',
        hint: 'Start one with `backlot start`, or name its URL with --url, or a file with --state.',
        cause,
      })
    })
    return understood(answer, url)
  }
  return { read: () => ask('GET'), write: (document) => ask('PUT', document) as Promise<Written> }
}

const understood = ({ status, text }: HttpAnswer, url: string): object => {
  const answer = parsed(text) as
    | { readonly error?: { code?: string; message?: string; hint?: string } }
    | undefined
  if (answer !== undefined && status === 200) return answer
  const { code, message, hint } = answer?.error ?? {}
  if (code !== undefined && message !== undefined)
    throw new EmulatorError(message, { code, ...(hint ? { hint } : {}) })
  throw new EmulatorError(`What answers at ${url} is no emulator: it sent ${status}.`, {
    code: 'not-an-emulator',
  })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What accounts are taken from or put into. */
export interface StateTarget {
  read(): Promise<object>
  write(document: object): Promise<Written>
}

export interface Written {
  readonly accounts: number
  readonly tasks: number
  readonly missing: readonly string[]
}

const DEFAULT_URL = 'http://127.0.0.1:4010'

/** Exports or imports; answers 0. @throws EmulatorError */
const runState = async ({ operands: [verb, path = ''], options }: Arguments): Promise<number> => {
  if (verb !== 'export' && verb !== 'import')
    throw usageError(`Expected export or import, found ${JSON.stringify(verb)}.`, 'backlot help state')
  const target = targetOf(options)
  const said = verb === 'export' ? await exportTo(path, target) : await importFrom(path, target)
  process.stdout.write(`${said}\n`)
  return 0
}

const targetOf = ({ state, url, key, controlToken }: Arguments['options']): StateTarget => {
  if (state !== undefined && url !== undefined)
    throw usageError('Expected --url or --state, found both.', 'A file is read here, an emulator is asked.')
  const only = text(key)
  if (typeof state === 'string') return fileTarget(state, only)
  const base = baseUrl(text(url) ?? (process.env.BACKLOT_URL || DEFAULT_URL))
  return remoteTarget({ url: base, token: text(controlToken) ?? process.env.BACKLOT_CONTROL_TOKEN }, only)
}

const text = (given: Arguments['options'][string]): string | undefined =>
  typeof given === 'string' ? given : undefined

const exportTo = async (path: string, target: StateTarget): Promise<string> => {
  const document = await target.read()
  // API keys stand in it.
  await writeFile(`${path}.begun`, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 })
  await rename(`${path}.begun`, path)
  const { accounts, media } = document as { accounts: readonly unknown[]; media: object | null }
  return `${path} holds ${counted(accounts.length, 'account')}${media === null ? '; the files of its assets are too large for it' : ''}.`
}

const importFrom = async (path: string, target: StateTarget): Promise<string> => {
  const { accounts, tasks, missing } = await target.write(await readDocument(path))
  const files = missing.length === 0 ? '' : ` The files of these assets are missing: ${missing.join(', ')}.`
  return `${counted(accounts, 'account')} with ${counted(tasks, 'task')} came from ${path}.${files}`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const readDocument = async (path: string): Promise<object> => {
  const written = await readFile(path, 'utf8').catch((cause) => {
    throw new EmulatorError(`${path} cannot be read: ${cause.message}.`, { code: 'no-such-file', cause })
  })
  try {
    const document: unknown = JSON.parse(written)
    if (typeof document === 'object' && document !== null) return document
  } catch (cause) {
    throw noDocument(path, cause)
  }
  throw noDocument(path)
}

const noDocument = (path: string, cause?: unknown): EmulatorError =>
  new EmulatorError(`Expected an exported state in ${path}, found no JSON object.`, {
    code: 'bad-state',
    hint: '`backlot state export` writes one.',
    cause,
  })

export const command: CliCommand = {
  usage: 'state <verb> <document>',
  description: 'export accounts into a document, or import them from one',
  options: [
    {
      flags: '--url <url>',
      description: 'of a running emulator; left out, $BACKLOT_URL or http://127.0.0.1:4010',
    },
    { flags: '--state <file>', description: 'of a state file that no emulator holds, instead' },
    { flags: '--key <key>', description: 'this account alone; left out, all of them' },
    {
      flags: '--control-token <token>',
      description: 'what the emulator wants; left out, $BACKLOT_CONTROL_TOKEN',
    },
  ],
  examples: [
    ['backlot state export state.json', 'everything that a running emulator holds'],
    ['backlot state import state.json', 'the emulator is as the document says'],
    ['backlot state export state.json --state backlot.jsonl', 'what a state file holds'],
  ],
  run: async (args) => runState(args),
}
