import { execFileSync } from 'node:child_process'
import fs, { existsSync, promises } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readStateFiles } from '../../../../src/emulator/accounts/persistence/state-files.js'
import { fakedTimer } from '../../../faked-timer.js'
import { handlePrototype, heldSnapshot, refusingDisk } from './disk.js'
import { killed, openFolder, start } from './start.js'

const inFolder = async () => join(await openFolder(), 'state.jsonl')

const errorOf = async (starting: Promise<unknown>) => {
  const error = await starting.then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error?.name).toBe('EmulatorError')
  return error as { code: string; message: string; hint: string }
}

/** A file with one task in it. */
const made = async () => {
  const file = await inFolder()
  const house = await start(file)
  const id = await house.createB()
  await house.stop()
  return { file, id }
}

test('a batch that was cut off is dropped with a notice, and later batches are appended', async () => {
  const { file, id } = await made()
  await writeFile(file, `${await readFile(file, 'utf8')}["next","k","x",1]\n["task","k","x",{"id":"x"`)
  const second = await start(file)
  expect(second.warnings.join()).toContain('ends in the middle of a batch')
  await second.createB()
  await second.stop()
  const third = await start(file)
  expect(third.warnings).toEqual([])
  expect(await third.tasks.list()).toHaveLength(2)
  expect((await third.tasks.list()).at(-1)?.id).toBe(id)
})

test('a batch that was cut off is told once, also where nothing happens after it', async () => {
  const { file, id } = await made()
  await writeFile(file, `${await readFile(file, 'utf8')}["next","k","x",1]\n`)
  for (const warnings of [1, 0]) {
    const house = await start(file)
    expect(house.warnings).toHaveLength(warnings)
    expect((await house.tasks.list()).map((task) => task.id)).toEqual([id])
    await house.stop()
  }
})

test('a start and a stop between which nothing happens leave the file as it is', async () => {
  const { file } = await made()
  const { ino } = await stat(file)
  await (await start(file)).stop()
  expect((await stat(file)).ino).toBe(ino)
})

test('logs that a kill has left before those of the snapshot are removed, and not read', async () => {
  const file = await inFolder()
  const house = await start(file)
  const copy = await killed(house, dirname(file))
  await writeFile(`${copy}.0.log`, 'of an earlier snapshot')
  expect((await start(copy)).warnings).toEqual([])
  expect(existsSync(`${copy}.0.log`)).toBe(false)
})

test('a log that cannot be removed keeps no emulator from starting or stopping', async () => {
  const { file } = await made()
  // Windows removes no file that another program has open.
  await mkdir(`${file}.0.log`)
  const house = await start(file)
  await house.createB()
  await house.stop()
  expect(existsSync(`${file}.lock`)).toBe(false)
  expect(await (await start(file)).tasks.list()).toHaveLength(2)
})

test('the log of a kill is continued where what is opened for appending cannot be truncated', async () => {
  const house = await start(await inFolder())
  await house.createB()
  const copy = await killed(house, await openFolder())
  // So it is on Windows.
  const disk = vi.spyOn(await handlePrototype(), 'truncate')
  onTestFinished(() => disk.mockRestore())
  disk.mockRejectedValue(Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' }))
  expect(await (await start(copy)).tasks.list()).toHaveLength(1)
})

test.each([
  ['has not even its header', ''],
  ['ends within its header', '{"backlot":"st'],
  ['has zeros in place of its header, as some file systems leave them', '\0'.repeat(4_096)],
])('a log that was begun and %s is told, and the next one continues the file', async (_, text) => {
  const { file, id } = await made()
  const { generation } = await readStateFiles(file)
  await writeFile(`${file}.${generation}.log`, text)
  const house = await start(file)
  expect(house.warnings).toEqual([
    expect.stringContaining(`${generation}.log is empty, or ends in its first line.`),
  ])
  await house.createB()
  const copy = await start(await killed(house, dirname(file)))
  expect(await copy.tasks.list()).toHaveLength(2)
  expect(await copy.statusOfB(id)).toBe('queued')
})

test('a start that cannot write the file anew leaves the logs of what happened', async () => {
  const file = await inFolder()
  const house = await start(file)
  const id = await house.createB()
  const copy = await killed(house, dirname(file))
  // So that it is written anew.
  await writeFile(copy, `${await readFile(copy, 'utf8')}["next","k","x",1]\n`)
  const disk = await refusingDisk()
  expect((await errorOf(start(copy))).code).toBe('state-unusable')
  disk.mockRestore()
  expect(await (await start(copy)).statusOfB(id)).toBe('queued')
})

test('a start that fails because the file cannot be written leaves nothing behind that writes later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // The file that is to take its place has a longer name, which no file system takes.
  const file = join(await openFolder(), 'x'.repeat(220))
  const { code, message } = await errorOf(start(file, {}, { setTimer: fakedTimer }))
  const why = process.platform === 'win32' ? 'its folder is not there' : 'ENAMETOOLONG'
  expect([code, message]).toEqual(['state-unusable', expect.stringContaining(why)])
  expect(vi.getTimerCount()).toBe(0)
  expect(await readdir(dirname(file))).toEqual([])
})

