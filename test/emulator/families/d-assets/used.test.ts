import { describe, expect, test } from 'vitest'
import { openLibrary } from './library.js'

describe('used', () => {
  const { emulator, upload, store, createVideo } = openLibrary()

  const frame = (id: string) => ({
    type: 'image_url',
    role: 'first_frame',
    image_url: { url: `asset://${id}` },
  })

  const assetIdOf = (jobId: string, key = 'my-key') =>
    emulator.store.read(key, ({ jobs }) => jobs.get(jobId) as string)

  test('an asset is the first frame of a video, whose ratio follows from it', async () => {
    const { data } = await store('portrait.jpeg')
    const { status, body } = await createVideo([frame(data.asset_id)])
    expect(status).toBe(200)
    const task = await emulator.store.read('my-key', ({ tasks }) => tasks.get(body.id))
    expect(task?.params).toMatchObject({
      ratio: '3:4',
      firstFrame: { kind: 'image', blob: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  })

  test('the frame is drawn from the bytes that were uploaded', async () => {
    const { data } = await store('first-frame.png')
    const { body } = await createVideo([frame(data.asset_id)])
    const task = await emulator.store.read('my-key', ({ tasks }) => tasks.get(body.id))
    const asset = await emulator.store.read('my-key', ({ assets }) => assets.get(data.asset_id))
    expect(task?.params).toMatchObject({ firstFrame: { blob: asset?.blob } })
  })

  test('a video and a sound are references', async () => {
    const [clip, tone] = [await store('clip.mp4'), await store('tone.mp3')]
    const { status } = await createVideo([
      {
        type: 'video_url',
        role: 'reference_video',
        video_url: { url: `asset://${clip.data.asset_id}` },
      },
      {
        type: 'audio_url',
        role: 'reference_audio',
        audio_url: { url: `asset://${tone.data.asset_id}` },
      },
    ])
    expect(status).toBe(200)
  })

  const refusedFor = async (id: string, key = 'my-key'): Promise<string> => {
    const { status, body } = await createVideo([frame(id)], key)
    expect([status, body.error.code, body.error.param]).toEqual([
      400,
      'InvalidParameter',
      'content[1].image_url.url',
    ])
    return body.error.message
  }

  test('an unknown asset is refused (B10)', async () => {
    expect(await refusedFor('asset-20260101000000-aaaaa')).toContain(
      'has no asset asset-20260101000000-aaaaa',
    )
  })

  test('an asset that is being processed is refused, until it is ready (B10)', async () => {
    const { body } = await upload('first-frame.png', { key: 'waits' })
    const id = await assetIdOf(body.data.task_id, 'waits')
    expect(await refusedFor(id, 'waits')).toContain(`the asset ${id} is still being processed`)
    await emulator.clock.advanceUntilIdle('waits')
    expect((await createVideo([frame(id)], 'waits')).status).toBe(200)
  })

  test('an asset that has failed is refused, with the reason', async () => {
    const { data } = await store('side-299.png')
    expect(await refusedFor(await assetIdOf(data.task_id))).toContain(
      'has failed: width must be 300 to 6000 pixels, found 299',
    )
  })

  test('an asset of another account is refused as unknown', async () => {
    const { data } = await store('first-frame.png', 'owner')
    expect(await refusedFor(data.asset_id, 'stranger')).toContain(`has no asset ${data.asset_id}`)
  })

  test('an asset of another kind is refused by what it is', async () => {
    const { data } = await store('clip.mp4')
    expect(await refusedFor(data.asset_id)).toContain('must be an image, found a video (mp4)')
  })

  test('an asset is gone after a reset', async () => {
    const { data } = await store('first-frame.png', 'reset')
    await emulator.forget('reset')
    expect(await refusedFor(data.asset_id, 'reset')).toContain('has no asset')
  })
})

describe('accounts', () => {
  const { emulator, upload, resolve } = openLibrary()

  const jobOf = async (key: string): Promise<string> =>
    (await upload('square.png', { key })).body.data.task_id

  test.each([
    ['no key', undefined],
    ['its own key', 'Bearer owner'],
    ['the key of another', 'Bearer stranger'],
    ['a key that is invalid', 'invalid'],
  ])('a job is resolved with %s (§Authentication 4)', async (_, authorization) => {
    const { status, body } = await resolve(await jobOf('owner'), authorization)
    expect([status, body.code]).toEqual([200, 202])
  })

  test('a job goes by the clock of its own account', async () => {
    const [early, late] = [await jobOf('early'), await jobOf('late')]
    await emulator.clock.advanceTo('early', Date.UTC(2026, 0, 2))
    expect((await resolve(early)).body.code).toBe(200)
    expect((await resolve(late)).body.code).toBe(202)
  })

  test('jobs of many accounts in one second of their clocks have ids of their own', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `many-${index}`)
    const threeOf = async (key: string) => [await jobOf(key), await jobOf(key), await jobOf(key)]
    const jobs = (await Promise.all(keys.map(threeOf))).flat()
    expect(new Set(jobs).size).toBe(120)
  })

  test('resolving is written into the journal of the owner', async () => {
    const job = await jobOf('told')
    const { headers } = await resolve(job)
    expect(emulator.journals.journalOf('told').get(headers['x-request-id'] as string)).toMatchObject({
      operation: 'd-assets.resolve',
      task: job,
    })
  })

  test('a reset forgets assets and their jobs (D8, Z18)', async () => {
    const job = await jobOf('reset')
    await emulator.forget('reset')
    const { status, body } = await resolve(job)
    expect([status, body]).toEqual([
      404,
      { code: 404, data: null, msg: 'task not found', message: 'task not found' },
    ])
  })

  test('after a reset the same uploads have the same ids', async () => {
    const before = await jobOf('again')
    await emulator.forget('again')
    expect(await jobOf('again')).toBe(before)
  })
})
