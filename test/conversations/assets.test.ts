import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { bodies, localPart, openInProcess, paths } from '../emulator.js'

const { agent, as } = openInProcess()

const fixture = (name: string) => readFile(new URL(`../../fixtures/media/${name}`, import.meta.url))

const upload = async (key: string, name = 'first-frame.png') =>
  agent
    .post('/v1/asset/upload')
    .set('Authorization', key)
    .attach('file', await fixture(name), name)

const resolve = (jobId: string) => agent.get('/v1/asset/jobs/get-asset-id').query({ task_id: jobId })

/** Uploads a fixture and waits until its asset can be used; gives `asset://…`. */
const assetOf = async (key: string, name?: string): Promise<string> => {
  const { body } = await upload(key, name)
  await as(key).clock.advance({ to: 'idle' })
  return `asset://${(await resolve(body.data.task_id)).body.data.asset_id}`
}

const usesOf = (asset: string) =>
  [
    ['B', paths.tasks, bodies.task({ content: [{ type: 'image_url', image_url: { url: asset } }] })],
    [
      'C',
      '/v1/videos',
      {
        model: 'videoa-2-0-260128',
        media: [
          { type: 'text', text: 'a lighthouse' },
          { type: 'first_frame', asset_id: asset },
        ],
      },
    ],
    [
      'E',
      '/v1/videos',
      {
        model: 'beta2.7-r2v',
        subject_reference: [{ type: 'character', image: [asset] }],
        prompt: 'a lighthouse',
      },
    ],
    [
      'F',
      '/provC/v2/video_generation',
      {
        model: 'gamma-H3',
        duration: 5,
        content: [
          { type: 'text', text: 'a lighthouse' },
          { type: 'image_url', role: 'first_frame', image_url: { url: asset } },
        ],
      },
    ],
  ] as const

test('a job is processed by the account’s clock and resolved without a key', async () => {
  const { status, body } = await upload('uploader')
  expect([status, body.code]).toEqual([200, 200])
  expect(body.data.task_id).toMatch(/^task_\d{16}$/)
  expect((await resolve(body.data.task_id)).body).toMatchObject({ code: 202, data: { status: 'Processing' } })
  await as('uploader').clock.advance({ to: 'idle' })
  const ready = await resolve(body.data.task_id)
  expect(ready.body).toMatchObject({ code: 200, data: { status: 'Active' } })
  expect(ready.body.data.asset_id).toMatch(/^asset-\d{14}-[a-z0-9]{5}$/)
})

test('an unknown job is 404 in the shape of the library', async () => {
  const { status, body } = await resolve('task_2601010000009999')
  expect([status, body.code, body.data]).toEqual([404, 404, null])
})

test('jobs of many accounts in the same second never meet', async () => {
  const ids: string[] = []
  for (let index = 0; index < 60; index += 1) ids.push((await upload(`crowd-${index}`)).body.data.task_id)
  expect(new Set(ids).size).toBe(ids.length)
})

describe('an asset in use', () => {
  test.each([0, 1, 2, 3])('is taken when it is ready (%i)', async (index) => {
    const key = `ready-${index}`
    const [, path, body] = usesOf(await assetOf(key))[index] as ReturnType<typeof usesOf>[number]
    expect((await as(key).post(path, body)).status).toBe(200)
  })

  test.each([0, 1, 2, 3])(
    'is refused where another account uploaded it, or where it does not exist (%i)',
    async (index) => {
      const asset = await assetOf(`owner-${index}`)
      const [, path, body] = usesOf(asset)[index] as ReturnType<typeof usesOf>[number]
      const foreign = await as(`stranger-${index}`).post(path, body)
      expect(foreign.status).toBe(400)
      expect(JSON.stringify(foreign.body)).toContain(path === paths.tasks ? 'content[0].image_url.url' : '')
      const [, , unknown] = usesOf('asset://asset-20260101000000-zzzzz')[index] as ReturnType<
        typeof usesOf
      >[number]
      expect((await as(`owner-${index}`).post(path, unknown)).status).toBe(400)
    },
  )

  test('is refused before it is ready', async () => {
    const { body } = await upload('early')
    const [, path, request] = usesOf(`asset://${body.data.task_id}`)[0] as ReturnType<typeof usesOf>[number]
    expect((await as('early').post(path, request)).status).toBe(400)
  })

  test('shows its pixels: the last frame that was asked for is the picture that was uploaded', async () => {
    const key = 'pixels'
    const [first, last] = [await assetOf(key, 'first-frame.png'), await assetOf(key, 'last-frame.png')]
    const { body } = await as(key).post(
      paths.tasks,
      bodies.task({
        resolution: '480p',
        duration: 4,
        return_last_frame: true,
        content: [
          { type: 'image_url', image_url: { url: first }, role: 'first_frame' },
          { type: 'image_url', image_url: { url: last }, role: 'last_frame' },
        ],
      }),
    )
    await as(key).clock.advance({ to: 'idle' })
    const { content } = (await as(key).get(`${paths.tasks}/${body.id}`)).body
    const drawn = await agent.get(localPart(content.last_frame_url))
    const tone = async (picture: Buffer) =>
      (await sharp(picture).resize(1, 1, { fit: 'cover' }).raw().toBuffer()).subarray(0, 3)
    const [shown, given] = [await tone(drawn.body), await tone(await fixture('last-frame.png'))]
    for (const [channel, value] of shown.entries())
      expect(Math.abs(value - (given[channel] as number))).toBeLessThan(24)
  })
})

test('without the agreement nothing is taken', async () => {
  const { status, body } = await upload('no-agreement-assets')
  expect(status).toBe(403)
  expect(body).toMatchObject({ code: 403, msg: 'asset library user agreement not accepted', data: null })
})

test('without a key an upload is 401', async () => {
  const { status, body } = await agent
    .post('/v1/asset/upload')
    .attach('file', await fixture('square.png'), 'square.png')
  expect(status).toBe(401)
  expect(body).toMatchObject({ code: 401, msg: 'Unauthorized', data: null })
})
