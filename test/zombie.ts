import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'

/** A process that has ended, and that its parent never asks about. */
export const zombiePid = async (): Promise<number> => {
  // The shell becomes a `cat` that knows nothing of the child that the shell has begun.
  const child = spawn('sh', ['-c', 'exec 4<&3; (read line <&4) >/dev/null & echo $!; exec 3<&- cat'], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [first] = (await once(child.stdout as Readable, 'data')) as [Buffer]
  const pid = Number(String(first).trim())
  child.stdin?.write('echoed')
  await once(child.stdout as Readable, 'data')
  ;(child.stdio[3] as Writable).end()
  while (!/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8')));
  return pid
}
