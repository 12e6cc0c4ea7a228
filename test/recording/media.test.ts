import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openSession, paths, replayed, text, videoTask } from './session.js'

const landscape = await readFile(new URL('../../fixtures/media/landscape.jpg', import.meta.url))
const bytes = Buffer.concat([landscape, Buffer.from('and more')])
const sha256 = createHash('sha256').update(bytes).digest('hex')
const image = (url: string) => videoTask({ content: [text(), { type: 'image_url', image_url: { url } }] })
const base64 = `data:image/jpeg;base64,${bytes.toString('base64')}`

test('media are kept beside the file, by their hash', async () => {
  const { client, saved, file } = await openSession()
  await client.post(paths.tasks, image(base64))
  await client.upload('mine.jpg', bytes)
  const recording = await saved()
  expect(await readdir(`${file}.media`)).toEqual([sha256])
  expect(await readFile(`${file}.media/${sha256}`)).toEqual(bytes)
  expect(recording).not.toContain(bytes.toString('base64').slice(0, 100))
})

test('results that show them are compared to the byte, unless media are lost', async () => {
  const { client, saved, file } = await openSession({ timing: 'instant' })
  const { id } = (await client.post(paths.tasks, image(base64))).body
  const { content } = (await client.get(`${paths.tasks}/${id}`)).body
  await client.get(content.video_url)
  const changed = (await saved()).replace(/"bytes":\d+\}\}/, '"bytes":1}}')
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
