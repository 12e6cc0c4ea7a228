import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { acquireLock } from '../../src/emulator/accounts/persistence/lock.js'
import { isRunning } from '../../src/emulator/processes.js'

/*
 * Takes the lock of a state file again and again, as fast as it can: `node --import tsx faults/claims/taker.ts FILE`. It leaves the
 * lock each time as a process does that was killed, so that the next one has to take it over by a claim. Prints a line for each
 * lock that it took, and one that begins with `two` where another process believed at the same time that it has the lock.
 */

const [, , file = ''] = process.argv
const lockFile = `${file}.lock`
const inside = `${file}.inside`
/** No process has this number. */
const GONE = 2 ** 31 - 1

/** The process that is between its lock and the end of its use; undefined: none is. */
const holderInside = (): number | undefined => {
  try {
    return Number(readFileSync(inside, 'utf8'))
  } catch {
    return undefined
  }
}

/** Uses the file as its only holder. */
const use = async (): Promise<void> => {
  const other = holderInside()
  if (other !== undefined && other !== 0 && (await isRunning(other))) process.stdout.write(`two ${other}\n`)
  writeFileSync(inside, String(process.pid))
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  if (holderInside() !== process.pid) process.stdout.write(`two ${holderInside()}\n`)
  rmSync(inside, { force: true })
}

for (;;)
  try {
    await acquireLock(file)
    await use()
    const text = readFileSync(lockFile, 'utf8')
    writeFileSync(lockFile, JSON.stringify({ ...JSON.parse(text), pid: GONE, start: null }))
    process.stdout.write('took\n')
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'state-held') throw error
    await setImmediate()
  }
