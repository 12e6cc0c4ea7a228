import { randomUUID } from 'node:crypto'
import { renameSync, type Stats } from 'node:fs'
import {
  copyFile,
  lstat,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Adapter } from 'lowdb'
import { makeFolder } from '../../media/files/temporary-folders.js'
import { delay } from '../../timers.js'
import { badState, throwUnusable, unusable } from './errors.js'
import { applyRecord, emptyState, type StateRecord, type StoredState } from './records.js'
import { checksumAfter, endLine, headerLine, type Predecessor, parseStateText } from './state-text.js'

/**
 * Real path of a state file, so that a symbolic link stays a link. Makes the folder.
 * @throws EmulatorError `state-unusable` where it is neither a regular file nor absent
 */
export const realStatePath = async (file: string): Promise<string> => {
  if (file.endsWith('/') || file.endsWith(sep))
    throw unusable(file, `expected the path of a file, found one that ends with ${file.at(-1)}`)
  try {
    const path = await followed(resolve(file))
    await makeFolder(dirname(path))
    const stats = await stat(path).catch(ignoreMissing)
    if (stats === undefined) return join(await realpath(dirname(path)), basename(path))
    if (!stats.isFile())
      throw unusable(path, `expected a regular file or nothing yet, found ${kindOf(stats)}`)
    // Two names could not be kept in step: a snapshot takes the place of one of them.
    if (stats.nlink > 1) throw unusable(path, `it has ${stats.nlink} names (hard links), expected one`)
    return await realpath(path)
  } catch (error) {
    return throwUnusable(resolve(file), error)
  }
}

/** Path that a symbolic link leads to, which may name a file that is not there yet; any other path as it is. */
export const followed = async (path: string): Promise<string> => {
  const stats = await lstat(path).catch(ignoreMissing)
  if (!stats?.isSymbolicLink()) return path
  // Throws where links lead to each other.
  await stat(path).catch(ignoreMissing)
  return followed(resolve(dirname(path), await readlink(path)))
}

/** Takes the error of a file that is not there for `undefined`; throws any other. */
export const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}

const kindOf = (stats: Stats): string => {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

const ATTEMPTS = 10
const ATTEMPT_MS = 50

/**
 * Runs what replaces or removes a file. Windows refuses that while another program has it open, as another Backlot that
 * reads the lock or a virus scanner has for a moment: there it is tried again for half a second.
 */
export const replacing = async <T>(replace: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await replace()
    } catch (error) {
      const isOpen = ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (process.platform !== 'win32' || !isOpen || attempt === ATTEMPTS) throw error
      await delay(ATTEMPT_MS)
    }
}

/** Path of the write-ahead log of a generation, beside the state file. */
export const logPath = (path: string, generation: number): string => `${path}.${generation}.log`

const IN_WORK = '.begun'

/** Where a log is continued. */
export interface LogEnd {
  readonly generation: number
  /** Length of its whole batches. */
  readonly goodBytes: number
  readonly checksum: number
}

/** State on disk: a snapshot, and the write-ahead logs that continue it. */
export interface StateFiles {
  readonly state: StoredState
  /** Version of the snapshot: 1 is the format without logs, 0 means no file. */
  readonly version: number
  readonly id: string
  readonly generation: number
  /** The latest log, or undefined where there is none. */
  readonly log: LogEnd | undefined
  /** Whether the snapshot is followed by a batch that was cut off. */
  readonly isTorn: boolean
  /** Logs that do not continue the snapshot. */
  readonly strayLogs: readonly number[]
  /** Whether the snapshot was written at a stop, so that no log need be beside it. */
  readonly isClosed: boolean
  /** Size of the snapshot. */
  readonly bytes: number
  /** Sentences for the user. */
  readonly warnings: readonly string[]
}

/**
 * Reads a state file and its logs. Changes nothing on the disk.
 * @param lastLog number of the log that was written last, where the lock of its process names it
 * @throws EmulatorError `bad-state` or `state-unusable`
 */
