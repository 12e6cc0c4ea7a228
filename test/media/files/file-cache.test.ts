import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFiles, type Files } from '../../../src/media/files/file-cache.js'
import { newFolder } from '../render/specs.js'

const nameOf = (digit: string): string => `${digit.repeat(64)}.png`
const ten = Buffer.from('ten bytes!')

const filesIn = async (folder: string, maxBytes = 25): Promise<Files> => {
  const files = createFiles(folder, maxBytes)
  await files.ready()
  return files
}

const putAll = async (files: Files, digits: string) => {
  for (const digit of digits) (await files.put(nameOf(digit), ten)).release()
}

const kept = async (files: Files, digits: string): Promise<string> => {
  const found = await Promise.all([...digits].map((digit) => files.take(nameOf(digit))))
  for (const file of found) file?.release()
  return [...digits].filter((_, index) => found[index]).join('')
}

test('what was put is found, whole, in a folder that was not there', async () => {
  const files = await filesIn(join(await newFolder(), 'not', 'yet'))
  const file = await files.put(nameOf('a'), ten)
  expect(await readFile(file.path)).toEqual(ten)
  expect(file.bytes).toBe(10)
  expect(files.bytes()).toBe(10)
  expect(files.take(nameOf('b'))).toBeUndefined()
})

test('the least recently used is thrown out first', async () => {
  const files = await filesIn(await newFolder())
  await putAll(files, 'ab')
  ;(await files.take(nameOf('a')))?.release()
  await putAll(files, 'c')
  expect(await kept(files, 'abc')).toBe('ac')
  expect(files.bytes()).toBe(20)
})

test('a held file stays until it is released, by all who hold it', async () => {
  const files = await filesIn(await newFolder())
  const held = await files.put(nameOf('a'), ten)
  const again = held.again()
  await putAll(files, 'bc')
  expect(await kept(files, 'abc')).toBe('ac')
  held.release()
  held.release()
  await putAll(files, 'de')
  expect(await readFile(held.path)).toEqual(ten)
  again.release()
  await putAll(files, 'fg')
  expect(await kept(files, 'a')).toBe('')
})

test('a file larger than all the room is there while it is held', async () => {
  const files = await filesIn(await newFolder(), 5)
  const held = await files.put(nameOf('a'), ten)
  expect(await readFile(held.path)).toEqual(ten)
  held.release()
  expect(files.bytes()).toBe(0)
})

test('a file that somebody has deleted is not found', async () => {
  const folder = await newFolder()
  const files = await filesIn(folder)
  await putAll(files, 'a')
  await rm(folder, { recursive: true })
  expect(await files.take(nameOf('a'))).toBeUndefined()
  expect(files.bytes()).toBe(0)
  await putAll(files, 'a')
  expect(await kept(files, 'a')).toBe('a')
})

test('what an earlier process has left is used again, the oldest thrown out first', async () => {
  const folder = await newFolder()
  for (const [digit, seconds] of [
    ['a', 300],
    ['b', 100],
    ['c', 200],
  ] as const) {
    await writeFile(join(folder, nameOf(digit)), ten)
    await utimes(join(folder, nameOf(digit)), seconds, seconds)
  }
  expect(await kept(await filesIn(folder), 'abc')).toBe('ac')
})

const machine = hostname().replace(/[^\w.]/g, '_')

test('files of others are left alone, unfinished ones of a dead process are not', async () => {
  const folder = await newFolder()
  const dead = `.of-${machine}-999999999-1`
  const living = `.of-${machine}-${process.pid}-0`
  await mkdir(join(folder, dead))
  await mkdir(join(folder, living))
  await writeFile(join(folder, 'notes.txt'), 'mine')
  const files = await filesIn(folder, 0)
  expect((await readdir(folder)).sort()).toEqual([living, 'notes.txt'])
  expect(files.bytes()).toBe(0)
})