test('a start whose disk is full says so, and what to do', async () => {
  const file = await inFolder()
  const warnings: string[] = []
  const disk = await refusingDisk()
  const { code, message, hint } = await errorOf(
    start(file, {}, { onWarning: (sentence) => warnings.push(sentence) }),
  )
  expect([code, hint]).toEqual(['state-unusable', expect.stringContaining('Make room')])
  expect(message).toContain('no space is left on the device')
  expect(warnings).toEqual([])
  disk.mockRestore()
  expect((await start(file)).warnings).toEqual([])
})

test('a start whose file is taken over meanwhile removes no log of the process that has it', async () => {
  const file = await inFolder()
  const log = `${file}.9.log`
  const handle = await handlePrototype()
  const { writeFile: write } = handle
  const spy = vi.spyOn(handle, 'writeFile')
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementation(async function (this: FileHandle, ...given: Parameters<typeof write>) {
    // The lock is written first, and then the snapshot.
    if (spy.mock.calls.length > 1) await Promise.all([writeFile(`${file}.lock`, '{}'), writeFile(log, '')])
    return write.apply(this, given)
  })
  await expect(start(file)).rejects.toThrow('the lock is held by another process')
  expect(existsSync(log)).toBe(true)
})

/** As an editor leaves it that knows no checksum. */
const unchecked = (text: string): string => text.replace(/\["end",.*\]/g, '["end"]')

test('an edited file that is not right any more is refused, and stays as it is', async () => {
  const { file } = await made()
  const edited = (await readFile(file, 'utf8')).replace('"queued"', '"waiting"')
  await writeFile(file, edited)
  const { code, message, hint } = await errorOf(start(file))
  expect(code).toBe('bad-state')
  expect(message).toMatch(/state\.jsonl cannot be read: in line \d+, in the task .*timeline\[0\]/)
  expect(hint).toContain('--state-fresh')
  expect(await readFile(file, 'utf8')).toBe(edited)
})

test('an edited parameter that its family does not know is refused, and named', async () => {
  const { file, id } = await made()
  await writeFile(file, unchecked(await readFile(file, 'utf8')).replace('"ratio":"16:9"', '"ratio":"x"'))
  const { code, message } = await errorOf(start(file))
  expect(code).toBe('bad-state')
  expect(message).toContain(`in the task ${id}, params.ratio must be `)
})

test('told to, it keeps such a file aside and begins a new one', async () => {
  const { file } = await made()
  for (const number of [1, 2]) {
    await writeFile(file, `no state file ${number}`)
    const house = await start(file, { stateFresh: true })
    expect(house.warnings.join()).toContain(`.broken-${number}`)
    expect(await house.tasks.list()).toEqual([])
    await house.stop()
    expect(await readFile(`${file}.broken-${number}`, 'utf8')).toBe(`no state file ${number}`)
  }
})

