import { chown, lstat, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { defaultMediaFolder, makeFolder } from '../../../../src/emulator/media/files/temporary-folders.js'
import { newFolder } from '../../../folder.js'

const user = process.getuid?.()

const shared = async (): Promise<string> => {
  const folder = newFolder()
  vi.stubEnv(process.platform === 'win32' ? 'TEMP' : 'TMPDIR', folder)
  return join(folder, `backlot-${user ?? 'media'}`)
}

test('the default folder for media is one for each user, before it is there and after', async () => {
  const path = await shared()
  expect(defaultMediaFolder()).toBe(path)
  expect(defaultMediaFolder()).toBe(path)
})

test('the default folder for media is made at once, so that no other user can make it, and only this user may read it', async () => {
  const path = await shared()
  defaultMediaFolder()
  const { mode } = await lstat(path)
  if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700)
})

test('where the folder for temporary files is missing, the default folder for media is in it, and not made', async () => {
  const path = await shared()
  const missing = join(dirname(path), 'missing')
  vi.stubEnv(process.platform === 'win32' ? 'TEMP' : 'TMPDIR', missing)
  expect(defaultMediaFolder()).toBe(join(missing, basename(path)))
  await expect(lstat(missing)).rejects.toMatchObject({ code: 'ENOENT' })
})

const traps: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ['a link', (path) => symlink('/', path, 'junction')],
  ['a file', (path) => writeFile(path, '')],
  ['the folder of another user', (path) => mkdir(path).then(() => chown(path, 12_345, 12_345))],
]

// Nobody but root can give a folder away.
test.each(user === 0 ? traps : traps.slice(0, 2))(
  'where %s has its name, it has another, the same for the whole process',
  async (_, lay) => {
    const path = await shared()
    await lay(path)
    const other = defaultMediaFolder()
    expect(other.slice(0, path.length)).toBe(path)
    expect(other.slice(path.length)).toMatch(/^-[0-9a-f]{16}$/)
    expect(defaultMediaFolder()).toBe(other)
  },
)

test.runIf(process.platform === 'linux')(
  'a folder that no system lets be made is refused, and not waited for',
  async () => expect(makeFolder('/proc/backlot/results')).rejects.toMatchObject({ code: 'ENOENT' }),
)

test('folders are made down to the one that is asked for, which may be there', async () => {
  const folder = join(await shared(), 'a', 'b')
  await makeFolder(folder)
  await makeFolder(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
  await writeFile(join(folder, 'file'), '')
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(folder, 'file', 'c'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})
