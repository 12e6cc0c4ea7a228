import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as load from '../../src/emulator/media/render/sharp.js'
import { newFolder } from '../folder.js'
import { imageOrder, KEY, paths, type RawCalls, startForRawCalls } from '../security/raw-calls.js'

const fixture = (name: string) => readFile(new URL(`../../fixtures/media/${name}`, import.meta.url))

const upload = async ({ ask }: RawCalls) => {
  const bytes = await fixture('square.png')
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  return ask(paths.upload, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  })
}

const edit = async ({ post }: RawCalls) => {
  const image = `data:image/png;base64,${(await fixture('square.png')).toString('base64')}`
  return post(paths.image, imageOrder('edit', [{ image }]))
}

/** What each family says when the emulator cannot keep what was sent. */
const senders = [
  ['an upload', upload, (body: { code: number; msg: string }) => [body.code, body.msg]],
  ['an image edit', edit, (body: { code: string; message: string }) => [body.code, body.message]],
] as const

test.each(senders)(
  '%s, and the folder for inputs cannot be made: 500 in the shape of the family, until it can',
  async (_, send, message) => {
    const mediaFolder = join(newFolder(), 'media')
    await writeFile(mediaFolder, 'a file')
    const started = await startForRawCalls({ mediaFolder })
    const reported: string[] = []
    started.emulator.events.on('trouble', ({ need, state }) => reported.push(`${need} ${state}`))
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await send(started)
      expect(status).toBe(500)
      expect(message(body)[0]).toEqual(expect.toSatisfy((code) => code === 500 || code === 'InternalError'))
      expect(message(body)[1]).toMatch(/folder/)
    }
    await rm(mediaFolder)
    expect((await send(started)).status).toBe(200)
    expect(started.bugs).toEqual([])
    expect(reported.filter((line) => line === 'inputs begun').length).toBeLessThan(2)
  },
)

test.each(senders)('%s after the folder was removed while the emulator runs', async (_, send) => {
  const started = await startForRawCalls()
  expect((await send(started)).status).toBe(200)
  await rm(started.folder, { recursive: true })
  expect((await send(started)).status).toBe(200)
  expect(started.bugs).toEqual([])
})

test.each(senders)('%s while sharp does not load', async (_, send, message) => {
  const started = await startForRawCalls()
  const spy = vi.spyOn(load, 'loadSharp').mockImplementation(() => {
    throw load.sharpMissing(new Error('no such file'))
  })
  onTestFinished(() => spy.mockRestore())
  const { status, body } = await send(started)
  expect(status).toBe(500)
  expect(message(body)[1]).toContain('sharp does not load')
  spy.mockRestore()
  expect((await send(started)).status).toBe(200)
})
