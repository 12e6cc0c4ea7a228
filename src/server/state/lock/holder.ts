import { readFile, readlink, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { isRunning, startOfProcess } from './process-start.js'

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
export const HEARTBEAT_MS = 1_000

/** Three heartbeats may be missed by a machine that is busy. */
export const PATIENCE_MS = 4 * HEARTBEAT_MS

/** Undefined where there is no lock, or none that can be read. */
export const readHolder = async (lock: string): Promise<LockHolder | undefined> => {
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
export const isAlive = async (
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
