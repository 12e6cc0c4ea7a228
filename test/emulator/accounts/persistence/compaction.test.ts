import fs, { existsSync } from 'node:fs'
import { copyFile, type FileHandle, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { acquireLock } from '../../../../src/emulator/accounts/persistence/lock.js'
import type { StateRecord } from '../../../../src/emulator/accounts/persistence/records.js'
import { readStateFiles } from '../../../../src/emulator/accounts/persistence/state-files.js'
import { headerLine } from '../../../../src/emulator/accounts/persistence/state-text.js'
import { createStateWriter } from '../../../../src/emulator/accounts/persistence/state-writer.js'
import type { SetTimer } from '../../../../src/emulator/timers.js'
import { fakedTimer } from '../../../faked-timer.js'
import { handlePrototype, heldSnapshot, noSpace, refusingDisk } from './disk.js'
import { killed, openFolder, start } from './start.js'

const inFolder = async () => join(await openFolder(), 'state.jsonl')

const open = async (path: string, setTimer?: SetTimer) => {
  const warnings: string[] = []
  const writer = await createStateWriter({
    path,
    lock: await acquireLock(path),
    files: await readStateFiles(path),
    fsync: true,
    now: Date.now,
    onWarning: (sentence) => warnings.push(sentence),
    setTimer,
  })
  await writer.compact()
  return { writer, warnings }
}

const server = (secret: string): StateRecord => ['server', '', '', { seed: 1, secret, given: [] }]

const secretIn = async (path: string) => (await readStateFiles(path)).state.server?.secret

test('a clean stop leaves one file, which holds everything', async () => {
  const file = await inFolder()
  const house = await start(file)
  for (let round = 0; round < 4; round += 1) {
    await house.createB()
    await house.as('a "quoted" key \\').createB()
    await house.as('gone').createB()
    await house.clock.advance({ to: 'next' })
  }
  await house.as('gone').reset()
  const before = await readStateFiles(await killed(house, dirname(file)))
  await house.stop()
  const after = await readStateFiles(file)
  expect(after.state.accounts).toEqual(before.state.accounts)
  expect([...after.state.accounts.keys()]).toEqual([...before.state.accounts.keys()])
  expect([...(after.state.accounts.get('k')?.task.keys() ?? [])]).toEqual([
    ...(before.state.accounts.get('k')?.task.keys() ?? []),
  ])
  const names = (await readdir(dirname(file))).filter((name) => name.startsWith('state.jsonl'))
  expect(names).toEqual(['state.jsonl'])
  expect((await readFile(file, 'utf8')).split('["end"')).toHaveLength(2)
})

test('on Windows, a file that another program reads is replaced once that has closed it', async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  await writer.append([server('one')])
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  onTestFinished(syncBuiltinESMExports)
  const renamed = vi.spyOn(fs, 'renameSync')
  onTestFinished(() => renamed.mockRestore())
  renamed.mockImplementationOnce(() => {
    throw Object.assign(new Error('another program reads it'), { code: 'EPERM' })
  })
  syncBuiltinESMExports()
  const { generation } = await readStateFiles(file)
  await writer.compact()
  expect((await readStateFiles(file)).generation).toBe(generation + 1)
  expect(renamed).toHaveBeenCalledTimes(2)
  await writer.stop()
})

test('the log of an account that is removed and begun anew at once has nothing of before', async () => {
  const house = await start(await inFolder())
  await house.createB()
  const of = await killed(house, dirname(house.emulator.persistence?.facts().file ?? ''))
  const head = (await readStateFiles(of)).state.accounts.get('k')?.head
  if (head === undefined) throw new Error('There is no account.')
  const file = await inFolder()
  const { writer } = await open(file)
  const begun: StateRecord = ['account', 'k', '', head]
  await writer.append([begun, ['next', 'k', 'old', 1]])
  await writer.append([['account', 'k', '', null], begun])
  await writer.close()
  const { state } = await readStateFiles(file)
  expect([...state.accounts.keys()]).toEqual(['k'])
  expect(state.accounts.get('k')?.next.size).toBe(0)
})

test.each(['stop', 'compact'] as const)(
  'after a clean stop and a %s whose snapshot the disk refuses, the logs have everything',
  async (refused) => {
    const file = await inFolder()
    const { writer } = await open(file)
    await writer.append([server('one')])
    // The snapshot of a clean stop says that no log need be beside it.
    await writer.stop()
    const lock = await acquireLock(`${file}.other`)
    onTestFinished(() => lock.release())
    const files = await readStateFiles(file)
    const onWarning = () => {}
    const second = await createStateWriter({ path: file, lock, files, fsync: true, now: Date.now, onWarning })
    await second.append([server('two')])
    const refusing = vi.spyOn(await handlePrototype(), 'writeFile').mockRejectedValue(noSpace())
    await second[refused]().catch(() => {})
    refusing.mockRestore()
    if (refused === 'compact') await second.stop()
    expect(await secretIn(file)).toBe('two')
  },
)

