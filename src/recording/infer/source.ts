import { basename } from 'node:path'
import { sentences, usageError } from '../../cli/command.js'
import { readText } from '../../cli/settings/files.js'
import { shapeRefusals } from '../../core/request/shape.js'
import type { Recording } from '../format.js'
import { parseRecording } from '../parse.js'
import { knowledge } from './error-catalog.js'
import { accountsIn, witnessedIn } from './from-recording.js'
import { harSchema, isHar, witnessedInHar } from './har.js'
import type { ObservedSession } from './observed.js'

/** What a file has to tell. */
export interface Source {
  readonly witnessed: ObservedSession
  /** What it is, for a sentence: `session.jsonl`. */
  readonly what: string
  /** What its reader should know. */
  readonly notes: readonly string[]
}

/**
 * Reads a recording, or an HTTP archive.
 * @throws EmulatorError when there is no such file, or it is neither
 */
export const sourceOf = async (file: string, account: string | undefined): Promise<Source> => {
  const text = await readText(file)
  const archive = jsonOf(text)
  const what = basename(file)
  if (!isHar(archive)) return fromRecording(parseRecording(text, what), what, account)
  if (account !== undefined)
    throw usageError('--account is for recordings; a HAR file does not say whose calls are whose.')
  const shape = harSchema.safeParse(archive)
  if (!shape.success)
    throw badArchive(
      file,
      shapeRefusals(shape.error.issues, archive).map(({ message }) => String(message)),
    )
  return { witnessed: witnessedInHar(shape.data, knowledge), what, notes: [] }
}

const fromRecording = (recording: Recording, what: string, wanted: string | undefined): Source => {
  const accounts = accountsIn(recording)
  const tag = wanted ?? accounts[0]?.tag ?? ''
  if (!accounts.some((account) => account.tag === tag))
    throw usageError(
      `${what} has no account ${tag}.`,
      `It has ${accounts.map((account) => account.tag).join(', ')}.`,
    )
  const others = accounts.filter((account) => account.tag !== tag && account.wrongs > 0)
  const notes = others.map(
    (account) =>
      `The account ${account.tag} met ${account.wrongs} failures of its own: --account ${account.tag}`,
  )
  return { witnessed: witnessedIn(recording, tag), what, notes: wanted === undefined ? notes : [] }
}

const badArchive = (file: string, problems: readonly string[]) =>
  usageError(`${file} is no HTTP archive that can be read. ${sentences(problems.slice(0, 5))}`)

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