test('told to, it still takes a file that can be read, and no file with another seed', async () => {
  const { file } = await made()
  expect((await errorOf(start(file, { stateFresh: true, seed: 7 }))).code).toBe('other-seed')
  expect(await (await start(file, { stateFresh: true })).tasks.list()).toHaveLength(1)
})

test('a callback without its task, and a scenario that is not there, are said', async () => {
  const { file } = await made()
  const text = unchecked(await readFile(file, 'utf8'))
  await writeFile(
    file,
    text.replace(
      '"playing":[]',
      '"playing":[{"scenario":"gone","seed":1,"since":1,"seen":[],"acted":[],"latest":{}}]',
    ),
  )
  expect((await errorOf(start(file))).message).toContain('the scenario gone plays, but is not there')
})

test('an empty file is a place for one, which is said', async () => {
  const file = await inFolder()
  await writeFile(file, '')
  const house = await start(file)
  expect(house.warnings).toEqual([`The state file ${await realpath(file)} is empty: a new state begins.`])
  await house.createB()
  await house.stop()
  expect(await (await start(file)).tasks.list()).toHaveLength(1)
})

test('a path with a slash at the end is that of a folder, and refused', async () => {
  const { file } = await made()
  for (const path of [`${file}/`, `${file}-new/`]) {
    const { code, message } = await errorOf(start(path))
    expect(code).toBe('state-unusable')
    expect(message).toContain(
      `${path} cannot be used: expected the path of a file, found one that ends with /`,
    )
  }
  expect(existsSync(`${file}-new`)).toBe(false)
})

test('a folder is refused, and so is a file with another seed', async () => {
  const { file } = await made()
  expect((await errorOf(start(dirname(file)))).code).toBe('state-unusable')
  const { code, message, hint } = await errorOf(start(file, { seed: 7 }))
  expect(code).toBe('other-seed')
  expect(message).toContain('begun with the seed 1, and the setting seed is 7')
  expect(hint).toContain('--seed 1')
})

test('a second server on the file is refused and told who holds it; later it may', async () => {
  const file = await inFolder()
  const first = await start(file)
  const { code, message } = await errorOf(start(file))
  expect(code).toBe('state-held')
  expect(message).toContain(`process ${process.pid} on `)
  expect(message).toContain(first.url)
  await first.stop()
  await start(file)
})

test('a server whose file was taken over says so in its health, also when it stops', async () => {
  const file = await inFolder()
  const first = await start(file)
  const { generation } = await readStateFiles(file)
  const second = await start(file, { stateTakeOver: true })
  // So the log of the former owner is no longer read.
  expect((await readStateFiles(file)).generation).toBeGreaterThan(generation)
  await first.createB()
  const trouble = () => first.emulator.persistence?.facts()?.trouble
  await until(() => trouble() !== null)
  const { body } = await first.ask('GET', '/_backlot/health?full')
  expect(JSON.stringify(body)).toContain('has been taken over by another Backlot')
  await first.stop()
  expect(trouble()).toContain('taken over')
  expect(await second.tasks.list()).toEqual([])
})

test('a server whose lock cannot be read for a moment has not lost its file', async () => {
  const file = await inFolder()
  const house = await start(file)
  const reported: string[] = []
  house.emulator.events.on('trouble', ({ state, code }) => reported.push(`${state} ${code}`))
  const { readFileSync } = fs
  onTestFinished(() => {
    fs.readFileSync = readFileSync
    syncBuiltinESMExports()
  })
  // As when calls of many clients take all file handles.
  fs.readFileSync = ((...given: Parameters<typeof readFileSync>) => {
    if (given[0] === `${file}.lock` && reported.length === 0)
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    return readFileSync(...given)
  }) as typeof readFileSync
  syncBuiltinESMExports()
  await house.createB()
  await until(() => reported.length === 1)
  await house.createB()
  await house.stop()
  expect(reported[0]).toBe('begun state-unwritten')
  expect(house.warnings).toEqual([])
  expect(await (await start(file)).tasks.list()).toHaveLength(2)
})

