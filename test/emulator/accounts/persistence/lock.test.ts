import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import fs, {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { acquireLock, type LockHolder } from '../../../../src/emulator/accounts/persistence/lock.js'
import { zombiePid } from '../../../zombie.js'
import { handlePrototype, noSpace } from './disk.js'
import { openFolder } from './start.js'

const inFolder = async () => join(await openFolder(), 'state.jsonl')

const take = async (file: string, takeOver = false) => {
  const lock = await acquireLock(file, { takeOver })
  onTestFinished(() => lock.release())
  return lock
}

/** What a lock of this process says. */
const mine = async (): Promise<LockHolder> => {
  const file = await inFolder()
  await take(file)
  return JSON.parse(await readFile(`${file}.lock`, 'utf8'))
}

const heldBy = async (change: Partial<LockHolder>) => {
  const file = await inFolder()
  const holder = { ...(await mine()), token: 'another', url: 'http://127.0.0.1:4650', ...change }
  await writeFile(`${file}.lock`, JSON.stringify(holder))
  return file
}

/** A process that has ended. */
const endedPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid as number
}

test('a lock says who has it, and goes when it is released', async () => {
  const file = await inFolder()
  const lock = await acquireLock(file)
  expect(await lock.update({ url: 'http://127.0.0.1:1234', file: '1:2' })).toBe(true)
  expect(JSON.parse(await readFile(`${file}.lock`, 'utf8'))).toMatchObject({
    pid: process.pid,
    hostName: hostname(),
    url: 'http://127.0.0.1:1234',
    file: '1:2',
  })
  await lock.release()
  await expect(stat(`${file}.lock`)).rejects.toThrow('ENOENT')
})

test('the lock of a running process is respected, and the refusal names the process and the setting to take over', async () => {
  const file = await heldBy({ startedAt: '2026-01-01T00:00:00.000Z' })
  await expect(acquireLock(file)).rejects.toMatchObject({
    code: 'state-held',
    sentence: `The state file ${file} is held by another Backlot: process ${process.pid} on ${hostname()}, started 2026-01-01T00:00:00.000Z, http://127.0.0.1:4650.`,
    hint: expect.stringContaining('--state-take-over'),
  })
})

test('the lock of a running process that does not say when it began is respected', async () =>
  expect(acquireLock(await heldBy({ start: null }))).rejects.toMatchObject({ code: 'state-held' }))

test('the lock of a process that is gone is taken over', async () => {
  const pid = await endedPid()
  expect((await take(await heldBy({ pid, start: null }))).takenFrom?.pid).toBe(pid)
})

test.runIf(process.platform === 'linux')(
  'the lock of a killed process whose parent has not waited for it is taken over',
  async () => {
    const pid = await zombiePid()
    expect((await take(await heldBy({ pid }))).takenFrom?.pid).toBe(pid)
  },
)

test.runIf(process.platform === 'linux').each([/.*/, /\d+$/])(
  'the lock of a process whose number belongs to another process now is taken over: %s differs in its start',
  async (part) => {
    const start = (await mine()).start?.replace(part, '0') ?? null
    expect((await take(await heldBy({ start }))).takenFrom?.pid).toBe(process.pid)
  },
)

test.each([
  ['another machine', async () => heldBy({ hostName: 'elsewhere', pid: await endedPid() })],
  ['another pid namespace', async () => heldBy({ namespace: 'pid:[1]', pid: await endedPid() })],
  [
    'a lock that cannot be read',
    async () => {
      const file = await inFolder()
      await writeFile(`${file}.lock`, '{"name":"no lock of ours"}')
      return file
    },
  ],
])('of %s nothing can be proved: it is respected, and taken over when the user says so', async (_, make) => {
  const file = await make()
  await expect(acquireLock(file)).rejects.toMatchObject({ code: 'state-held' })
  const lock = await take(file, true)
  expect(lock.isMine()).toBe(true)
})

test('exactly one of many takers gets an abandoned lock', async () => {
  const file = await heldBy({ pid: await endedPid(), start: null })
  const wishes = await Promise.allSettled(Array.from({ length: 40 }, () => acquireLock(file)))
  const got = wishes.flatMap((wish) => (wish.status === 'fulfilled' ? [wish.value] : []))
  onTestFinished(async () => {
    for (const lock of got) await lock.release()
  })
  expect(got).toHaveLength(1)
})