export const readStateFiles = async (path: string, lastLog?: number | null): Promise<StateFiles> => {
  const state = emptyState()
  const logs = await logsOf(path)
  const bytes = await readBytes(path)
  // An empty file is a place that a user has made for one, or one that a program has emptied.
  if (bytes === undefined || bytes.length === 0) {
    const warnings = bytes === undefined ? [] : [`The state file ${path} is empty: a new state begins.`]
    return { ...nothingYet, state, id: randomUUID(), strayLogs: logs, bytes: 0, warnings }
  }
  const { header, records, cutOff, hasBatches } = parseStateText(bytes, path)
  if (header.version > 1 && !hasBatches) throw badState(path, 'it is cut off: expected ["end",…] at its end')
  for (const record of records) applyRecord(state, record)
  const { version, id = randomUUID(), generation = 0, isClosed = version === 1 } = header
  const read =
    version === 1
      ? { log: undefined, strayLogs: logs, warnings: [] }
      : await readLogs(path, { id, generation }, logs, state)
  const warnings = [...cutOffWarnings(path, cutOff), ...read.warnings]
  const wanted = Math.max(generation, lastLog ?? generation)
  const isNamed = wanted === lastLog && !logs.includes(wanted)
  if (isNamed || (read.log === undefined && !isClosed))
    warnings.push(`The state file ${path} lacks its log ${logPath(path, wanted)}: what that held is lost.`)
  const isTorn = cutOff > 0
  return { ...read, state, version, id, generation, isClosed, warnings, isTorn, bytes: bytes.length }
}

/**
 * Applies the logs that continue a snapshot to a state, in the order of their numbers.
 * @throws EmulatorError `bad-state`, also where one of them is missing
 */
const readLogs = async (
  path: string,
  { id, generation }: Pick<StateFiles, 'id' | 'generation'>,
  numbers: readonly number[],
  state: StoredState,
): Promise<Pick<StateFiles, 'log' | 'strayLogs' | 'warnings'>> => {
  const strayLogs: number[] = []
  const warnings: string[] = []
  let log: LogEnd | undefined
  for (const number of numbers.filter((number) => number >= generation)) {
    const file = logPath(path, number)
    const parsed = await readLog(file)
    const before = { generation, numbers, strayLogs, log }
    if (parsed === undefined) warnings.push(`The log ${file} is empty, or ends in its first line.`)
    else if (parsed.header.id !== id || parsed.header.generation !== number) strayLogs.push(number)
    else if (isFork(parsed.header.after, before)) strayLogs.push(number)
    else {
      const gap = gapBefore({ number, after: parsed.header.after }, before)
      if (gap !== undefined) throw badState(path, `its log ${file} ${gap}`)
      for (const record of parsed.records) applyRecord(state, record)
      warnings.push(...cutOffWarnings(file, parsed.cutOff))
      log = { generation: number, goodBytes: parsed.goodBytes, checksum: parsed.checksum }
    }
  }
  return { log, strayLogs, warnings }
}

/** What was read before a log. */
interface ReadBefore {
  /** Of the snapshot. */
  readonly generation: number
  /** Of all logs that are there. */
  readonly numbers: readonly number[]
  readonly strayLogs: readonly number[]
  /** The log that was read last, or undefined where there was none. */
  readonly log: LogEnd | undefined
}

/** Whether a log continues what is not read: a process wrote it from which the file had been taken. */
const isFork = (
  after: Predecessor | null | undefined,
  { generation, log, strayLogs }: ReadBefore,
): boolean => {
  if (after === undefined) return false
  if (after === null || after.generation < generation) return log !== undefined
  return strayLogs.includes(after.generation)
}

/** What is missing before a log, as the end of a sentence, or undefined where nothing is. */
const gapBefore = (
  { number, after }: { readonly number: number; readonly after: Predecessor | null | undefined },
  { generation, numbers, log }: ReadBefore,
): string | undefined => {
  // Version 2 did not name the predecessor, but had a log under each number since that of the snapshot.
  if (after === undefined) {
    for (let earlier = generation; earlier < number; earlier += 1)
      if (!numbers.includes(earlier)) return `continues log ${earlier}, which is missing`
    return undefined
  }
  // What came before the snapshot is a part of it.
  if (after === null || after.generation < generation) return undefined
  if (after.generation !== log?.generation)
    return `continues log ${after.generation}, which is missing or empty`
  return after.bytes === log.goodBytes
    ? undefined
    : `continues log ${after.generation}, which must end at byte ${after.bytes} and ends at byte ${log.goodBytes}`
}

const nothingYet = { version: 0, generation: 0, log: undefined, isClosed: false, isTorn: false }

/**
 * Reads a log. Undefined where it has no whole line, as where power was lost when it was just begun.
 * @throws EmulatorError `bad-state` or `state-unusable`
 */
const readLog = async (file: string) => {
  const text = await readBytes(file)
  return text?.includes('\n') ? parseStateText(text, file) : undefined
}

/** The bytes of a file beside a state file, or its own, or undefined where there is none. @throws EmulatorError `state-unusable` */
export const readBytes = (path: string, stateFile = path): Promise<Buffer | undefined> =>
  readFile(path).catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw unusable(stateFile, error)
  })

