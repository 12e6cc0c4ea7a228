import { basename } from 'node:path'
import { parseRecording } from '../../core/recording/parse.js'
import type { Recording } from '../../core/recording/recording.js'
import { witnessedInHar } from '../../core/recording/wrongs/from-har.js'
import { accountsIn, witnessedIn } from '../../core/recording/wrongs/from-recording.js'
import { harSchema, isHar } from '../../core/recording/wrongs/har.js'
import type { ObservedSession } from '../../core/recording/wrongs/seen.js'
import { shapeRefusals } from '../../core/request/shape-refusals.js'
import { sentences, usageError } from '../failure.js'
import { readText } from '../settings/data-file.js'
import { knowledge } from './knowledge.js'

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
