import { chmod, copyFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findFfmpeg } from '../../../../src/emulator/media/render/ffmpeg.js'
import { newFolder } from '../../../folder.js'

const onUnix = test.skipIf(process.platform === 'win32')

/** A program that says that it is ffmpeg. */
const impostor = async (version: string): Promise<string> => {
  const path = join(newFolder(), 'ffmpeg')
  await writeFile(path, `#!/bin/sh\necho "ffmpeg version ${version} Copyright"\n`)
  await chmod(path, 0o755)
  return path
}

onUnix('the one of the setting is taken', async () => {
  const path = await impostor('9.9')
  expect(await findFfmpeg(path)).toMatchObject({ path, version: '9.9', source: 'setting' })
})

test('an ffmpeg of the setting that does not run is an error that names it', async () => {
  await expect(findFfmpeg('/nowhere/ffmpeg')).rejects.toMatchObject({
    name: 'EmulatorError',
    code: 'ffmpeg-unusable',
    message: expect.stringContaining('/nowhere/ffmpeg'),
  })
})

test('without a setting it is the one installed with the package, or the first of the PATH', async () => {
  const path = await impostor('1.2.3')
  vi.stubEnv('PATH', [join(path, '..'), process.env.PATH].join(delimiter))
  const found = await findFfmpeg()
  expect(['package', 'path']).toContain(found?.source)
  expect(found?.version).toMatch(/\S/)
})

onUnix('a file that cannot be executed is no ffmpeg', async () => {
  const path = join(newFolder(), 'ffmpeg')
  await copyFile(await impostor('1'), path)
  await chmod(path, 0o644)
  await expect(findFfmpeg(path)).rejects.toMatchObject({ code: 'ffmpeg-unusable' })
})