const cutOffWarnings = (file: string, bytes: number): string[] =>
  bytes === 0
    ? []
    : [
        `The state file ${file} ends in the middle of a batch, as when a process is killed; its last ${bytes} bytes are ignored.`,
      ]

/** Generations of the logs that are beside a state file, the oldest first. @throws EmulatorError `state-unusable` */
const logsOf = async (path: string): Promise<number[]> =>
  (await endingsOf(path))
    .flatMap((ending) => /^(0|[1-9]\d{0,14})\.log$/.exec(ending)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)

/** Suffixes of the files beside a state file: what follows its name and a dot. */
export const endingsOf = async (path: string): Promise<string[]> => {
  const begin = `${basename(path)}.`
  const names = await readdir(dirname(path)).catch((error) => {
    // Where the folder was removed, so were the files.
    if (error.code === 'ENOENT') return []
    throw unusable(path, error)
  })
  return names.filter((name) => name.startsWith(begin)).map((name) => name.slice(begin.length))
}

/**
 * Removes the logs before a generation. Where that cannot be done now (on Windows, another program may have one open), the
 * next start tries it again.
 */
export const removeBefore = async (path: string, generation: number): Promise<void> => {
  for (const number of await logsOf(path).catch(() => []))
    if (number < generation) await rm(logPath(path, number), { force: true }).catch(() => undefined)
}

/**
 * Removes snapshots that other processes have begun: they were killed, or the file was taken from them, and then they
 * have nothing left to put into its place.
 */
export const removeUnfinished = async (path: string): Promise<void> => {
  for (const ending of await endingsOf(path))
    if (ending.endsWith(IN_WORK)) await rm(`${path}.${ending}`, { force: true })
}

/** Contents of a snapshot that is to be written. */
export interface SnapshotContents {
  readonly id: string
  readonly generation: number
  readonly isClosed: boolean
  readonly records: Iterable<StateRecord>
}

const CHUNK_CHARACTERS = 2 ** 18

/**
 * lowdb adapter that writes a snapshot atomically: into a file beside it, chunk by chunk so that calls are answered in
 * between, and then into its place. `beforeReplace` may throw, and then the file stays as it is.
 */
export const createSnapshotAdapter = (
  path: string,
  token: string,
  beforeReplace: () => Promise<void>,
): Adapter<SnapshotContents> => ({
  read: async () => null,
  write: async ({ id, generation, isClosed, records }) => {
    const begun = `${path}.${token}${IN_WORK}`
    // The file holds API keys.
    const file = await open(begun, 'wx', 0o600)
    try {
      const header = headerLine(id, generation, { isClosed: isClosed || undefined })
      let text = `${header}\n`
      let checksum = checksumAfter(0, header)
      for (const record of records) {
        const line = JSON.stringify(record)
        text += `${line}\n`
        checksum = checksumAfter(checksum, line)
        if (text.length < CHUNK_CHARACTERS) continue
        await file.writeFile(text)
        text = ''
      }
      await file.writeFile(`${text}${endLine(checksum)}\n`)
      await file.datasync()
      await replacing(async () => {
        await beforeReplace()
        renameSync(begun, path)
      })
    } finally {
      await file.close()
      await rm(begun, { force: true })
    }
  },
})

/** Moves a state file and its logs out of the way; resolves with where the file is. */
export const moveAside = async (path: string): Promise<string> => {
  const to = await freeName(`${path}.broken`)
  await rename(path, to)
  for (const number of await logsOf(path)) await rename(logPath(path, number), logPath(to, number))
  return to
}

/** Moves a log out of the way that does not continue the state file; resolves with a sentence for the user. */
export const moveLogAside = async (path: string, generation: number): Promise<string> => {
  const log = logPath(path, generation)
  const to = await freeName(`${log}.broken`)
  await rename(log, to)
  return `The log ${log} does not continue the state file ${path}; it is kept as ${to} and not read.`
}

/** Copies a state file of an older version, and its logs, before it is written anew; resolves with where the copy is. */
export const backUp = async (path: string, version: number): Promise<string> => {
  const to = await freeName(`${path}.version-${version}`)
  await copyFile(path, to)
  for (const number of await logsOf(path)) await copyFile(logPath(path, number), logPath(to, number))
  return to
}

/** A name that no file has: `base-1`, or the first higher number that is free. */
export const freeName = async (base: string): Promise<string> => {
  for (let number = 1; ; number += 1) {
    const name = `${base}-${number}`
    if ((await stat(name).catch(() => undefined)) === undefined) return name
  }
}
