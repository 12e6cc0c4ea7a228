import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contextWith, START } from '../context.js'
import { openLibrary } from './library.js'
import { clip, fileOf, refusal, upload } from './uploads.js'

describe('upload', () => {
  test('an upload is answered with the id of its job (D1)', () => {
    const { reply } = upload()
    expect(reply).toEqual({
      status: 200,
      body: {
        code: 200,
        data: { task_id: expect.stringMatching(/^task_260101000000\d{4}$/) },
        msg: '',
        message: '',
      },
    })
  })

  test('an asset is plain data with its whole timeline', () => {
    const context = contextWith({ settings: { timing: 'fast' } })
    const { meta: notes } = upload(fileOf(clip, { name: '猫.mp4' }), { group_id: 'trailers' }, context)
    const [asset] = context.account.assets.values()
    expect(asset).toEqual({
      id: expect.stringMatching(/^asset-20260101000000-[a-z0-9]{5}$/),
      jobId: notes.task,
      account: 'test-key',
      name: '猫.mp4',
      groupId: 'trailers',
      bytes: clip.bytes,
      blob: 'b'.repeat(64),
      facts: clip,
      requestId: 'request-1',
      createdAt: START,
      timeline: [
        { at: START, value: { state: 'Processing' } },
        { at: expect.any(Number), value: { state: 'Active' } },
      ],
    })
    expect(JSON.parse(JSON.stringify(asset))).toEqual(asset)
  })

  test('an upload moves the sequence number (Z19)', () => {
    const context = contextWith()
    upload(fileOf(), {}, context)
    expect(context.account.sequence).toBe(1)
  })

  test('a refused upload changes nothing', () => {
    const context = contextWith()
    upload(null, {}, context)
    expect([context.account.sequence, context.account.assets.size]).toEqual([0, 0])
  })

  test('the same upload in the same context gets the same decision', () => {
    const decided = () => upload(fileOf(clip), { group_id: 'a' }, contextWith({ sequence: 7 }))
    expect(decided()).toEqual(decided())
  })

  test('with instant timing an asset is ready when it is uploaded (Z17)', () => {
    const context = contextWith({ settings: { timing: 'instant' } })
    upload(fileOf(), {}, context)
    const [asset] = context.account.assets.values()
    expect(asset?.timeline.map(({ at }) => at)).toEqual([START, START])
  })

  test.each([
    ['missing', {}],
    ['of any value', { group_id: 'anything at all' }],
    ['empty, as if it were missing', { group_id: '' }],
  ])('group_id may be %s (D2)', (_, fields) => {
    expect(upload(fileOf(), fields).reply.status).toBe(200)
  })

  test.each([
    ['missing', {}],
    ['empty', { group_id: '' }],
    ['one of them', { group_id: 'trailers' }],
  ])('where groups are configured, group_id may be %s (D2)', (_, fields) => {
    const context = contextWith({ settings: { groups: ['posters', 'trailers'] } })
    expect(upload(fileOf(), fields, context).reply.status).toBe(200)
  })

  test('where groups are configured, an unknown one is refused (D2)', () => {
    const context = contextWith({ settings: { groups: ['posters', 'trailers'] } })
    const { reply, meta: notes } = upload(fileOf(), { group_id: 'songs' }, context)
    expect(reply).toEqual({
      status: 400,
      body: refusal(
        400,
        'group_id must be one of the groups posters, trailers (setting groups), found "songs"',
      ),
    })
    expect(notes.refusedBy).toMatchObject([{ rule: 'd-assets.group-is-known', place: 'docs/gaps.md#d2' }])
  })

  test('other fields are ignored and listed (X11)', () => {
    const { reply, meta: notes } = upload(fileOf(), { title: 'x', group_id: 'a' })
    expect([reply.status, notes.ignored]).toEqual([200, ['title']])
  })

  test('with the setting strict, other fields are refused (X11)', () => {
    const { reply } = upload(fileOf(), { title: 'x' }, contextWith({ settings: { strict: true } }))
    expect(reply).toEqual({
      status: 400,
      body: refusal(400, 'title is not a field of this interface, and the setting strict is on'),
    })
  })

  test('no balance is needed (D8)', () => {
    expect(upload(fileOf(), {}, contextWith({ key: 'no-balance' })).reply.status).toBe(200)
  })

  test('a text in the name of the file beside the file is ignored and listed, and with the setting strict refused (X11)', () => {
    const { reply, meta: notes } = upload(fileOf(), { file: 'first-frame.png' })
    expect([reply.status, notes.ignored]).toEqual([200, ['file']])
    const strictly = upload(fileOf(), { file: 'x' }, contextWith({ settings: { strict: true } }))
    expect(strictly.reply).toEqual({
      status: 400,
      body: refusal(400, 'file is sent as a text beside the file of that name, and the setting strict is on'),
    })
  })

  test('a text in the name of the file is refused as what the file is missing for, with the setting strict too', () => {
    const { reply, meta: notes } = upload(null, { file: 'x' }, contextWith({ settings: { strict: true } }))
    expect(reply.status).toBe(400)
    expect(notes.refusedBy).toMatchObject([{ rule: 'd-assets.file' }])
  })
})

describe('samples', () => {
  const FOLDER = 'fixtures/requests/d-assets'
  const { emulator, upload, resolve } = openLibrary({ strict: true })

  interface Sample {
    readonly says: string
    readonly operation: string
    readonly form: { readonly file: string; readonly group_id?: string }
  }

  const samples = readdirSync(FOLDER).map(
    (name) => [name, JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as Sample] as const,
  )

  test.each(samples)('%s is accepted, and comes to what it says', async (name, { says, operation, form }) => {
    expect([says, operation]).toEqual([expect.stringMatching(/^[A-Z].{10,}/), 'd-assets.upload'])
    const { file, ...fields } = form
    const { status, body } = await upload(file, { fields })
    expect(status).toBe(200)
    await emulator.clock.advanceUntilIdle('my-key')
    const { body: resolved } = await resolve(body.data.task_id)
    expect(resolved.data.status).toBe(name === 'fails.json' ? 'Failed' : 'Active')
  })
})