test('records that are appended while a snapshot is written are in the next log', async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  await writer.append([server('one')])
  const compacted = writer.compact()
  const appended = [writer.append([server('two')]), writer.append([server('three')])]
  await compacted
  await Promise.all(appended)
  expect(await secretIn(file)).toBe('three')
  await writer.stop()
  expect(await secretIn(file)).toBe('three')
})

test.each<[string, (text: string) => string]>([
  ['that ends in the middle of a record', (text) => `${text}["server","","",{"seed":1`],
  ['that ends in the middle of a batch', (text) => `${text}${JSON.stringify(server('cut off'))}\n`],
  ['whose last line an editor has left without an end', (text) => text.trimEnd()],
])('a log %s is continued behind its whole batches, without a warning', async (_, change) => {
  const file = await inFolder()
  const lock = await acquireLock(file)
  onTestFinished(() => lock.release())
  const warnings: string[] = []
  const reopen = async () => {
    const files = await readStateFiles(file)
    const onWarning = (sentence: string) => void warnings.push(sentence)
    return createStateWriter({ path: file, lock, files, fsync: false, now: Date.now, onWarning })
  }
  const first = await reopen()
  await first.compact()
  await first.append([server('one')])
  // As a process that is killed.
  await first.close()
  const log = `${file}.1.log`
  await writeFile(log, change(await readFile(log, 'utf8')))
  const second = await reopen()
  await second.append([server('two')])
  expect(await secretIn(file)).toBe('two')
  await second.stop()
  expect(warnings).toEqual([])
  expect(await secretIn(file)).toBe('two')
})

/** Text of a snapshot or a log. */
const written = (id: string, generation: number, ...records: StateRecord[]): string =>
  [headerLine(id, generation), ...records.map((record) => JSON.stringify(record)), '["end"]', ''].join('\n')

test('logs continue a snapshot in the order of their numbers, and those before it are not read', async () => {
  const file = await inFolder()
  await writeFile(file, written('a', 9))
  await writeFile(`${file}.8.log`, written('a', 8, ['next', 'k', 'old', 1]))
  await writeFile(`${file}.9.log`, written('a', 9, server('nine')))
  await writeFile(`${file}.10.log`, written('a', 10, server('ten')))
  const { state, log, strayLogs, warnings } = await readStateFiles(file)
  expect([state.server?.secret, state.accounts.size, log?.generation]).toEqual(['ten', 0, 10])
  expect([strayLogs, warnings]).toEqual([[], []])
})

/** A snapshot and two logs: what a kill leaves while the second snapshot is written. */
const withTwoLogs = async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  for (const secret of ['one', 'two', 'three']) await writer.append([server(secret)])
  const snapshot = await heldSnapshot()
  const compacted = writer.compact()
  await snapshot.begun
  await writer.append([server('four')])
  const { generation } = await readStateFiles(file)
  const kept = `${file}.kept`
  const logs = [generation, generation + 1]
  await copyFile(file, kept)
  for (const number of logs) await copyFile(`${file}.${number}.log`, `${kept}.${number}.log`)
  snapshot.release()
  await compacted
  await writer.stop()
  return {
    file: kept,
    first: `${kept}.${generation}.log`,
    second: `${kept}.${generation + 1}.log`,
    generation,
  }
}

test('two logs that continue a snapshot are read', async () => {
  const { file } = await withTwoLogs()
  expect(await secretIn(file)).toBe('four')
})

test.each<[string, (text: string) => string | undefined, string]>([
  ['is missing', () => undefined, 'which is missing or empty'],
  ['is empty', () => '', 'which is missing or empty'],
  ['ends in the middle of a batch', (text) => text.slice(0, -5), 'which must end at byte'],
  ['lacks its last batch', (text) => text.slice(0, text.lastIndexOf('["server"')), 'which must end at byte'],
  ['lacks all batches', (text) => `${text.split('\n')[0]}\n`, 'which must end at byte'],
])('a log before the last one that %s is a gap, which is refused', async (_, change, expected) => {
  const { file, first, second, generation } = await withTwoLogs()
  const changed = change(await readFile(first, 'utf8'))
  if (changed === undefined) await rm(first)
  else await writeFile(first, changed)
  const error = await readStateFiles(file).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'bad-state' })
  expect(error.message).toContain(`its log ${second} continues log ${generation}, ${expected}`)
})