test('a server that could not listen lets the file go', async () => {
  const file = await inFolder()
  const other = await start(await inFolder())
  const { port } = new URL(other.url)
  expect((await errorOf(start(file, { port: Number(port) }))).code).toBe('port-taken')
  await start(file)
})

test('nothing but the file and what belongs to it is left in the folder', async () => {
  const { file } = await made()
  expect(await readdir(dirname(file))).toEqual([basename(file)])
})

test('a file that is removed or moved while it runs is written anew, whole', async () => {
  const file = await inFolder()
  const house = await start(file)
  await house.createB()
  await rm(file)
  await house.createB()
  await until(() => house.warnings.length === 1 && existsSync(file))
  await rename(file, `${file}.moved`)
  await house.createB()
  await until(() => house.warnings.length === 2)
  await house.stop()
  expect(await (await start(file)).tasks.list()).toHaveLength(3)
})

test('a file that another one of the same size replaces while it runs is written anew', async () => {
  const { file } = await made()
  const house = await start(file)
  await copyFile(file, `${file}.copy`)
  await rename(`${file}.copy`, file)
  await house.createB()
  await until(() => house.warnings.length === 1)
  expect(house.warnings[0]).toContain('it is written anew')
})

// Windows removes no folder that has an open file.
const onUnix = test.skipIf(process.platform === 'win32')

onUnix(
  'a folder that is removed while it runs is reported, and once it is back everything is written',
  async () => {
    const folder = join(await openFolder(), 'folder')
    const file = join(folder, 'state.jsonl')
    const house = await start(file)
    const reported: string[] = []
    house.emulator.events.on('trouble', ({ need, state, code }) => reported.push(`${need} ${state} ${code}`))
    await house.createB()
    await rm(folder, { recursive: true })
    await house.createB()
    await until(() => reported.length === 1)
    await mkdir(folder)
    await until(() => reported.length === 2)
    expect(reported).toEqual(['state begun state-unwritten', 'state over state-unwritten'])
    await house.stop()
    expect(await (await start(file)).tasks.list()).toHaveLength(2)
  },
)

onUnix('a folder that was removed while it ran is told at the end, with what is lost', async () => {
  const folder = join(await openFolder(), 'folder')
  const house = await start(join(folder, 'state.jsonl'))
  await house.createB()
  await rm(folder, { recursive: true })
  await house.stop()
  expect(house.warnings.join()).toContain('could not be written to the end')
})

test('a batch that cannot be written is reported once, tried again, and not lost', async () => {
  const file = await inFolder()
  const house = await start(file)
  const reported: string[] = []
  house.emulator.events.on('trouble', ({ need, state, code }) => reported.push(`${need} ${state} ${code}`))
  await house.createB()
  // A folder in its place cannot be replaced by a file.
  await rename(file, `${file}.aside`)
  await mkdir(join(file, 'not-empty'), { recursive: true })
  await house.createB()
  await until(() => reported.length === 1)
  await house.createB()
  expect(house.emulator.persistence?.facts()?.trouble).not.toBeNull()
  await rm(file, { recursive: true })
  await until(() => reported.length === 2)
  expect(reported).toEqual(['state begun state-unwritten', 'state over state-unwritten'])
  await house.stop()
  expect(await (await start(file)).tasks.list()).toHaveLength(3)
})

test('while the disk refuses, what waits to be written does not grow, and later everything is there', async () => {
  const file = await inFolder()
  const house = await start(file)
  await house.createB()
  const refused: number[] = []
  const disk = await refusingDisk((bytes) => refused.push(bytes))
  const ids = [await house.createB()]
  while (refused.length < 4) {
    ids.push(await house.createB())
    await until(() => refused.length >= ids.length)
  }
  expect(Math.max(...refused.slice(1))).toBeLessThan(200)
  // The file, its log, the lock, and at most the log of the attempt that is under way.
  expect((await readdir(dirname(file))).length).toBeLessThanOrEqual(4)
  disk.mockRestore()
  await until(() => house.emulator.persistence?.facts()?.trouble === null)
  ids.push(await house.createB())
  const copy = await start(await killed(house, dirname(file)))
  for (const id of ids) await copy.tasks.get(id)
  expect(copy.warnings).toEqual([])
})

