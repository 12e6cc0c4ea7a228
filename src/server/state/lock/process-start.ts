import { readFile } from 'node:fs/promises'

/**
 * When a process was started, in words that no other process of this machine has under the same number; undefined where
 * the system does not tell, which only Linux does in this way.
 */
export const startOfProcess = async (pid: number): Promise<string | undefined> => {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // Behind the name of the program, which may hold spaces, the start is the 20th field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[19] === undefined ? undefined : `${boot.trim()} ${fields[19]}`
  } catch {
    return undefined
  }
}

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One that belongs to somebody else is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
