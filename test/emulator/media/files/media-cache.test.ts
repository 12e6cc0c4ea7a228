import { execFileSync } from 'node:child_process'
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMediaCache, mediaCacheFolders } from '../../../../src/emulator/media/files/media-cache.js'
import { newFolder } from '../../../folder.js'

const onUnix = test.skipIf(process.platform === 'win32')
const isRoot = process.getuid?.() === 0

const nameOf = (digit: string): string => digit.repeat(64)
const A = nameOf('a')
const bytes = Buffer.from('some bytes\nof a picture')

const open = (folders = [join(newFolder(), 'cache')], maxBytes?: number) => {
  const troubles: string[] = []
  const onTrouble = (sentence: string) => void troubles.push(sentence)
  const cache = createMediaCache({ folders, onTrouble, ...(maxBytes === undefined ? {} : { maxBytes }) })
  return { cache, troubles, folder: folders[0] as string, path: join(folders[0] as string, `1-${A}`) }
}

test('what was written is read, also by another process that shares the folder', async () => {
  const { cache, folder, troubles } = open()
  expect(await cache.read(A)).toBeUndefined()
  await cache.write(A, bytes)
  expect(await cache.read(A)).toEqual(bytes)
  expect(await open([folder]).cache.read(A)).toEqual(bytes)
  expect(await cache.read(nameOf('b'))).toBeUndefined()
  expect(troubles).toEqual([])
})

const flip = async (path: string) => {
  const file = await readFile(path)
  file[file.length - 3] = (file.at(-3) as number) ^ 1
  await writeFile(path, file)
}

test.each<[string, (path: string) => Promise<unknown>]>([
  ['cut short', (path) => truncate(path, 90)],
  ['empty', (path) => truncate(path, 0)],
  ['longer', async (path) => writeFile(path, Buffer.concat([await readFile(path), Buffer.from('x')]))],
  ['changed by a bit', flip],
  ['something else', (path) => writeFile(path, 'x'.repeat(300))],
  ['a folder', async (path) => rm(path).then(() => mkdir(path))],
])('an entry that is %s is removed, and counts as missing', async (_, damage) => {
  const { cache, folder, path } = open()
  await cache.write(A, bytes)
  await damage(path)
  expect(await cache.read(A)).toBeUndefined()
  expect(await readdir(folder)).toEqual([])
  await cache.write(A, bytes)
  expect(await cache.read(A)).toEqual(bytes)
})

test('an entry under the name of another one is not believed', async () => {
  const { cache, folder, path } = open()
  await cache.write(A, bytes)
  await rename(path, join(folder, `1-${nameOf('b')}`))
  expect(await cache.read(nameOf('b'))).toBeUndefined()
})

onUnix('an entry that is a pipe, which nothing would end, is removed', async () => {
  const { cache, folder, path } = open()
  await cache.write(nameOf('b'), bytes)
  execFileSync('mkfifo', [path])
  expect(await cache.read(A)).toBeUndefined()
  expect(await readdir(folder)).toEqual([`1-${nameOf('b')}`])
})

test('entries that were not used for longest are evicted, other files stay', async () => {
  const { cache, folder } = open(undefined, 4_000)
  const large = Buffer.alloc(1_000)
  for (const [at, digit] of ['1', '2', '3'].entries()) {
    await cache.write(nameOf(digit), large)
    await utimes(join(folder, `1-${nameOf(digit)}`), 1_000 + at, 1_000 + at)
  }
  await writeFile(join(folder, 'of-a-later-version'), large)
  expect(await cache.read(nameOf('1'))).toBeDefined()
  await cache.write(nameOf('4'), large)
  expect((await readdir(folder)).sort()).toEqual([
    ...['1', '3', '4'].map((digit) => `1-${nameOf(digit)}`),
    'of-a-later-version',
  ])
})

test('what a process that was killed has left is removed', async () => {
  const { cache, folder } = open()
  await cache.write(A, bytes)
  const host = (await import('node:os')).hostname().replace(/[^\w.]/g, '_')
  await writeFile(join(folder, `.of-${host}-999999999-0123456789abcdef`), 'half')
  expect(await open([folder]).cache.read(A)).toEqual(bytes)
  expect(await readdir(folder)).toEqual([`1-${A}`])
})

