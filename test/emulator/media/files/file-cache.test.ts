import { existsSync } from 'node:fs'
import fs, { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FileCache, type HeldFile, moveFile } from '../../../../src/emulator/media/files/file-cache.js'
import { newFolder } from '../../../folder.js'
import { zombiePid } from '../../../zombie.js'

const nameOf = (letter: string): string => `${letter.repeat(64)}.png`
const ten = Buffer.from('ten bytes!')

const cacheIn = (folder: string, maxBytes = 25, onEvict = () => {}): FileCache =>
  new FileCache({ folder, maxBytes, namePattern: /^[a-z]{64}\.png$/, onEvict })

const add = (cache: FileCache, letter: string): Promise<HeldFile> =>
  cache.add(nameOf(letter), ten.length, (path) => writeFile(path, ten))

const addAll = async (cache: FileCache, letters: string) => {
  for (const letter of letters) (await add(cache, letter)).release()
}

/** Which of these files are there. They become the most recently used. */
const there = async (cache: FileCache, letters: string): Promise<string> => {
  const found = await Promise.all([...letters].map((letter) => cache.has(nameOf(letter))))
  return [...letters].filter((_, index) => found[index]).join('')
}

test('a file that was added is found, whole, in a folder that was not there', async () => {
  const folder = join(newFolder(), 'not', 'yet')
  const cache = cacheIn(folder)
  expect(await cache.hold(nameOf('a'))).toBeUndefined()
  expect(existsSync(folder), 'looking makes no folder').toBe(false)
  const file = await add(cache, 'a')
  expect(await readFile(file.path)).toEqual(ten)
  expect(file.bytes).toBe(10)
  expect(cache.stats()).toEqual({ files: 1, bytes: 10, pinnedBytes: 10, maxBytes: 25 })
})

test('the least recently used file is evicted first', async () => {
  const onEvict = vi.fn()
  const cache = cacheIn(newFolder(), 25, onEvict)
  await addAll(cache, 'ab')
  ;(await cache.hold(nameOf('a')))?.release()
  expect(onEvict).not.toHaveBeenCalled()
  await addAll(cache, 'c')
  expect(await there(cache, 'abc')).toBe('ac')
  expect(existsSync(cache.path(nameOf('b')))).toBe(false)
  expect(cache.stats().bytes).toBe(20)
  expect(onEvict).toHaveBeenCalledTimes(1)
})

test('an eviction is counted only where a file is evicted', async () => {
  const onEvict = vi.fn()
  const cache = cacheIn(newFolder(), 15, onEvict)
  const held = [await add(cache, 'a'), await add(cache, 'b')]
  expect(onEvict).not.toHaveBeenCalled()
  for (const { release } of held) release()
  await addAll(cache, 'c')
  expect(await there(cache, 'abc')).toBe('c')
  expect(onEvict).toHaveBeenCalled()
})

test('a held file stays until all who hold it have released it', async () => {
  const cache = cacheIn(newFolder())
  const held = await add(cache, 'a')
  const again = held.retain()
  await addAll(cache, 'bc')
  expect(await there(cache, 'abc')).toBe('ac')
  held.release()
  held.release()
  await addAll(cache, 'de')
  expect(await readFile(held.path)).toEqual(ten)
  again.release()
  await addAll(cache, 'fg')
  expect(await there(cache, 'a')).toBe('')
})

test('a file larger than the cache is there while it is held', async () => {
  const cache = cacheIn(newFolder(), 5)
  const held = await add(cache, 'a')
  expect(await readFile(held.path)).toEqual(ten)
  held.release()
  await expect.poll(() => cache.stats().bytes).toBe(0)
})

test('a file that another program deletes or cuts short is not found, and can be added again', async () => {
  const folder = newFolder()
  const cache = cacheIn(folder)
  await addAll(cache, 'ab')
  await rm(cache.path(nameOf('a')))
  await writeFile(cache.path(nameOf('b')), 'half')
  expect(await there(cache, 'ab')).toBe('')
  expect(cache.stats().bytes).toBe(0)
  await rm(folder, { recursive: true })
  await addAll(cache, 'a')
  expect(await there(cache, 'a')).toBe('a')
})

test('a pinned file that is deleted is still pinned when it is added again', async () => {
  const cache = cacheIn(newFolder())
  await addAll(cache, 'a')
  await cache.pin(nameOf('a'))
  await rm(cache.path(nameOf('a')))
  expect(await cache.read(nameOf('a'))).toBeUndefined()
  await addAll(cache, 'abc')
  expect(await there(cache, 'abc')).toBe('ac')
})