test('a taker that was slower than another one does not replace the lock of that one', async () => {
  const file = await heldBy({ pid: await endedPid(), start: null })
  onTestFinished(syncBuiltinESMExports)
  const { readlink } = fs
  const spy = vi.spyOn(fs, 'readlink')
  onTestFinished(() => spy.mockRestore())
  let goOn = () => {}
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  // It asks for its own namespace first, and then whether that of the holder is the same.
  const hasRead = new Promise<void>((resolve) => {
    spy.mockImplementationOnce(readlink).mockImplementationOnce(async (...given) => {
      resolve()
      await mayGoOn
      return readlink(...given)
    })
  })
  syncBuiltinESMExports()
  const slow = acquireLock(file)
  await hasRead
  const quick = await take(file)
  goOn()
  await expect(slow).rejects.toMatchObject({ code: 'state-held' })
  expect(quick.isMine()).toBe(true)
})

test.each(['', '{"token":"0', '\0\0\0'])(
  'a lock file that a process has begun and not ended, as %j, is taken over after a second',
  async (text) => {
    const file = await inFolder()
    await writeFile(`${file}.lock`, text)
    expect((await take(file)).isMine()).toBe(true)
  },
)

test('a lock file that is being written is waited for, and respected', async () => {
  const file = await inFolder()
  const holder = await mine()
  await writeFile(`${file}.lock`, '')
  const refused = expect(acquireLock(file)).rejects.toMatchObject({ code: 'state-held' })
  await expect.poll(() => existsSync(`${file}.lock`)).toBe(true)
  await writeFile(`${file}.lock`, JSON.stringify({ ...holder, token: 'another' }))
  await refused
})

test.each([
  ['that is gone', async () => JSON.stringify({ ...(await mine()), pid: await endedPid(), start: null })],
  ['that had not ended to write it', async () => ''],
])('the claim of a process %s, and a claim on that claim, are taken over with the lock', async (_, text) => {
  const gone = await text()
  const file = await heldBy({ pid: await endedPid(), start: null })
  await writeFile(`${file}.lock.claim`, gone)
  await writeFile(`${file}.lock.claim.claim`, gone)
  expect((await take(file)).isMine()).toBe(true)
  expect(await readdir(dirname(file))).toEqual([`${basename(file)}.lock`])
})

test.each([
  ['runs', async () => JSON.stringify({ ...(await mine()), token: 'another' })],
  ['is on another machine', async () => JSON.stringify({ ...(await mine()), hostName: 'elsewhere' })],
])('the claim of a process that %s is respected, and removed when the user says so', async (_, text) => {
  const file = await heldBy({ pid: await endedPid(), start: null })
  await writeFile(`${file}.lock.claim`, await text())
  await expect(acquireLock(file)).rejects.toMatchObject({ code: 'state-held' })
  expect((await take(file, true)).isMine()).toBe(true)
  expect(existsSync(`${file}.lock.claim`)).toBe(false)
})

test('exactly one of many takers gets an abandoned lock with an abandoned claim', async () => {
  const pid = await endedPid()
  const file = await heldBy({ pid, start: null })
  await copyFile(`${file}.lock`, `${file}.lock.claim`)
  const wishes = await Promise.allSettled(Array.from({ length: 40 }, () => acquireLock(file)))
  const got = wishes.flatMap((wish) => (wish.status === 'fulfilled' ? [wish.value] : []))
  for (const lock of got) onTestFinished(() => lock.release())
  expect(got).toHaveLength(1)
  expect(got[0]?.isMine()).toBe(true)
})

test('drafts of locks go whose process is gone, and those of running ones stay', async () => {
  const file = await inFolder()
  const holder = await mine()
  const [gone, running] = [randomUUID(), randomUUID()]
  await writeFile(`${file}.lock.${gone}`, JSON.stringify({ ...holder, pid: await endedPid(), start: null }))
  await writeFile(`${file}.lock.${running}`, JSON.stringify(holder))
  await take(file)
  const names = await readdir(dirname(file))
  expect([names.some((name) => name.endsWith(gone)), names.some((name) => name.endsWith(running))]).toEqual([
    false,
    true,
  ])
})

