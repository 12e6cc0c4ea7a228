import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { stateHeld, unusable } from './errors.js'

/** What the system knows of a process under its number, as one line; undefined where it does not tell in this way. */
type ReadStat = (pid: number) => Promise<string | undefined>

/** Only Linux tells. */
const statOfLinux: ReadStat = (pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)

// Behind the name of the program, which may hold spaces and brackets, the state is the first field, the start the 20th.
const fieldsOf = (stat: string): readonly string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

/**
 * When a process was started, in words that no other process of this machine has under the same number; undefined where
 * the system does not tell.
 */
export const startOfProcess = async (pid: number): Promise<string | undefined> => {
  const [boot, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined),
    statOfLinux(pid),
  ])
  const start = stat === undefined ? undefined : fieldsOf(stat)[19]
  return boot === undefined || start === undefined ? undefined : `${boot.trim()} ${start}`
}

/**
 * Whether a process does anything yet. One that was killed keeps its number until its parent has asked what became of it,
 * which the first process of a container often never does.
 */
export const isRunning = async (pid: number, readStat: ReadStat = statOfLinux): Promise<boolean> => {
  if (!hasNumber(pid)) return false
  const stat = await readStat(pid)
  return stat === undefined || !DEAD.includes(fieldsOf(stat)[0] ?? '')
}

const DEAD = ['Z', 'X', 'x']

const hasNumber = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One that belongs to somebody else is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const holderSchema = z.object({
  /** Of this lock alone. */
  token: z.string(),
  pid: z.number(),
  hostName: z.string(),
  /** Within which numbers of processes count, as containers have their own; null where the system does not say. */
  namespace: z.string().nullable(),
  /** What tells the process from a later one of the same number; null where the system does not say. */
  start: z.string().nullable(),
  startedAt: z.string(),
  url: z.string().nullable(),
})
export type LockHolder = z.output<typeof holderSchema>

/** How often a holder says that it is alive, by the time of its lock file. */
const HEARTBEAT_MS = 1_000

/** Three heartbeats may be missed by a machine that is busy. */
const PATIENCE_MS = 4 * HEARTBEAT_MS

/** Undefined where there is no lock, or none that can be read. */
const readHolder = async (lock: string): Promise<LockHolder | undefined> => {
  const text = await readFile(lock, 'utf8').catch(() => '')
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * Whether the process that holds a lock is still there. On this machine its number and its start say so; of another one,
 * such as another container, only that it goes on to touch its lock does, which takes up to `patienceMs` to see.
 */
const isAlive = async (
  lock: string,
  holder: LockHolder | undefined,
  patienceMs: number,
): Promise<boolean> => {
  if (holder?.hostName === hostname() && holder.namespace === (await namespaceOfProcesses())) {
    if (!(await isRunning(holder.pid))) return false
    const start = await startOfProcess(holder.pid)
    if (start !== undefined && holder.start !== null) return start === holder.start
  }
  return touches(lock, patienceMs)
}

export const namespaceOfProcesses = (): Promise<string | null> =>
  readlink('/proc/self/ns/pid').catch(() => null)

const LOOKS = 16

const touches = async (lock: string, patienceMs: number): Promise<boolean> => {
  const touchedAt = async () => (await stat(lock).catch(() => undefined))?.mtimeMs
  const before = await touchedAt()
  for (let look = 0; look < LOOKS; look += 1) {
    if ((await touchedAt()) !== before) return true
    await wait(patienceMs / LOOKS)
  }
  return false
}

/** That a state file belongs to this process, as a file beside it says. */
export interface Lock {
  /** The process that had it before and is gone; left out where none did. */
  readonly takenFrom?: LockHolder
  /** Says where the emulator answers. */
  listening(url: string): Promise<void>
  release(): Promise<void>
}

interface LockOptions {
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