test('the trouble is over once the snapshot that mends it is written, not with a batch beside it', async () => {
  const house = await start(await inFolder())
  await house.createB()
  const disk = await refusingDisk()
  await house.createB()
  const trouble = () => house.emulator.persistence?.facts()?.trouble
  expect(trouble()).toBe('no space is left on the device')
  const snapshot = await heldSnapshot()
  disk.mockRestore()
  await snapshot.begun
  await house.createB()
  expect(trouble()).toBe('no space is left on the device')
  snapshot.release()
  await until(() => trouble() === null)
})

test.each([
  [
    'a file that is in the way of the folder',
    async (folder: string) => {
      await writeFile(join(folder, 'f'), '')
      return join(folder, 'f', 'x.jsonl')
    },
    'a part of its path is no folder',
  ],
  ['a folder', async (folder: string) => folder, 'found a folder'],
])('%s is refused', async (_, make, why) => {
  const { code, message } = await errorOf(start(await make(await openFolder())))
  expect(code).toBe('state-unusable')
  expect(message).toContain(why)
})

test.skipIf(process.platform === 'win32')('a named pipe and a device are refused, and stay', async () => {
  const pipe = join(await openFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  expect((await errorOf(start(pipe))).message).toContain('found a named pipe')
  expect((await stat(pipe)).isFIFO()).toBe(true)
  expect((await errorOf(start('/dev/null'))).message).toContain('found a device')
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
})

test.skipIf(process.platform === 'win32')(
  'a symbolic link stays one, also to a file that is not there yet',
  async () => {
    const [folder, elsewhere] = [await openFolder(), await openFolder()]
    const [link, file] = [join(folder, 'link.jsonl'), join(elsewhere, 'file.jsonl')]
    await symlink(file, link)
    for (const tasks of [1, 2]) {
      const house = await start(link)
      await house.createB()
      expect(await house.tasks.list()).toHaveLength(tasks)
      expect((await errorOf(start(file))).code).toBe('state-held')
      await house.stop()
      expect((await lstat(link)).isSymbolicLink()).toBe(true)
      expect((await lstat(file)).isFile()).toBe(true)
    }
    expect(await readdir(folder)).toEqual(['link.jsonl'])
  },
)

test.skipIf(process.platform === 'win32')('links that lead to each other are refused', async () => {
  const folder = await openFolder()
  const [one, other] = ['a', 'b'].map((name) => join(folder, name)) as [string, string]
  await symlink(one, other)
  await symlink(other, one)
  expect((await errorOf(start(one))).code).toBe('state-unusable')
})

test('a file under two names is refused under both', async () => {
  const { file } = await made()
  const other = join(await openFolder(), 'other.jsonl')
  await link(file, other)
  for (const one of [file, other]) {
    const { code, message } = await errorOf(start(one))
    expect(code).toBe('state-unusable')
    expect(message).toContain('it has 2 names (hard links), expected one')
  }
  await rm(other)
  expect(await (await start(file)).tasks.list()).toHaveLength(1)
})

test.each(['snapshot', 'log'])(
  'a %s that is cut off in place while it runs is told, and written anew',
  async (which) => {
    const { file } = await made()
    const house = await start(file)
    await house.createB()
    const name =
      which === 'log' ? (await readdir(dirname(file))).find((one) => one.endsWith('.log')) : basename(file)
    await truncate(join(dirname(file), name ?? ''), 10)
    await house.createB()
    await until(() => house.warnings.length === 1)
    expect(house.warnings[0]).toContain(
      'was moved, removed or changed by another program; it is written anew',
    )
    await house.stop()
    const again = await start(file)
    expect(again.warnings).toEqual([])
    expect(await again.tasks.list()).toHaveLength(3)
  },
)

test('a snapshot that was cut off while no emulator had it is refused', async () => {
  const { file } = await made()
  await truncate(file, (await stat(file)).size - 3)
  const { code, message } = await errorOf(start(file))
  expect(code).toBe('bad-state')
  expect(message).toContain('cut off')
})

test('a log that is missing, or belongs to another file, is told', async () => {
  const [file, other] = [await inFolder(), await inFolder()]
  const [house, stranger] = [await start(file), await start(other)]
  await house.createB()
  const copy = await killed(house, dirname(file))
  await rm(`${copy}.1.log`)
  const without = await start(copy)
  expect(without.warnings.join()).toContain('lacks its log')
  await without.stop()
  await stranger.createB()
  const strange = await killed(stranger, dirname(other))
  const mixed = await killed(house, dirname(other))
  expect(mixed).toBe(strange)
  await copyFile(file, strange)
  await writeFile(`${strange}.1.log`, await readFile(`${other}.1.log`))
  const torn = await start(strange)
  expect(torn.warnings.join()).toMatch(
    /does not continue the state file .*left-behind.jsonl; it is kept as .*\.1\.log\.broken-1/,
  )
})

/** What a process leaves behind that is killed now, with its lock. */
const killedWithLock = async (house: Awaited<ReturnType<typeof start>>) => {
  const copy = await killed(house, await openFolder())
  const lock = JSON.parse(await readFile(`${house.emulator.persistence?.facts().file}.lock`, 'utf8'))
  // No process has this number on any system.
  await writeFile(`${copy}.lock`, JSON.stringify({ ...lock, pid: 2 ** 31 - 1, start: null }))
  return { copy, log: `${copy}.${lock.log}.log` }
}

test.each([
  ['the only one since a clean stop', async () => (await made()).file],
  ['the one since a kill', async () => (await killedWithLock(await start((await made()).file))).copy],
])('a last log that is missing is told where its process was killed: %s', async (_, fileOf) => {
  const house = await start(await fileOf())
  await house.createB()
  const { copy, log } = await killedWithLock(house)
  const whole = await start(copy)
  expect(whole.warnings).toEqual([expect.stringContaining('is taken over')])
  expect(await whole.tasks.list()).toHaveLength(2)
  const other = await killedWithLock(house)
  await rm(other.log)
  const without = await start(other.copy)
  expect(without.warnings).toContainEqual(
    `The state file ${other.copy} lacks its log ${other.log}: what that held is lost.`,
  )
  expect(log.slice(copy.length)).toBe(other.log.slice(other.copy.length))
  expect(await without.tasks.list()).toHaveLength(1)
})

test('a last log that is missing beside an earlier one is told', async () => {
  const file = await inFolder()
  const house = await start(file)
  await house.createB()
  const { copy, log } = await killedWithLock(house)
  const lock = JSON.parse(await readFile(`${copy}.lock`, 'utf8'))
  await writeFile(`${copy}.lock`, JSON.stringify({ ...lock, log: lock.log + 1 }))
  const next = `${copy}.${lock.log + 1}.log`
  expect((await start(copy)).warnings).toContainEqual(expect.stringContaining(`lacks its log ${next}:`))
  expect(existsSync(log)).toBe(false)
})

test('after a clean stop no log is missed, though the lock is still there', async () => {
  const file = await inFolder()
  const house = await start(file)
  await house.createB()
  const { copy } = await killedWithLock(house)
  await house.stop()
  await copyFile(file, copy)
  const lock = JSON.parse(await readFile(`${copy}.lock`, 'utf8'))
  await writeFile(`${copy}.lock`, JSON.stringify({ ...lock, log: null }))
  for (const name of await readdir(dirname(copy)))
    if (name.endsWith('.log')) await rm(join(dirname(copy), name))
  expect((await start(copy)).warnings).toEqual([expect.stringContaining('is taken over')])
})

test('a folder that cannot be listed stops the start, and no log is taken for missing', async () => {
  const file = await inFolder()
  const house = await start(file)
  const id = await house.createB()
  const copy = await killed(house, dirname(file))
  // File handles run out after the unfinished snapshots were looked for.
  const { readdir } = promises
  let listed = 0
  promises.readdir = ((path: string) =>
    ++listed === 2
      ? Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }))
      : readdir(path)) as typeof readdir
  syncBuiltinESMExports()
  const refused = await errorOf(start(copy)).finally(() => {
    promises.readdir = readdir
    syncBuiltinESMExports()
  })
  expect(refused.code).toBe('state-unusable')
  const again = await start(copy)
  expect(again.warnings.join()).not.toContain('log')
  expect(await again.statusOfB(id)).toBe('queued')
})

