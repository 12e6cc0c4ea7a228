import { randomUUID } from 'node:crypto'
import { readFileSync, type Stats } from 'node:fs'
import { link, open, readFile, readlink, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { z } from 'zod'
import { EmulatorError } from '../../core/errors.js'
import { parseJson } from '../../core/request.js'
import { isRunning, processStart } from '../../processes.js'
import { delay } from '../../timers.js'
import { unusable } from './errors.js'
import { endingsOf, ignoreMissing, readBytes, replacing } from './state-files.js'

const holderSchema = z.object({
  /** Identifies this lock alone. */
  token: z.string(),
  pid: z.number(),
  hostName: z.string(),
  /** The pid namespace, as containers number their processes themselves; null where the system does not say. */
  namespace: z.string().nullable(),
  /** Tells the process from a later one with the same pid; null where the system does not say. */
  start: z.string().nullable(),
  startedAt: z.string(),
  /** Null before the emulator listens, and for commands that do not. */
  url: z.string().nullable(),
  /** Device and inode of the state file, for those who look for it; null where there is none yet. */
  file: z.string().nullable().optional(),
  /** Number of the log that it writes; null: the state file has everything. Undefined where an older version does not say. */
  log: z.int().min(0).nullable().optional(),
})
export type LockHolder = z.output<typeof holderSchema>

/** Device and inode of a file. */
export const fileIdOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`

/** Lock of a state file: a file beside it that names the process which may write it. */
export type StateLock = Awaited<ReturnType<typeof acquireLock>>

/**
 * Takes the lock of a state file, given by its real path. A lock whose owner is provably gone is taken over, and so is one
 * that stays unfinished; of another host or pid namespace nothing can be proved, and `takeOver` says that the user knows better.
 * @throws EmulatorError `state-held`, which names the holder, or `state-unusable`
 */
export const acquireLock = async (file: string, { takeOver = false } = {}) => {
  const path = `${file}.lock`
  let own: LockHolder = {
    token: randomUUID(),
    pid: process.pid,
    hostName: hostname(),
    namespace: await pidNamespace(),
    start: (await processStart(process.pid)) ?? null,
    startedAt: new Date().toISOString(),
    url: null,
    file: await stat(file).then(fileIdOf, () => null),
  }
  // A claim that is still there belongs to a process that ended while it took the lock over.
  if (takeOver) await rm(claimOf(path), { force: true })
  let takenFrom: LockHolder | undefined
  for (let tries = 0; !(await tryCreate(file, path, own)); tries += 1) {
    const text = (await readBytes(path, file))?.toString()
    const holder = text === undefined ? undefined : parseHolder(text)
    const isLast = tries === MAX_TRIES
    if (text !== undefined) {
      const isFree = takeOver || (await isAbandoned(text, isLast))
      if (isFree && (await compareAndSet({ file, path, text, own, isLast }))) {
        takenFrom = holder
        break
      }
      if (!isFree && !isUnfinished(text)) throw stateHeld(file, holder)
    }
    if (isLast) throw stateHeld(file, holder)
    await delay(CLAIM_MS)
  }
  await removeDrafts(file)
  const read = (): string | undefined => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      return ignoreMissing(error as NodeJS.ErrnoException)
    }
  }
  /** Whether the text of the lock file is this process's own; a file that was removed counts as that. */
  const isOwn = (text: string | undefined): boolean =>
    text === undefined || parseHolder(text)?.token === own.token
  /** Whether it is still this process's own; false where it cannot be read. */
  const isMine = (): boolean => {
    try {
      return isOwn(read())
    } catch {
      return false
    }
  }
  return {
    /** The process that held it before and is gone, or from which it was taken, or undefined where there was none. */
    takenFrom,
    isMine,
    /**
     * Adds what is known later: the URL of the emulator, the device and inode of the file, its log. Writes a lock file that was
     * removed again. Resolves with whether the lock is this process's own; rejects where it cannot be read, which does not
     * say that another process has it.
     */
    update: (change?: Partial<Pick<LockHolder, 'url' | 'file' | 'log'>>): Promise<boolean> => {
      own = { ...own, ...change }
      return replacing(async () => {
        const text = read()
        if (!isOwn(text)) return false
        if (change !== undefined || text === undefined) await replace(path, own)
        return true
      })
    },
    release: async (): Promise<void> => {
      if (isMine()) await replacing(() => rm(path, { force: true }))
    },
  }
}

/** Creates a lock file; false: there is one already. @throws EmulatorError `state-unusable` */
const tryCreate = async (file: string, path: string, own: LockHolder): Promise<boolean> => {
  const draft = draftOf(path, own)
  try {
    // Written beside it and then linked: a process that is killed in between leaves no lock that names no holder.
    await writeLock(draft, own, 'w')
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      // Some file systems have no links.
      if (error.code === 'EEXIST') throw error
      return writeLock(path, own, 'wx')
    })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unusable(file, error)
  } finally {
    await rm(draft, { force: true }).catch(() => undefined)
  }
}

const parseHolder = (text: string): LockHolder | undefined => holderSchema.safeParse(parseJson(text)).data

// Another process may have the claim for a moment. On Windows, reading the lock all the while would keep it from replacing it.
const MAX_TRIES = 50
const CLAIM_MS = 20

const claimOf = (path: string): string => `${path}.claim`

const draftOf = (path: string, { token }: LockHolder): string => `${path}.${token}`
const DRAFT = /^lock(\.claim)*\.[0-9a-f-]{36}$/

/** A draft is written at once: an unfinished one that is older has no process any more. */
const OLD_MS = 60_000

/** Removes drafts of locks that killed processes have left. */
const removeDrafts = async (file: string): Promise<void> => {
  for (const ending of await endingsOf(file))
    if (DRAFT.test(ending)) await removeDraft(`${file}.${ending}`).catch(() => undefined)
}

const removeDraft = async (draft: string): Promise<void> => {
  const text = await readFile(draft, 'utf8')
  const isOld = isUnfinished(text) && Date.now() - (await stat(draft)).mtimeMs > OLD_MS
  if (isOld || (await isGone(parseHolder(text)))) await rm(draft, { force: true })
}

interface CompareAndSet {
  /** The state file. */
  readonly file: string
  /** The lock, or a claim. */
  readonly path: string
  /** What was read there. */
  readonly text: string
  readonly own: LockHolder
  readonly isLast: boolean
}

/**
 * Compare-and-set of a lock file: replaces it where it still has the text that was read. A second file, the claim, admits
 * one process at a time to the comparison and the replacement. It is itself such a lock: one that a killed process has left is
 * taken over in the same way.
 */
const compareAndSet = async ({ file, path, text, own, isLast }: CompareAndSet): Promise<boolean> => {
  const claim = claimOf(path)
  if (!(await tryCreate(file, claim, own))) {
    const claimed = (await readBytes(claim, file))?.toString()
    if (claimed === undefined || !(await isAbandoned(claimed, isLast))) return false
    if (!(await compareAndSet({ file, path: claim, text: claimed, own, isLast }))) return false
  }
  try {
    return await replacing(async () => {
      if ((await readFile(path, 'utf8').catch(() => '')) !== text) return false
      await replace(path, own)
      return true
    })
  } finally {
    await replacing(() => rm(claim, { force: true }))
  }
}

const replace = async (path: string, own: LockHolder): Promise<void> => {
  const draft = draftOf(path, own)
  // It is still there where it could not be renamed before.
  await writeLock(draft, own, 'w')
  await rename(draft, path)
}

const writeLock = async (path: string, own: LockHolder, flags: 'w' | 'wx'): Promise<void> => {
  const file = await open(path, flags, 0o600)
  try {
    await file.writeFile(JSON.stringify(own))
  } catch (error) {
    // A lock that names no holder would be respected for a second.
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/**
 * Whether a lock or a claim has no owner any more.
 * @param hasWaited it was seen for so long that a process which had begun to write it would have ended
 */
const isAbandoned = async (text: string, hasWaited: boolean): Promise<boolean> =>
  (hasWaited && isUnfinished(text)) || (await isGone(parseHolder(text)))

/**
 * Whether a text is the beginning of a lock, or the zeros that a loss of power leaves. Its process ended while it wrote it: a lock
 * is written at once.
 */
const isUnfinished = (text: string): boolean =>
  /^\0*$/.test(text) ||
  (parseJson(text) === undefined && BEGINNING.startsWith(text.slice(0, BEGINNING.length)))

const BEGINNING = '{"token":"'

const isGone = async (holder: LockHolder | undefined): Promise<boolean> => {
  if (holder === undefined || holder.hostName !== hostname()) return false
  if (holder.namespace !== (await pidNamespace())) return false
  if (!(await isRunning(holder.pid))) return true
  const start = await processStart(holder.pid)
  return start !== undefined && holder.start !== null && start !== holder.start
}

const pidNamespace = (): Promise<string | null> => readlink('/proc/self/ns/pid').catch(() => null)

const stateHeld = (file: string, holder: LockHolder | undefined): EmulatorError => {
  const by =
    holder === undefined
      ? 'by a lock that cannot be read'
      : `by another Backlot: process ${holder.pid} on ${holder.hostName}, started ${holder.startedAt}, ${holder.url ?? 'not listening yet'}`
  return new EmulatorError(`The state file ${file} is held ${by}.`, {
    code: 'state-held',
    hint: 'Stop that one, or name another file (setting state). Where it is gone for certain, --state-take-over takes the file from it.',
  })
}
