import { readFile, rename, writeFile } from 'node:fs/promises'
import { EmulatorError } from '../../core/emulator-error.js'
import type { Given } from '../command.js'
import { usageError } from '../failure.js'
import { urlOf } from '../url.js'
import { fileTarget } from './file-target.js'
import { remoteTarget } from './remote-target.js'

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
export const runState = async ({ operands: [verb, path = ''], options }: Given): Promise<number> => {
  if (verb !== 'export' && verb !== 'import')
    throw usageError(`Expected export or import, found ${JSON.stringify(verb)}.`, 'backlot help state')
  const target = targetOf(options)
  const said = verb === 'export' ? await exportTo(path, target) : await importFrom(path, target)
  process.stdout.write(`${said}\n`)
  return 0
}

const targetOf = ({ state, url, key, controlToken }: Given['options']): StateTarget => {
  if (state !== undefined && url !== undefined)
    throw usageError('Expected --url or --state, found both.', 'A file is read here, an emulator is asked.')
  const only = text(key)
  if (typeof state === 'string') return fileTarget(state, only)
  const base = urlOf(text(url) ?? (process.env.BACKLOT_URL || DEFAULT_URL))
  return remoteTarget({ url: base, token: text(controlToken) ?? process.env.BACKLOT_CONTROL_TOKEN }, only)
}

const text = (given: Given['options'][string]): string | undefined =>
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