test.each(['', '{"tok'])('drafts of locks that end with %j go once they are a minute old', async (text) => {
  const file = await inFolder()
  const [old, young] = [`${file}.lock.${randomUUID()}`, `${file}.lock.claim.${randomUUID()}`]
  for (const [draft, age] of [
    [old, 61],
    [young, 50],
  ] as const) {
    await writeFile(draft, text)
    const written = new Date(Date.now() - age * 1_000)
    await utimes(draft, written, written)
  }
  await take(file)
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

test('a file system without links has locks too', async () => {
  const file = await inFolder()
  onTestFinished(syncBuiltinESMExports)
  const linked = vi
    .spyOn(fs, 'link')
    .mockRejectedValue(Object.assign(new Error('no links'), { code: 'EPERM' }))
  onTestFinished(() => linked.mockRestore())
  syncBuiltinESMExports()
  const lock = await take(file)
  expect(lock.isMine()).toBe(true)
  await expect(acquireLock(file)).rejects.toMatchObject({ code: 'state-held' })
})

test('a former owner loses a lock that was taken over, and its release does not remove it', async () => {
  const file = await inFolder()
  const [first, second] = [await take(file), await take(file, true)]
  expect([first.isMine(), second.isMine()]).toEqual([false, true])
  expect(await first.update({ url: 'http://127.0.0.1:1' })).toBe(false)
  await first.release()
  expect(existsSync(`${file}.lock`)).toBe(true)
  expect(second.isMine()).toBe(true)
})

test('an owner keeps a lock whose file was removed, and writes the file again', async () => {
  const file = await inFolder()
  const lock = await take(file)
  await rm(`${file}.lock`)
  expect(lock.isMine()).toBe(true)
  expect(await lock.update()).toBe(true)
  expect(JSON.parse(await readFile(`${file}.lock`, 'utf8')).pid).toBe(process.pid)
})

test('a disk that is full at a start leaves no lock that names no holder', async () => {
  const file = await inFolder()
  const disk = vi.spyOn(await handlePrototype(), 'writeFile')
  onTestFinished(() => disk.mockRestore())
  disk.mockRejectedValueOnce(noSpace())
  await expect(acquireLock(file)).rejects.toThrow('no space is left on the device')
  expect((await take(file)).takenFrom).toBeUndefined()
})

test('an owner whose lock could not be replaced once replaces it the next time', async () => {
  const file = await inFolder()
  const lock = await take(file)
  onTestFinished(syncBuiltinESMExports)
  const renamed = vi.spyOn(fs, 'rename')
  onTestFinished(() => renamed.mockRestore())
  renamed.mockRejectedValueOnce(new Error('another program reads it'))
  syncBuiltinESMExports()
  await expect(lock.update({ url: 'http://127.0.0.1:2' })).rejects.toThrow('another program reads it')
  expect(await lock.update({ url: 'http://127.0.0.1:3' })).toBe(true)
  expect(JSON.parse(await readFile(`${file}.lock`, 'utf8')).url).toBe('http://127.0.0.1:3')
})

test('on Windows, a lock that another program reads is replaced once that has closed it', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  const file = await heldBy({ pid: await endedPid(), start: null })
  onTestFinished(syncBuiltinESMExports)
  const renamed = vi.spyOn(fs, 'rename')
  onTestFinished(() => renamed.mockRestore())
  const refused = Object.assign(new Error('another program reads it'), { code: 'EPERM' })
  renamed.mockRejectedValueOnce(refused)
  syncBuiltinESMExports()
  const lock = await take(file)
  renamed.mockRejectedValueOnce(refused)
  expect(await lock.update({ url: 'http://127.0.0.1:2' })).toBe(true)
  expect(JSON.parse(await readFile(`${file}.lock`, 'utf8')).url).toBe('http://127.0.0.1:2')
})

test('a lock that is a folder is refused', async () => {
  const file = await inFolder()
  await mkdir(`${file}.lock`)
  await expect(acquireLock(file)).rejects.toMatchObject({ code: 'state-unusable' })
})

// On Windows, a symbolic link needs a privilege.
test.skipIf(process.platform === 'win32')('a lock that links to no file is refused', async () => {
  const file = await inFolder()
  await symlink('none', `${file}.lock`)
  await expect(acquireLock(file)).rejects.toMatchObject({ code: 'state-held' })
})
