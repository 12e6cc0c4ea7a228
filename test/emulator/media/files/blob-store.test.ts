import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EmulatorError } from '../../../../src/emulator/core/errors.js'
import {
  createSharedBlobs,
  FolderBlobStore,
  hashOfBytes,
} from '../../../../src/emulator/media/files/blob-store.js'
import { newFolder } from '../../../folder.js'
import { handlePrototype } from '../../accounts/persistence/disk.js'

const newStore = async (change: Partial<ConstructorParameters<typeof FolderBlobStore>[0]> = {}) => {
  const folder = change.folder ?? join(newFolder(), 'not', 'yet')
  return { folder, store: new FolderBlobStore({ folder, maxBytes: 1000, ...change }) }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** So many bytes of one value. */
const blob = (value: number, bytes = 100): Buffer => Buffer.alloc(bytes, value)

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

test('bytes are found again by their SHA-256', async () => {
  const { store } = await newStore()
  const hash = await store.put(blob(1))
  expect(hash).toBe(hashOf(blob(1)))
  expect(await store.read(hash)).toEqual(blob(1))
  expect(await store.has(hash)).toBe(true)
  expect(await readFile(store.path(hash))).toEqual(blob(1))
})

test('large bytes are hashed though a test has replaced the global crypto', async () => {
  vi.stubGlobal('crypto', { randomUUID: () => 'an id of a test' })
  onTestFinished(() => void vi.unstubAllGlobals())
  const bytes = Buffer.alloc(100_000, 'a')
  expect(await hashOfBytes(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
})

test('a part of a larger buffer is stored as that part', async () => {
  const { store } = await newStore()
  const hash = await store.put(Buffer.from('abcdef').subarray(2, 4))
  expect(hash).toBe(hashOf(Buffer.from('cd')))
  expect(await store.read(hash)).toEqual(Buffer.from('cd'))
})

test('an empty blob is a blob', async () => {
  const { store } = await newStore()
  expect(await store.read(await store.put(new Uint8Array(0)))).toEqual(Buffer.alloc(0))
})

test('an unknown hash has no file', async () => {
  const { store, folder } = await newStore()
  expect(await store.read(hashOf(blob(1)))).toBeUndefined()
  expect(await store.has('../../etc/passwd')).toBe(false)
  expect(await store.pin(hashOf(blob(1)))).toBe(false)
  expect(existsSync(folder), 'looking makes no folder').toBe(false)
})

test('the same bytes put many times at once are one file', async () => {
  const { store, folder } = await newStore()
  const hashes = await Promise.all(Array.from({ length: 20 }, () => store.put(blob(1))))
  expect(new Set(hashes).size).toBe(1)
  expect(await filesIn(folder)).toEqual([hashes[0]])
  expect(store.stats()).toEqual({ files: 1, bytes: 100, pinnedBytes: 0, maxBytes: 1000 })
})

test('the least recently used blob goes when there is no more room', async () => {
  const { store } = await newStore({ maxBytes: 300 })
  const [first, second, third] = [
    await store.put(blob(1)),
    await store.put(blob(2)),
    await store.put(blob(3)),
  ]
  await store.read(first)
  await store.put(blob(4))
  expect(await store.read(second)).toBeUndefined()
  expect(existsSync(store.path(second))).toBe(false)
  expect(await store.read(first)).toEqual(blob(1))
  expect(await store.read(third)).toEqual(blob(3))
})

test('very many puts at once stay within the limit', async () => {
  const { store, folder } = await newStore({ maxBytes: 1000 })
  await Promise.all(Array.from({ length: 60 }, (_, index) => store.put(blob(index % 25))))
  expect(store.stats()).toMatchObject({ files: 10, bytes: 1000 })
  expect(await filesIn(folder)).toHaveLength(10)
})

test('a pinned blob stays, and where only pinned ones are left, nothing more is taken', async () => {
  const { store } = await newStore({ maxBytes: 200 })
  const hashes = [await store.put(blob(1)), await store.put(blob(2))]
  for (const hash of hashes) expect(await store.pin(hash)).toBe(true)
  const refusal = store.put(blob(3, 1))
  await expect(refusal).rejects.toBeInstanceOf(EmulatorError)
  await expect(refusal).rejects.toMatchObject({
    code: 'inputs-full',
    hint: expect.stringContaining('inputBytes'),
  })
  expect(await store.read(hashes[0] ?? '')).toEqual(blob(1))

  await store.unpin(hashes[0] ?? '')
  await store.put(blob(3, 1))
  expect(await store.has(hashes[0] ?? '')).toBe(false)
  expect(await store.has(hashes[1] ?? '')).toBe(true)
})

test('pinned blobs that are put again take no more room', async () => {
  const { store } = await newStore({ maxBytes: 100 })
  await store.pin(await store.put(blob(1)))
  expect(await store.put(blob(1))).toBe(hashOf(blob(1)))
})

test('a pinned blob whose file another program removed takes no more room when it is put again', async () => {
  const { store } = await newStore({ maxBytes: 200 })
  const [pinned, other] = [await store.put(blob(1)), await store.put(blob(2))]
  await store.pin(pinned)
  await rm(store.path(pinned))
  expect(await store.has(pinned)).toBe(false)
  await store.put(blob(1))
  expect(await store.read(other)).toEqual(blob(2))
  await store.pin(other)
  await rm(store.path(pinned))
  await store.put(blob(1))
  expect(await store.read(pinned)).toEqual(blob(1))
  expect(store.stats()).toMatchObject({ files: 2, bytes: 200, pinnedBytes: 200 })
})

test('a blob larger than the store is refused, up to the last byte it is not', async () => {
  const { store } = await newStore({ maxBytes: 100 })
  await expect(store.put(blob(1, 101))).rejects.toMatchObject({ code: 'input-too-large' })
  await expect(store.put(blob(1, 100))).resolves.toBe(hashOf(blob(1)))
})

test('a file is moved in and pinned', async () => {
  const { store } = await newStore()
  const upload = join(newFolder(), 'upload')
  await writeFile(upload, blob(1))
  await store.putFile(upload, { hash: hashOf(blob(1)), bytes: 100 })
  expect(existsSync(upload)).toBe(false)
  expect(await store.read(hashOf(blob(1)))).toEqual(blob(1))
  expect(store.stats()).toMatchObject({ bytes: 100, pinnedBytes: 100 })
})

test('a file with bytes that are there already is removed all the same', async () => {
  const { store } = await newStore()
  await store.put(blob(1))
  const upload = join(newFolder(), 'upload')
  await writeFile(upload, blob(1))
  await store.putFile(upload, { hash: hashOf(blob(1)), bytes: 100 })
  expect(existsSync(upload)).toBe(false)
  expect(store.stats()).toMatchObject({ files: 1, bytes: 100, pinnedBytes: 100 })
})

test('a file that does not fit stays where it is', async () => {
  const { store } = await newStore({ maxBytes: 99 })
  const upload = join(newFolder(), 'upload')
  await writeFile(upload, blob(1))
  const moving = store.putFile(upload, { hash: hashOf(blob(1)), bytes: 100 })
  await expect(moving).rejects.toMatchObject({ code: 'input-too-large' })
  expect(existsSync(upload)).toBe(true)
})

test('a blob whose file another program removed is missing, and can be put again', async () => {
  const { store } = await newStore()
  const hash = await store.put(blob(1))
  await rm(store.path(hash))
  expect(await store.read(hash)).toBeUndefined()
  await store.put(blob(1))
  expect(await store.read(hash)).toEqual(blob(1))
})

test('two stores in one folder do not touch the blobs of each other', async () => {
  const { store: one, folder } = await newStore({ maxBytes: 100 })
  const { store: other } = await newStore({ folder })
  const hash = await one.put(blob(1))
  await other.put(blob(1))
  await one.put(blob(2))
  expect(await other.read(hash)).toEqual(blob(1))
  await one.stop()
  expect(await other.read(hash)).toEqual(blob(1))
})

test('a store that is stopped while it looks for what others left stores nothing', async () => {
  const { store, folder } = await newStore()
  const late = store.put(blob(1), hashOf(blob(1)))
  const refused = expect(late).rejects.toMatchObject({ code: 'stopped' })
  await store.stop()
  await refused
  expect(existsSync(folder)).toBe(false)
})

test('a store of kept blobs that is stopped takes not even one that it has', async () => {
  const { store } = await newStore({ isKept: true })
  await store.put(blob(1))
  await store.stop()
  await expect(store.put(blob(1))).rejects.toMatchObject({ code: 'stopped' })
  expect(existsSync(store.path(hashOf(blob(1))))).toBe(true)
})

test('a store keeps its blobs where another one begins after the clock of the machine was set', async () => {
  const { store: one, folder } = await newStore()
  const hash = await one.put(blob(1))
  // Long before this process began, by the clock of now.
  await utimes(dirname(one.path(hash)), 1, 1)
  const { store: other } = await newStore({ folder })
  await other.put(blob(2))
  expect(await one.read(hash)).toEqual(blob(1))
})

test('a store that is stopped takes its files with it and takes nothing more', async () => {
  const { store, folder } = await newStore()
  const hash = await store.put(blob(1))
  const late = store.put(blob(2)).catch(() => {})
  await store.stop()
  await late
  expect(await filesIn(folder)).toEqual([])
  expect(await store.read(hash)).toBeUndefined()
  await expect(store.put(blob(3))).rejects.toMatchObject({ code: 'stopped' })
})

test('kept blobs are there for the next store, the oldest leaving first', async () => {
  const folder = newFolder()
  const { store: before } = await newStore({ folder, isKept: true })
  const [old, recent] = [await before.put(blob(1)), await before.put(blob(2))]
  await before.stop()
  await writeFile(join(folder, `.of-${hostname().replace(/[^\w.]/g, '_')}-999999999-1`), 'half')
  await writeFile(join(folder, 'notes.txt'), 'somebody else left this here')

  const { store: after } = await newStore({ folder, isKept: true, maxBytes: 200 })
  expect(await after.read(recent)).toEqual(blob(2))
  expect(await after.pin(recent)).toBe(true)
  await after.put(blob(3))
  expect(await after.has(old)).toBe(false)
  expect((await filesIn(folder)).sort()).toEqual([recent, hashOf(blob(3)), 'notes.txt'].sort())
})

test('a kept blob that a machine without power has cut short is stored whole when it is put again', async () => {
  const folder = newFolder()
  await writeFile(join(folder, hashOf(blob(1))), '')
  const { store } = await newStore({ folder, isKept: true })
  const hash = await store.put(blob(1))
  expect(await store.read(hash)).toEqual(blob(1))
  expect(store.stats()).toEqual({ files: 1, bytes: 100, pinnedBytes: 0, maxBytes: 1000 })
})

test.each([true, false])('a blob waits for the disk where that is asked for: %j', async (fsync) => {
  const { store } = await newStore({ fsync })
  const waited = vi.spyOn(await handlePrototype(), 'datasync')
  onTestFinished(() => waited.mockRestore())
  await store.put(blob(1))
  const upload = join(newFolder(), 'upload')
  await writeFile(upload, blob(2))
  await store.putFile(upload, { hash: hashOf(blob(2)), bytes: 100 })
  expect(waited).toHaveBeenCalledTimes(fsync ? 2 : 0)
  expect(await store.read(hashOf(blob(2)))).toEqual(blob(2))
})

test('a folder that cannot be made is named', async () => {
  const inTheWay = join(newFolder(), 'file')
  await writeFile(inTheWay, '')
  const { store } = await newStore({ folder: inTheWay })
  await expect(store.put(blob(1))).rejects.toMatchObject({
    code: 'inputs-folder',
    message: expect.stringContaining(` ${inTheWay}, `),
  })
})

test('a folder that cannot be made is a health issue until it can; a full store is none', async () => {
  const inTheWay = join(newFolder(), 'file')
  await writeFile(inTheWay, '')
  const health = { report: vi.fn(), resolve: vi.fn() }
  const { store } = await newStore({ folder: inTheWay, health })
  await expect(store.put(blob(1))).rejects.toMatchObject({ code: 'inputs-folder' })
  expect(health.report.mock.calls).toEqual([['inputs', expect.objectContaining({ code: 'inputs-folder' })]])
  await rm(inTheWay)
  await store.put(blob(1))
  expect(health.resolve).toHaveBeenCalledWith('inputs')
  await expect(store.put(blob(1, 1001))).rejects.toMatchObject({ code: 'input-too-large' })
  expect(health.report).toHaveBeenCalledTimes(1)
})

test('a folder that can be made later is made later', async () => {
  const inTheWay = join(newFolder(), 'file')
  await writeFile(inTheWay, '')
  const { store } = await newStore({ folder: inTheWay })
  await expect(store.put(blob(1))).rejects.toBeInstanceOf(EmulatorError)
  await rm(inTheWay)
  await mkdir(inTheWay)
  expect(await store.put(blob(1))).toBe(hashOf(blob(1)))
})

test('a file that cannot be shared is not pinned, and stays where it is', async () => {
  const { store } = await newStore()
  const shared = createSharedBlobs(store, {
    putInput: () => Promise.reject(new Error('the store is gone')),
    getInput: () => Promise.resolve(undefined),
  })
  const path = join(newFolder(), 'upload')
  await writeFile(path, blob(1))
  await expect(shared.putFile(path, { hash: hashOf(blob(1)), bytes: 100 })).rejects.toThrow('gone')
  expect(store.stats().pinnedBytes).toBe(0)
  expect(existsSync(path)).toBe(true)
})

test('bytes of another hash, as a damaged store gives them, are not the input', async () => {
  const { store } = await newStore()
  const getInput = () => Promise.resolve(blob(2))
  const shared = createSharedBlobs(store, { putInput: () => Promise.resolve(), getInput })
  expect(await shared.has(hashOf(blob(1)))).toBe(false)
  expect(await shared.has(hashOf(blob(2)))).toBe(true)
})
