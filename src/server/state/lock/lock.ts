import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { stateHeld, unusable } from '../errors.js'
import {
  HEARTBEAT_MS,
  isAlive,
  type LockHolder,
  namespaceOfProcesses,
  PATIENCE_MS,
  readHolder,
} from './holder.js'
import { startOfProcess } from './process-start.js'

/** That a state file belongs to this process, as a file beside it says. */
export interface Lock {
  /** The process that had it before and is gone; left out where none did. */
  readonly takenFrom?: LockHolder
  /** Says where the emulator answers. */
  listening(url: string): Promise<void>
  release(): Promise<void>
}

export interface LockOptions {
  /** Told when the lock is another's: this process was away for so long that it was taken for gone. */
  readonly onLost: (holder: LockHolder | undefined) => void
  /** How often the lock is touched; left out, every second. */
  readonly heartbeatMs?: number
  /** How long nobody may have touched a lock whose holder cannot be seen; left out, four seconds. */
  readonly patienceMs?: number
}

/**
 * Takes the lock of a state file. That of a process that is gone is taken over.
 * @throws EmulatorError `state-held`, which says by whom, or `state-unusable`
 */
export const acquireLock = async (
  file: string,
  { onLost, heartbeatMs = HEARTBEAT_MS, patienceMs = PATIENCE_MS }: LockOptions,
): Promise<Lock> => {
  const path = `${file}.lock`
  const mine: LockHolder = {
    token: randomUUID(),
    pid: process.pid,
    hostName: hostname(),
    namespace: await namespaceOfProcesses(),
    start: (await startOfProcess(process.pid)) ?? null,
    startedAt: new Date().toISOString(),
    url: null,
  }
  const takenFrom = await acquire(file, path, mine, patienceMs)
  await sweepBeside(path)
  const write = async (holder: LockHolder): Promise<void> => {
    await writeFile(`${path}.${mine.token}`, JSON.stringify(holder))
    await rename(`${path}.${mine.token}`, path)
  }

  const beat = async (): Promise<void> => {
    const holder = await readHolder(path)
    if (holder?.token === mine.token) return utimes(path, new Date(), new Date())
    // Somebody has tidied it away.
    if (holder === undefined && (await isMissing(path))) return write(mine)
    clearInterval(heart)
    onLost(holder)
  }
  // A folder that has gone for a while is no reason to end; the next beat looks again.
  const heart = setInterval(() => void beat().catch(() => {}), heartbeatMs)
  heart.unref()

  return {
    ...(takenFrom === undefined ? {} : { takenFrom }),
    listening: (url) => write({ ...mine, url }),
    release: async () => {
      clearInterval(heart)
      if ((await readHolder(path))?.token === mine.token) await rm(path, { force: true })
    },
  }
}

const acquire = async (
  file: string,
  path: string,
  mine: LockHolder,
  patienceMs: number,
): Promise<LockHolder | undefined> => {
  let gone: LockHolder | undefined
  while (!(await isWritten(file, path, mine))) {
    const holder = await readHolder(path)
    if (await isMissing(path)) continue
    if (await isAlive(path, holder, patienceMs)) throw stateHeld(file, holder ?? nobodyKnown)
    if (await removed(path, holder)) gone = holder
  }
  return gone
}

/** Removes what those have left who were killed while they wrote a lock. */
const sweepBeside = async (path: string): Promise<void> => {
  const left = (await readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}.`))
  for (const name of left) {
    const one = join(dirname(path), name)
    const { mtimeMs = Number.POSITIVE_INFINITY } = (await stat(one).catch(() => undefined)) ?? {}
    // What is fresh may be somebody's who is at it now.
    if (mtimeMs < Date.now() - OLD_MS) await rm(one, { force: true })
  }
}

const OLD_MS = 60_000

const nobodyKnown = { pid: 0, hostName: 'an unknown machine', startedAt: 'at an unknown time', url: null }

const isMissing = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) === undefined

const isWritten = async (file: string, path: string, mine: LockHolder): Promise<boolean> => {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(mine), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw unusable(file, error)
  }
}

/**
 * Takes a lock away whose holder is gone. It is moved first and looked at again: another server may have been faster, and
 * then the lock that was moved is its own, and goes back.
 */
const removed = async (path: string, holder: LockHolder | undefined): Promise<boolean> => {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return false
  }
  const moved = await readHolder(aside)
  if (moved?.token !== holder?.token) {
    await rename(aside, path).catch(() => {})
    return false
  }
  await rm(aside, { force: true })
  return true
}
