import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { acquireLock } from '../src/emulator/accounts/persistence/lock.js'
import { randomOf } from './load/random.js'
import type { Part } from './part.js'

const ROUNDS = 100
const TAKERS = 3
/** A claim or a lock that a kill has left unfinished is taken over after a second; a busy machine takes longer. */
const MOST_MS = 5_000
const TAKER = fileURLToPath(new URL('claims/taker.ts', import.meta.url))

/**
 * Kills processes while they take the lock of a state file over from one another. After each round all of them are killed, and the
 * lock has to be free for the next process within five seconds; at no time two processes may have it.
 */
export const claims: Part = async ({ seed, times = ROUNDS }) => {
  const random = randomOf(seed)
  const folder = await mkdtemp(join(tmpdir(), 'backlot-claims-'))
  const file = join(folder, 'state.jsonl')
  const failures: string[] = []
  const taken = { locks: 0, left: 0 }
  let longestMs = 0

  const startTaker = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['--import', 'tsx', TAKER, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.on('data', (data) => {
      for (const line of String(data).split('\n').filter(Boolean))
        if (line === 'took') taken.locks += 1
        else if (line.startsWith('two'))
          failures.push(`two processes had the lock: ${child.pid} and ${line.slice(4)}`)
    })
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    return child
  }
  const kill = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  const takers = await Promise.all(Array.from({ length: TAKERS }, startTaker))
  for (let round = 1; round <= times; round += 1) {
    await setTimeout(random() * 50)
    await Promise.all(takers.map(kill))
    if ((await readdir(folder)).some((name) => name.endsWith('.claim'))) taken.left += 1
    const begun = performance.now()
    try {
      const lock = await acquireLock(file)
      await lock.release()
    } catch (error) {
      failures.push(`round ${round}: ${String(error)}`)
    }
    const tookMs = performance.now() - begun
    longestMs = Math.max(longestMs, tookMs)
    if (tookMs > MOST_MS) failures.push(`round ${round}: the lock was free after ${tookMs.toFixed(0)} ms`)
    const rest = (await readdir(folder)).filter((name) => /\.(lock|claim)$/.test(name))
    if (rest.length > 0) failures.push(`round ${round}: ${rest.join(', ')} stayed`)
    if (failures.length > 20 || round === times) break
    takers.splice(0, TAKERS, ...(await Promise.all(Array.from({ length: TAKERS }, startTaker))))
  }
  // An unfinished draft of a lock is taken for that of a running process while it is young.
  for (const name of await readdir(folder)) await utimes(join(folder, name), 0, 0)
  await (await acquireLock(file)).release()
  const rest = (await readdir(folder)).filter((name) => !name.endsWith('.inside'))
  if (rest.length > 0) failures.push(`${rest.join(', ')} stayed`)
  await rm(folder, { recursive: true, force: true })
  return {
    line:
      `${times * TAKERS} kills of processes that took ${taken.locks} locks, seed ${seed}; ` +
      `${taken.left} of ${times} rounds left a claim; the lock was free within ${longestMs.toFixed(0)} ms`,
    failures,
  }
}