test('the file of version 1 is read, kept aside, and written anew', async () => {
  const file = await inFolder()
  const fixtures = join(import.meta.dirname, 'version-1')
  await copyFile(join(fixtures, 'state.jsonl'), file)
  const before = JSON.parse(await readFile(join(fixtures, 'answers.json'), 'utf8'))
  for (const notice of [
    /was of version 1 and has been written anew; it is kept as .*version-1-1/,
    undefined,
  ]) {
    const house = await start(file)
    const shop = house.as('shop')
    expect(await shop.tasks.list()).toEqual(before.tasks)
    expect(await shop.clock.read()).toEqual(before.clock)
    const { steps } = before
    const counts = (await shop.scenario.steps()).map(({ lastMiss: _, ...step }) => step)
    expect(counts).toEqual(steps.map(({ lastMiss: _, ...step }: { readonly lastMiss: unknown }) => step))
    expect((await house.as('other').tasks.list()).map(({ family }) => family).sort()).toEqual([
      'a-image',
      'a2-image',
      'b-video-task',
      'c-video',
      'e-video-reference',
    ])
    if (notice !== undefined) expect(house.warnings.join()).toMatch(notice)
    expect(house.warnings.join()).not.toContain('lacks its log')
    await house.stop()
  }
  expect((await readFile(file, 'utf8')).split('\n')[0]).toContain('"version":3')
})

