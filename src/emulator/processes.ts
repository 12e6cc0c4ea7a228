import { readFile } from 'node:fs/promises'

/** Reads the status line of a process (`/proc/<pid>/stat`); undefined where there is none, as on systems other than Linux. */
type ReadStat = (pid: number) => Promise<string | undefined>

const statOfLinux: ReadStat = (pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)

// Behind the name of the program, which may hold spaces and brackets, the state is the first field, the start the 20th.
const fieldsOf = (stat: string): readonly string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

/** Tells a process from a later one with the same pid; undefined where the system does not say. */
export const processStart = async (pid: number): Promise<string | undefined> => {
  const [boot, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined),
    statOfLinux(pid),
  ])
  const start = stat === undefined ? undefined : fieldsOf(stat)[19]
  return boot === undefined || start === undefined ? undefined : `${boot.trim()} ${start}`
}

/** Whether a process runs. One that was killed keeps its pid as a zombie until its parent has asked for its exit code. */
export const isRunning = async (pid: number, readStat: ReadStat = statOfLinux): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process is there and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const stat = await readStat(pid)
  return stat === undefined || !['Z', 'X', 'x'].includes(fieldsOf(stat)[0] ?? '')
}
