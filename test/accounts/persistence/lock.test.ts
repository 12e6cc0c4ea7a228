import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import {
  acquireLock,
  isRunning,
  type LockHolder,
  namespaceOfProcesses,
  startOfProcess,
} from '../../../src/accounts/persistence/lock.js'
import { openFolder } from './start.js'

const silent = { onLost: () => {} }

/** Does not wait for a sign of life for as long as others do. */
const hasty = { ...silent, patienceMs: 20 }

const inFolder = async () => join(await openFolder(), 'state.jsonl')

const another = async (change: Partial<LockHolder>): Promise<LockHolder> => ({
  token: 'another',
  pid: process.pid,
  hostName: hostname(),
  namespace: await namespaceOfProcesses(),
  start: (await startOfProcess(process.pid)) ?? null,
  startedAt: '2026-01-01T00:00:00.000Z',
  url: 'http://127.0.0.1:4010',
  ...change,
})

const heldBy = async (change: Partial<LockHolder>) => {
  const file = await inFolder()
  await writeFile(`${file}.lock`, JSON.stringify(await another(change)))
  return file
}

/** A process that has ended. */
const endedPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid as number
}

/** A process that has ended, and that its parent never asks about. */
const zombiePid = async (): Promise<number> => {
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

test('a lock says who has it, and goes when it is released', async () => {
  const file = await inFolder()
  const lock = await acquireLock(file, silent)
  await lock.listening('http://127.0.0.1:1234')
  expect(JSON.parse(await readFile(`${file}.lock`, 'utf8'))).toMatchObject({
    pid: process.pid,
    hostName: hostname(),
    url: 'http://127.0.0.1:1234',
  })
  await lock.release()
  await expect(stat(`${file}.lock`)).rejects.toThrow('ENOENT')
})

test('one of a process that runs is respected', async () => {
  const file = await heldBy({})
  await expect(acquireLock(file, silent)).rejects.toThrow(
    `is held by another Backlot: process ${process.pid} on ${hostname()}, started 2026-01-01T00:00:00.000Z, http://127.0.0.1:4010.`,
  )
})

test('one of a process that is gone is taken over', async () => {
  const pid = await endedPid()
  const lock = await acquireLock(await heldBy({ pid, start: null }), silent)
  onTestFinished(() => lock.release())
  expect(lock.takenFrom?.pid).toBe(pid)
})

test.runIf(process.platform === 'linux')(
  'one of a process that was killed, and that nobody has asked about since, is taken over',
  async () => {
    const pid = await zombiePid()
    const start = (await startOfProcess(pid)) ?? null
    const lock = await acquireLock(await heldBy({ pid, start }), silent)
    onTestFinished(() => lock.release())
    expect(lock.takenFrom?.pid).toBe(pid)
  },
)

test.each([
  ['S', true],
  ['T', true],
  ['D', true],
  ['Z', false],
  ['X', false],
])('a process in the state %s runs: %j', async (state, runs) => {
  const readStat = async () => `7 (a (Z) name) ${state} 1 7 7 0`
  expect(await isRunning(process.pid, readStat)).toBe(runs)
})

test('where the system tells no states, a process that has its number runs', async () =>
  expect(await isRunning(process.pid, async () => undefined)).toBe(true))

test.runIf(process.platform === 'linux')(
  'one of a process whose number belongs to another one now is taken over',
  async () => {
    const lock = await acquireLock(await heldBy({ start: 'another boot 1' }), silent)
    onTestFinished(() => lock.release())
    expect(lock.takenFrom?.pid).toBe(process.pid)
  },
)

test('one of another machine is respected as long as it is touched', async () => {
  const file = await heldBy({ hostName: 'elsewhere' })
  const heart = setInterval(() => void utimes(`${file}.lock`, new Date(), new Date()), 20)
  onTestFinished(() => clearInterval(heart))
  await expect(acquireLock(file, silent)).rejects.toThrow('on elsewhere')
})

test('one of another machine, or one that cannot be read, is taken over when nobody touches it', async () => {
  const [elsewhere, broken] = [await heldBy({ hostName: 'elsewhere' }), await inFolder()]
  await writeFile(`${broken}.lock`, '{"token"')
  const locks = await Promise.all([acquireLock(elsewhere, hasty), acquireLock(broken, hasty)])
  onTestFinished(async () => {
    for (const lock of locks) await lock.release()
  })
  expect(locks.map(({ takenFrom }) => takenFrom?.hostName)).toEqual(['elsewhere', undefined])
})

test('of many that want a lock that is over, one has it', async () => {
  const file = await heldBy({ pid: await endedPid(), start: null })
  const wishes = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(file, silent)))
  const got = wishes.flatMap((wish) => (wish.status === 'fulfilled' ? [wish.value] : []))
  onTestFinished(async () => {
    for (const lock of got) await lock.release()
  })
  expect(got).toHaveLength(1)
})

test('whoever finds its lock in other hands is told', async () => {
  const file = await inFolder()
  const lost = new Promise<LockHolder | undefined>((resolve) => {
    void acquireLock(file, { onLost: resolve, heartbeatMs: 10 }).then(async (lock) => {
      onTestFinished(() => lock.release())
      await writeFile(`${file}.lock`, JSON.stringify(await another({ pid: 7 })))
    })
  })
  expect((await lost)?.pid).toBe(7)
})
