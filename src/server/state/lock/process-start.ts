import { readFile } from 'node:fs/promises'

/** What the system knows of a process under its number, as one line; undefined where it does not tell in this way. */
export type ReadStat = (pid: number) => Promise<string | undefined>

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