test('a file that cannot be removed now does not keep another one out', async () => {
  const cache = cacheIn(newFolder(), 10)
  await addAll(cache, 'a')
  await rm(cache.path(nameOf('a')))
  await mkdir(cache.path(nameOf('a')))
  await addAll(cache, 'b')
  expect(await there(cache, 'ab')).toBe('b')
})

test('a file whose writing fails leaves nothing behind', async () => {
  const folder = newFolder()
  const cache = cacheIn(folder)
  const failing = cache.add(nameOf('a'), 10, async (path) => {
    await writeFile(path, 'half')
    throw new Error('out of ink')
  })
  await expect(failing).rejects.toThrow('out of ink')
  expect(await readdir(folder)).toEqual([])
  expect(await cache.has(nameOf('a'))).toBe(false)
})

test.each([
  ['EXDEV', 'is copied', false],
  ['EACCES', 'stays where it is', true],
])('a file that cannot be renamed for %s %s', async (code, _, stays) => {
  const folder = newFolder()
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await writeFile(from, ten)
  onTestFinished(syncBuiltinESMExports)
  const renamed = vi.spyOn(fs, 'rename')
  onTestFinished(() => renamed.mockRestore())
  renamed.mockRejectedValueOnce(Object.assign(new Error('it cannot be renamed'), { code }))
  syncBuiltinESMExports()
  const moving = moveFile(from, to)
  if (stays) await expect(moving).rejects.toThrow('it cannot be renamed')
  else await moving
  expect(await readFile(stays ? from : to)).toEqual(ten)
  expect(await readdir(folder)).toHaveLength(1)
})

test('a file that another process has added meanwhile, and that cannot be replaced, is used', async () => {
  const folder = newFolder()
  const [one, other] = [cacheIn(folder), cacheIn(folder)]
  await there(one, 'a')
  await addAll(other, 'a')
  onTestFinished(syncBuiltinESMExports)
  const renamed = vi.spyOn(fs, 'rename')
  onTestFinished(() => renamed.mockRestore())
  // Windows refuses it as long as the file is read.
  renamed.mockRejectedValue(Object.assign(new Error('it cannot be renamed'), { code: 'EPERM' }))
  syncBuiltinESMExports()
  expect(await readFile((await add(one, 'a')).path)).toEqual(ten)
  expect(await readdir(folder)).toEqual([nameOf('a')])
  await expect(add(one, 'b')).rejects.toThrow('it cannot be renamed')
})

test('files of an earlier process are used again, and the oldest are evicted first', async () => {
  const folder = newFolder()
  for (const [letter, seconds] of [
    ['a', 300],
    ['b', 100],
    ['c', 200],
  ] as const) {
    await writeFile(join(folder, nameOf(letter)), ten)
    await utimes(join(folder, nameOf(letter)), seconds, seconds)
  }
  expect(await there(cacheIn(folder), 'abc')).toBe('ac')
})

const machine = hostname().replace(/[^\w.]/g, '_')

test('files of others are left alone, temporary ones of a dead process are removed', async () => {
  const folder = newFolder()
  const dead = `.of-${machine}-999999999-1`
  const living = `.of-${machine}-${process.pid}-0`
  await mkdir(join(folder, dead))
  await mkdir(join(folder, living))
  await writeFile(join(folder, 'notes.txt'), 'mine')
  const cache = cacheIn(folder, 0)
  await cache.has(nameOf('a'))
  expect((await readdir(folder)).sort()).toEqual([living, 'notes.txt'])
})

test.runIf(process.platform === 'linux')(
  'temporary files of a killed process whose parent has not waited for it are removed',
  async () => {
    const folder = newFolder()
    await mkdir(join(folder, `.of-${machine}-${await zombiePid()}-1`))
    await cacheIn(folder, 0).has(nameOf('a'))
    expect(await readdir(folder)).toEqual([])
  },
)

test('all unpinned files can be evicted, and all files be removed', async () => {
  const cache = cacheIn(newFolder())
  await addAll(cache, 'ab')
  await cache.pin(nameOf('a'))
  await cache.evictAll()
  expect(await there(cache, 'ab')).toBe('a')
  await cache.remove()
  expect(cache.stats()).toMatchObject({ files: 0, bytes: 0, pinnedBytes: 0 })
  expect(existsSync(cache.path(nameOf('a')))).toBe(false)
})

test('a file that is held while an eviction begins is there, or is not held', async () => {
  const cache = cacheIn(newFolder())
  await addAll(cache, 'a')
  const evicted = cache.evictAll()
  const file = await cache.hold(nameOf('a'))
  await evicted
  expect(file === undefined || existsSync(file.path)).toBe(true)
})