test('a folder that is removed while it is used is named once, and the next one takes its place', async () => {
  const folders = [join(newFolder(), 'cache'), join(newFolder(), 'temporary')]
  const { cache, troubles } = open(folders)
  await cache.write(A, bytes)
  await rm(folders[0] as string, { recursive: true })
  expect(await cache.read(A)).toBeUndefined()
  await Promise.all(['a', 'b', 'c'].map((digit) => cache.write(nameOf(digit), bytes)))
  expect(await cache.read(A)).toEqual(bytes)
  expect(cache.folder()).toBe(folders[1])
  expect(troubles).toEqual([
    `Rendered media cannot be kept in ${folders[0]}: it was removed. They are kept in ${folders[1]} from now on.`,
  ])
})

test('a folder that cannot be made is named, and so is the last one', async () => {
  const file = join(newFolder(), 'file')
  await writeFile(file, '')
  const { cache, troubles } = open([file, join(file, 'below')])
  await cache.write(A, bytes)
  expect(await cache.read(A)).toBeUndefined()
  expect(troubles).toEqual([
    `Rendered media cannot be kept in ${file}: a part of its path is no folder. They are kept in ${join(file, 'below')} from now on.`,
    `Rendered media cannot be kept in ${join(file, 'below')}: a part of its path is no folder. They are not kept.`,
  ])
})

onUnix('a folder in which nothing can be written is named', async () => {
  const folder = isRoot ? '/proc/self/cache' : newFolder()
  if (!isRoot) await chmod(folder, 0o500)
  const next = join(newFolder(), 'next')
  const { cache, troubles } = open([folder, next])
  await cache.write(A, bytes)
  expect(await cache.read(A)).toEqual(bytes)
  expect(troubles).toEqual([expect.stringContaining(`cannot be kept in ${folder}: `)])
})

onUnix('a disk that is full is named', async () => {
  // Every write to this device fails so.
  const folder = newFolder()
  const next = join(newFolder(), 'next')
  const { cache, troubles } = open([folder, next])
  const temporaries = await import('../../../../src/emulator/media/files/temporary-folders.js')
  vi.spyOn(temporaries, 'temporaryName').mockReturnValueOnce('full')
  await symlink('/dev/full', join(folder, 'full'))
  await cache.write(A, bytes)
  expect(await cache.read(A)).toEqual(bytes)
  expect(troubles).toEqual([
    `Rendered media cannot be kept in ${folder}: no space is left on the device. They are kept in ${next} from now on.`,
  ])
})

test.skipIf(!isRoot || process.platform === 'win32')('a folder of another user is named', async () => {
  const folder = newFolder()
  execFileSync('chown', ['12345', folder])
  const { cache, troubles } = open([folder, join(newFolder(), 'next')])
  await cache.write(A, bytes)
  expect(await cache.read(A)).toEqual(bytes)
  expect(await readdir(folder)).toEqual([])
  expect(troubles).toEqual([expect.stringContaining('it belongs to another user')])
})

const workIn = (folder: string): void => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => void vi.restoreAllMocks())
}

test('the folder is that of the setting, of mediaFolder, of the project, or of the user', async () => {
  const temporary = expect.stringMatching(/backlot-.*cache$/)
  expect(await mediaCacheFolders({ mediaCache: 'none', mediaFolder: '/media' })).toEqual([])
  expect(await mediaCacheFolders({ mediaCache: 'there' })).toEqual([resolve('there'), temporary])
  expect(await mediaCacheFolders({ mediaFolder: '/media' })).toEqual([resolve('/media/cache'), temporary])
  const project = newFolder()
  await mkdir(join(project, 'node_modules'))
  await mkdir(join(project, 'src', 'deep'), { recursive: true })
  workIn(join(project, 'src', 'deep'))
  const own = join(project, 'node_modules', '.cache', 'backlot')
  expect(await mediaCacheFolders({})).toEqual([own, temporary])
  workIn(newFolder(tmpdir()))
  const [first = ''] = await mediaCacheFolders({})
  expect(first.startsWith(homedir()) || first.includes('node_modules')).toBe(true)
})
