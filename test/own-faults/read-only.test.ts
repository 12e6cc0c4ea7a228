import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { openEmulator } from '../../src/composition.js'
import { diagnose } from '../../src/emulator/observability/diagnostics.js'
import { readSettings } from '../../src/emulator/settings.js'
import { endedHere } from '../cli/backlot.js'
import { newFolder } from '../folder.js'
import { imageOrder, localPart, paths, pictureUrl, startForRawCalls } from '../security/raw-calls.js'

const MISSING = 'missing-on-a-read-only-disk'
const FORBIDDEN = 'forbidden-by-node'

// What Node says where the file system is read-only: the recursive call has another error than the plain one.
beforeEach(() => {
  const { mkdir } = fs
  vi.spyOn(fs, 'mkdir').mockImplementation(async (path, options) => {
    // As with `node --permission`: the error has no system call and no path.
    if (String(path).includes(FORBIDDEN))
      throw Object.assign(new Error('Access to this API has been restricted'), { code: 'ERR_ACCESS_DENIED' })
    if (!String(path).includes(MISSING)) return mkdir(path, options as { recursive: true })
    const code = typeof options === 'object' && options?.recursive ? 'ENOENT' : 'EROFS'
    throw Object.assign(new Error(code), { code, syscall: 'mkdir', path })
  })
  syncBuiltinESMExports()
  return () => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
})

const READ_ONLY = 'the file system is read-only'

/** A folder on it, below another one that is not there either. */
const unmade = async (): Promise<string> => join(newFolder(), MISSING, 'folder')

test('a picture and an input name the read-only file system, where their folder is not there yet', async () => {
  const started = await startForRawCalls({ mediaFolder: await unmade() })
  const picture = await started.ask(localPart(await pictureUrl(started)))
  expect([picture.status, picture.body.error.code]).toEqual([500, 'folder-unusable'])
  expect(picture.body.error.message).toContain(READ_ONLY)
  const bytes = Buffer.from((await started.emulator.fixtures.read('square.png')) as Uint8Array)
  const image = `data:image/png;base64,${bytes.toString('base64')}`
  const edit = await started.post(paths.image, imageOrder('edit', [{ image }]))
  expect([edit.status, edit.body.message]).toEqual([500, expect.stringContaining(READ_ONLY)])
})

test.each(['logFile', 'state'] as const)('%s names it too', async (name) => {
  const settings = readSettings({ [name]: join(await unmade(), 'file') })
  await expect(openEmulator(settings)).rejects.toThrow(READ_ONLY)
})

test('the first test of a project names it', async () => {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(await unmade())
  const { code, err } = await endedHere(['init', 'node-test']).finally(() => cwd.mockRestore())
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(READ_ONLY) })
})

test('the diagnostics name it', async () => {
  const details: string[] = []
  for await (const { what, detail } of diagnose(readSettings({ mediaFolder: await unmade() })))
    if (what === 'picture' || what === 'video') details.push(detail)
  expect(details).toEqual([expect.stringContaining(READ_ONLY), expect.stringContaining(READ_ONLY)])
})

test('what the permissions of Node do not allow is named: by a state file, a log and the diagnostics', async () => {
  const NOT_ALLOWED = 'the permissions of Node do not allow it'
  const folder = join(newFolder(), FORBIDDEN)
  for (const name of ['logFile', 'state'])
    await expect(openEmulator(readSettings({ [name]: join(folder, 'file') }))).rejects.toThrow(NOT_ALLOWED)
  const pictures: string[] = []
  for await (const { what, detail } of diagnose(readSettings({ mediaFolder: folder })))
    if (what === 'picture') pictures.push(detail)
  expect(pictures).toEqual([expect.stringContaining(NOT_ALLOWED)])
})
