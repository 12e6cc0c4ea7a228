import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, onTestFinished, test, vi } from 'vitest'
import { removeStaleTemporaries, temporaryName } from '../../src/emulator/media/files/temporary-folders.js'
import { diagnose } from '../../src/emulator/observability/diagnostics.js'
import { settingsSchema } from '../../src/emulator/settings.js'
import { newFolder } from '../folder.js'
import { imageOrder, localPart, paths, pictureUrl, startForRawCalls } from '../security/raw-calls.js'

const machine = hostname().replace(/[^\w.]/g, '_')
const DEAD = 999_999_999

const left = async (folder: string, name: string): Promise<string> => {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'half.rgb'), 'half')
  return name
}

test('folders of killed processes are removed; those of running processes, other machines and other programs stay', async () => {
  const folder = newFolder()
  await left(folder, `.of-${machine}-${DEAD}-1`)
  const kept = [
    await left(folder, temporaryName()),
    await left(folder, `.of-${machine}-${process.ppid}-1`),
    // Of another thread of this process.
    await left(folder, `.of-${machine}-${process.pid}-1`),
    await left(folder, `.of-another.machine-${DEAD}-1`),
    await left(folder, 'mine'),
  ]
  await removeStaleTemporaries(folder)
  expect((await readdir(folder)).sort()).toEqual(kept.sort())
})

test('folders of an earlier process with the same number are removed, as in a container that starts again', async () => {
  const folder = newFolder()
  const name = await left(folder, `.of-${machine}-${process.pid}-1`)
  await utimes(join(folder, name), 1, 1)
  await removeStaleTemporaries(folder)
  expect(await readdir(folder)).toEqual([])
})

test('an emulator finds what is left of one that was killed, when it first writes there', async () => {
  const folder = newFolder()
  const name = `.of-${machine}-${DEAD}-1`
  for (const part of ['inputs', 'drawn', 'uploads']) await left(join(folder, part), name)
  const started = await startForRawCalls({ mediaFolder: folder })
  await started.ask(localPart(await pictureUrl(started)))
  await started.post(paths.image, imageOrder('x', [{ image: `${started.url}/_backlot/fixtures/square.png` }]))
  const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nx\r\n--x--\r\n'
  const headers = { authorization: 'Bearer some-key', 'content-type': 'multipart/form-data; boundary=x' }
  await started.ask(paths.upload, { method: 'POST', headers, body: form })
  for (const part of ['inputs', 'drawn', 'uploads'])
    expect(await readdir(join(folder, part))).not.toContain(name)
})

test('the doctor removes the folder of one that was killed, and its own', async () => {
  const folder = newFolder()
  await left(folder, `.of-${machine}-${DEAD}-1`)
  const kept = await left(folder, `.of-${machine}-${process.ppid}-1`)
  const settings = settingsSchema.parse({ mediaFolder: folder, ffmpeg: '/no/such/ffmpeg' })
  const fine: string[] = []
  for await (const { what, isFine } of diagnose(settings)) if (isFine) fine.push(what)
  expect(fine).toContain('picture')
  expect(await readdir(folder)).toEqual([kept])
})

test('nothing is looked for where there is no folder', () =>
  expect(removeStaleTemporaries('/nowhere/at/all')).resolves.toBeUndefined())

test('an emulator that stops leaves the files of one in another worker thread, which has modules of its own', async () => {
  const folder = newFolder()
  const threads = []
  for (const key of ['first', 'second']) {
    vi.resetModules()
    const { createEmulator } = await import('../../src/emulator/emulator.js')
    const emulator = createEmulator(settingsSchema.parse({ port: 0, mediaFolder: folder }))
    onTestFinished(() => emulator.stop())
    const { status } = await supertest(emulator.app)
      .post(paths.upload)
      .set('Authorization', `Bearer ${key}`)
      .attach('file', 'fixtures/media/first-frame.png')
    expect(status).toBe(200)
    threads.push(emulator)
  }
  const stored = async () => {
    const names = await readdir(join(folder, 'inputs'), { recursive: true })
    return names.filter((name) => /[0-9a-f]{64}/.test(name)).length
  }
  expect(await stored()).toBe(2)
  await threads[1]?.stop()
  expect(await stored()).toBe(1)
})