test('a log of version 2 has one under each number before it', async () => {
  const file = await inFolder()
  const versionTwo = (...given: Parameters<typeof written>) =>
    written(...given).replace('"version":3', '"version":2')
  await writeFile(file, versionTwo('a', 9))
  await writeFile(`${file}.10.log`, versionTwo('a', 10, server('ten')))
  const { message } = await readStateFiles(file).catch((thrown) => thrown)
  expect(message).toContain(`its log ${file}.10.log continues log 9, which is missing`)
  await writeFile(`${file}.9.log`, '')
  expect(await secretIn(file)).toBe('ten')
})

test('a log of a process from which the file was taken is a stray, and so is what continues it', async () => {
  const { file, generation } = await withTwoLogs()
  const log = (number: number, after: number) =>
    writeFile(
      `${file}.${number}.log`,
      `${headerLine(JSON.parse(texts[0] ?? '').id, number, { after: { generation: after, bytes: 1 } })}\n`,
    )
  const texts = (await readFile(file, 'utf8')).split('\n')
  await log(generation + 2, generation - 1)
  await log(generation + 3, generation + 2)
  expect(await readStateFiles(file)).toMatchObject({
    strayLogs: [generation + 2, generation + 3],
    log: { generation: generation + 1 },
  })
})

test('a file whose lock another process has begins no further log', async () => {
  const file = await inFolder()
  const { writer } = await open(file, () => () => {})
  const { generation } = await readStateFiles(file)
  await writeFile(`${file}.lock`, '{}')
  await expect(writer.compact()).rejects.toThrow('the lock is held by another process')
  expect(existsSync(`${file}.${generation + 1}.log`)).toBe(false)
  await writer.close()
})

test('a file of version 1 may end behind its header', async () => {
  const file = await inFolder()
  await writeFile(file, '{"backlot":"state","version":1}\n')
  expect(await readStateFiles(file)).toMatchObject({ version: 1, warnings: [] })
})

test('logs beside a file of the version without logs are strays, and so are those of another place', async () => {
  const file = await inFolder()
  await writeFile(file, '{"backlot":"state","version":1}\n["end"]\n')
  await writeFile(`${file}.3.log`, written('a', 3, server('three')))
  expect(await readStateFiles(file)).toMatchObject({ strayLogs: [3], state: { server: undefined } })
  await writeFile(file, written('a', 2))
  await writeFile(`${file}.2.log`, written('b', 2, server('two')))
  await writeFile(`${file}.3.log`, written('a', 4, server('four')))
  expect(await readStateFiles(file)).toMatchObject({ strayLogs: [2, 3], state: { server: undefined } })
})

test('a log that another process has begun under the next number is not continued', async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  const { generation } = await readStateFiles(file)
  await writeFile(`${file}.${generation + 1}.log`, written('b', generation + 1, server('of another')))
  await writer.compact()
  await writer.append([server('one')])
  expect(await secretIn(file)).toBe('one')
  await writer.stop()
})

test('records are on the disk when the append has resolved, also of many at once', async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  for (let nth = 0; nth < 20; nth += 1) {
    await Promise.all([writer.append([server(`a ${nth}`)]), writer.append([server(`b ${nth}`)])])
    expect(await secretIn(file)).toBe(`b ${nth}`)
  }
  await writer.stop()
})

test.each([true, false])(
  'a snapshot waits for the disk, and with stateFsync each batch too: %j',
  async (fsync) => {
    const path = await inFolder()
    const lock = await acquireLock(path)
    onTestFinished(() => lock.release())
    const files = await readStateFiles(path)
    const writer = await createStateWriter({ path, lock, files, fsync, now: Date.now, onWarning: () => {} })
    const waited = vi.spyOn(await handlePrototype(), 'datasync')
    onTestFinished(() => waited.mockRestore())
    await writer.compact()
    expect(waited).toHaveBeenCalledTimes(1)
    await writer.append([server('one')])
    expect(waited).toHaveBeenCalledTimes(fsync ? 2 : 1)
    await writer.stop()
  },
)

test('files that a killed process has left are removed, and not read', async () => {
  const file = await inFolder()
  const first = await start(file)
  await first.createB()
  await first.stop()
  await writeFile(`${file}.some-token.begun`, '{"backlot":"state"')
  const second = await start(file)
  expect(await second.tasks.list()).toHaveLength(1)
  expect(await readdir(dirname(file))).not.toContain('state.jsonl.some-token.begun')
})

