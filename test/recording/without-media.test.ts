import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { bytesOfStandIn, type StandIn } from '../../src/core/media/stand-in.js'
import { standInUrl } from '../../src/recording/request.js'
import { openSession, paths, text, videoTask } from './session.js'

const medium: StandIn = {
  sha256: createHash('sha256').update('a picture').digest('hex'),
  bytes: 29 * 2 ** 20,
  format: 'png',
  probe: { kind: 'image', format: 'png', bytes: 29 * 2 ** 20, width: 4_000, height: 3_000 },
}
const withImage = (url: string) => videoTask({ content: [text(), { type: 'image_url', image_url: { url } }] })
const base64 = (standIn: StandIn) =>
  `data:image/png;base64,${Buffer.from(bytesOfStandIn(standIn)).toString('base64')}`

describe('a stand-in is taken for the medium that it stands for', () => {
  const tooSmall: StandIn = {
    ...medium,
    probe: { kind: 'image', format: 'png', bytes: 1, width: 100, height: 100 },
  }

  test('as Base64', async () => {
    const { client } = await openSession()
    const framed = (standIn: StandIn) => ({
      ...{ model: 'gamma-H3', duration: 5 },
      content: [text(), { type: 'image_url', image_url: { url: base64(standIn) }, role: 'first_frame' }],
    })
    expect((await client.post(paths.second, framed(medium))).status).toBe(200)
    expect((await client.post(paths.second, framed(tooSmall))).status).toBe(400)
  })

  test('behind a URL of the emulator, under the name that the medium had', async () => {
    const { client, emulator } = await openSession()
    const url = standInUrl('http://elsewhere.example.test/cat.png', { standIn: medium })
    const here = url.replace('http://emulator.invalid', emulator.url)
    const { status, body } = await client.post(paths.tasks, withImage(here))
    expect(status).toBe(200)
    const [, first] = [body, (await emulator.account('sk-secret-key-0123456789').tasks.get(body.id)).order]
    expect(JSON.stringify(first)).toContain(medium.sha256)
    expect(JSON.stringify(first)).toContain('cat.png')
  })

  test('as a file', async () => {
    const { client } = await openSession({ timing: 'instant' })
    const { task_id } = (await client.upload('cat.png', bytesOfStandIn(medium))).body.data
    expect((await client.get(`${paths.resolve}?task_id=${task_id}`)).body.data.status).toBe('Active')
    const large = { ...medium, bytes: 31 * 2 ** 20 }
    expect((await client.upload('cat.png', bytesOfStandIn(large))).status).toBe(400)
  })

  test('results that show it are drawn, with words in its place', async () => {
    const { client } = await openSession({ timing: 'instant' })
    const { id } = (await client.post(paths.tasks, withImage(base64(medium)))).body
    const { content } = (await client.get(`${paths.tasks}/${id}`)).body
    expect((await client.get(content.video_url)).status).toBe(200)
  })
})

test.each([
  ['nonsense', '/_backlot/stand-ins/cat.png?is=nonsense'],
  ['nothing', '/_backlot/stand-ins/cat.png'],
])('a URL that says %s is refused', async (_, path) => {
  const { client, emulator } = await openSession()
  const { status, body } = await client.post(paths.tasks, withImage(emulator.url + path))
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('the stand-in says nothing')])
})

test('a key with the tag of another account does not take its results away', async () => {
  const { client, as, emulator } = await openSession({ timing: 'instant' })
  const { id } = (await client.post(paths.tasks, videoTask())).body
  const { content } = (await client.get(`${paths.tasks}/${id}`)).body
  const { tag } = await emulator.account('sk-secret-key-0123456789').read()
  await as(`recorded-~${tag}`).get('/nothing')
  expect((await client.get(content.video_url)).status).toBe(200)
  expect((await as(`recorded-~${tag}`).get(`${paths.tasks}/${id}`)).status).toBe(404)
})

test('the bytes of a fixture are those that the recording names', async () => {
  const bytes = await readFile(new URL('../../fixtures/media/square.png', import.meta.url))
  const { client, saved } = await openSession()
  await client.post(paths.tasks, withImage(`data:image/png;base64,${bytes.toString('base64')}`))
  expect(await saved()).toContain(createHash('sha256').update(bytes).digest('hex'))
})