test('the files of version 2 are read, kept aside with their log, and written anew with checksums', async () => {
  const file = await inFolder()
  const fixtures = join(import.meta.dirname, 'version-2')
  for (const name of ['state.jsonl', 'state.jsonl.1.log'])
    await copyFile(join(fixtures, name), join(dirname(file), name))
  const before = JSON.parse(await readFile(join(fixtures, 'answers.json'), 'utf8'))
  const house = await start(file)
  expect(house.warnings.join()).toContain('was of version 2 and has been written anew; it is kept as')
  expect(await house.tasks.list()).toEqual(before.tasks)
  expect(before.tasks).toHaveLength(2)
  expect(await readFile(`${file}.version-2-1.1.log`, 'utf8')).toContain('"version":2')
  await house.stop()
  expect(await readFile(file, 'utf8')).toMatch(/^\["end","[0-9a-f]{8}"\]$/m)
  const again = await start(file)
  expect(again.warnings).toEqual([])
  expect(await again.tasks.list()).toEqual(before.tasks)
})

test('an exported state of version 1 is imported', async () => {
  const house = await start(await inFolder())
  const document = JSON.parse(await readFile(join(import.meta.dirname, 'version-1', 'exported.json'), 'utf8'))
  expect((await house.ask('PUT', '/_backlot/state?all', document)).body).toMatchObject({ accounts: 2 })
  const before = JSON.parse(await readFile(join(import.meta.dirname, 'version-1', 'answers.json'), 'utf8'))
  expect(await house.as('shop').tasks.list()).toEqual(before.tasks)
})

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(setImmediate)
}

test('the lock names the device and the inode of the file, also after a snapshot has replaced it', async () => {
  const file = await inFolder()
  const house = await start(file)
  await house.createB()
  await house.stop()
  const again = await start(file)
  const { dev, ino } = await promises.stat(file)
  const lock = JSON.parse(await promises.readFile(`${file}.lock`, 'utf8'))
  expect(lock).toMatchObject({ pid: process.pid, file: `${dev}:${ino}` })
  await again.stop()
})