test('a log of many times what holds is folded into a snapshot while the emulator runs', async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  const text = 'a lighthouse '.repeat(10_000)
  let most = 0
  while (writer.facts().bytes >= most) {
    most = writer.facts().bytes
    await Promise.all(Array.from({ length: 10 }, (_, nth) => writer.append([server(`${text}${nth}`)])))
  }
  expect(most).toBeGreaterThan(4 * 2 ** 20)
  await writer.stop()
  expect(await secretIn(file)).toBe(`${text}9`)
})

test('the trouble is not over with a snapshot during which the disk refuses another batch', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = await inFolder()
  const { writer } = await open(file, fakedTimer)
  let disk = await refusingDisk()
  await writer.append([server('one')])
  disk.mockRestore()
  const snapshot = await heldSnapshot()
  await vi.advanceTimersByTimeAsync(500)
  await snapshot.begun
  disk = await refusingDisk()
  await writer.append([server('two')])
  const tried = writer.compact()
  snapshot.release()
  await tried.catch(() => {})
  await new Promise(setImmediate)
  expect(writer.facts().trouble).toBe('no space is left on the device')
  disk.mockRestore()
  await vi.advanceTimersByTimeAsync(500)
  while (writer.facts().trouble !== null) await new Promise(setImmediate)
  expect(await secretIn(file)).toBe('two')
  await writer.stop()
})

test('a log that is large, but not beside its snapshot, is not folded', async () => {
  const { writer } = await open(await inFolder())
  await writer.append([server('a'.repeat(6 * 2 ** 20))])
  await writer.compact()
  await writer.append([server('b'.repeat(5 * 2 ** 20))])
  await writer.append([server('c')])
  expect(writer.facts().bytes).toBeGreaterThan(11 * 2 ** 20)
  await writer.stop()
})

test('a batch that the disk refuses while a large log is folded is written when the disk takes it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = await inFolder()
  const { writer } = await open(file, fakedTimer)
  const snapshot = await heldSnapshot()
  await writer.append([server('a'.repeat(6 * 2 ** 20))])
  await snapshot.begun
  const disk = await refusingDisk()
  await writer.append([server('refused')])
  expect(writer.facts().trouble).toBe('no space is left on the device')
  disk.mockRestore()
  // It is tried again while the snapshot is still being written.
  await vi.advanceTimersByTimeAsync(500)
  snapshot.release()
  while (writer.facts().trouble !== null) await new Promise(setImmediate)
  expect(await secretIn(file)).toBe('refused')
  await writer.stop()
})

test.each([false, true])(
  'a snapshot that fails removes its log, once the file was taken over not that of another process: %j',
  async (isTaken) => {
    const file = await inFolder()
    const { writer } = await open(file, () => () => {})
    const disk = await refusingDisk()
    await writer.append([server('refused')])
    disk.mockRestore()
    const log = `${file}.${(await readStateFiles(file)).generation + 1}.log`
    const prototype = await handlePrototype()
    const { writeFile: write } = prototype
    const snapshot = vi.spyOn(prototype, 'writeFile')
    onTestFinished(() => snapshot.mockRestore())
    snapshot.mockImplementation(async function (this: FileHandle, ...given: Parameters<typeof write>) {
      // The lock names the log before the snapshot is written.
      if (String(given[0]).startsWith('{"token"')) return write.apply(this, given)
      if (isTaken) await Promise.all([writeFile(`${file}.lock`, '{}'), writeFile(log, 'of another')])
      throw noSpace()
    })
    await expect(writer.compact()).rejects.toThrow('no space')
    // Windows keeps a file that is removed for as long as it is open.
    await writer.close()
    expect(await readFile(log, 'utf8').catch(() => undefined)).toBe(isTaken ? 'of another' : undefined)
  },
)

test('a stop whose last batch makes the log large is clean', async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  void writer.append([server('a'.repeat(6 * 2 ** 20))])
  await writer.stop()
  expect((await readStateFiles(file)).isClosed).toBe(true)
  const names = (await readdir(dirname(file))).filter((name) => name.endsWith('.log'))
  expect(names).toEqual([])
})

test('a batch that comes while a stop writes its snapshot stays in the log', async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  await writer.append([server('one')])
  const snapshot = await heldSnapshot()
  const stopped = writer.stop()
  await snapshot.begun
  const appended = writer.append([server('two')])
  snapshot.release()
  await Promise.all([stopped, appended])
  expect(await secretIn(file)).toBe('two')
})

test('prompts of many megabytes are written whole', async () => {
  const file = await inFolder()
  const { writer } = await open(file)
  const long = '灯 '.repeat(3 * 2 ** 20)
  await writer.append([server(long)])
  expect(await secretIn(file)).toBe(long)
  await writer.stop()
})
