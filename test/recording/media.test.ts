import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEmulator } from '../../src/emulator/emulator.js'
import { listen } from '../../src/emulator/listen.js'
import { readSettings } from '../../src/emulator/settings.js'
import { recordTo } from '../../src/recording/record.js'
import type { Client } from '../emulator.js'
import { newFolder } from '../folder.js'
import { clientOf, openSession, paths, replayed, text, videoTask } from './session.js'

const landscape = await readFile(new URL('../../fixtures/media/landscape.jpg', import.meta.url))
const bytes = Buffer.concat([landscape, Buffer.from('and more')])
const sha256 = createHash('sha256').update(bytes).digest('hex')
const image = (url: string) => videoTask({ content: [text(), { type: 'image_url', image_url: { url } }] })
const base64 = `data:image/jpeg;base64,${bytes.toString('base64')}`

/** A session that is recorded as it happens. */
const record = async (happen: (client: Client) => Promise<unknown>): Promise<string> => {
  const file = join(newFolder(), 'session.jsonl')
  const emulator = createEmulator(readSettings({ port: 0, clock: 'on-poll', timing: 'instant' }))
  const { url, close } = await listen(emulator)
  const { end } = await recordTo(emulator, file)
  await happen(clientOf(url))
  await close()
  await end()
  return file
}

test('media are kept beside the file, by their hash', async () => {
  const file = await record(async (client) => {
    await client.post(paths.tasks, image(base64))
    await client.upload('mine.jpg', bytes)
  })
  expect(await readdir(`${file}.media`)).toEqual([sha256])
  expect(await readFile(`${file}.media/${sha256}`)).toEqual(bytes)
  expect(await readFile(file, 'utf8')).not.toContain(bytes.toString('base64').slice(0, 100))
})

test.skipIf(process.platform === 'win32')('others cannot read the media', async () => {
  const file = await record((client) => client.upload('mine.jpg', bytes))
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777
  expect(await modeOf(`${file}.media`)).toBe(0o700)
  expect(await modeOf(`${file}.media/${sha256}`)).toBe(0o600)
})

test('a recording may be ended twice', async () => {
  const emulator = createEmulator(readSettings({ port: 0 }))
  const file = join(newFolder(), 'session.jsonl')
  const { end } = await recordTo(emulator, file)
  await end()
  const written = await readFile(file, 'utf8')
  await end()
  expect(await readFile(file, 'utf8')).toBe(written)
  await emulator.stop()
})

test('results that show them are compared to the byte, unless media are lost', async () => {
  const file = await record(async (client) => {
    const { id } = (await client.post(paths.tasks, image(base64))).body
    const { content } = (await client.get(`${paths.tasks}/${id}`)).body
    await client.get(content.video_url)
  })
  const recording = await readFile(file, 'utf8')
  expect((await replayed(recording, file)).mismatches).toEqual([])
  const changed = recording.replace(/"bytes":\d+\}\}/, '"bytes":1}}')
  expect((await replayed(changed, file)).mismatches).toMatchObject([{ differences: [{ path: 'bytes' }] }])
  await rm(`${file}.media`, { recursive: true })
  expect((await replayed(changed, file)).mismatches).toEqual([])
})

test('bytes that are not media are refused, whatever they say', async () => {
  const { client } = await openSession()
  const facts = { kind: 'image', format: 'png', bytes: 1, width: 4_000, height: 3_000 }
  const standIn = Buffer.from(
    `backlot stand-in 1\n${JSON.stringify({ sha256, bytes: 1, format: 'png', probe: facts })}`,
  )
  expect((await client.upload('cat.png', standIn)).status).toBe(400)
})

test('a key with the id of another account does not take its results away', async () => {
  const { client, as, emulator } = await openSession({ timing: 'instant' })
  const { id } = (await client.post(paths.tasks, videoTask())).body
  const { content } = (await client.get(`${paths.tasks}/${id}`)).body
  const { tag } = await emulator.account('sk-secret-key-0123456789').read()
  await as(`recorded-~${tag}`).get('/nothing')
  expect((await client.get(content.video_url)).status).toBe(200)
  expect((await as(`recorded-~${tag}`).get(`${paths.tasks}/${id}`)).status).toBe(404)
})
