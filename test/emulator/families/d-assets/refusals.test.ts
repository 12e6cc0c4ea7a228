import { expect, test } from 'vitest'
import { type FailureKind, noMeta, type Operation } from '../../../../src/emulator/core/contract.js'
import type { MediaFacts } from '../../../../src/emulator/core/media/input.js'
import { assetLibrary } from '../../../../src/emulator/families/d-assets/index.js'
import { contextWith, later } from '../context.js'
import { clip, fileOf, picture, refusal, tone, unreadableFile, upload } from './uploads.js'

const MIB = 2 ** 20

test('a form without a file is refused', () => {
  const { reply, meta: notes } = upload(null, { group_id: 'a' })
  expect(reply).toEqual({ status: 400, body: refusal(400, expect.stringMatching(/^file is required/)) })
  expect(notes.refusedBy).toMatchObject([{ field: 'file', rule: 'd-assets.file' }])
})

test('an account that has not agreed is refused word for word (X5, Z23)', () => {
  const { reply } = upload(fileOf(), {}, contextWith({ key: 'no-agreement' }))
  expect(reply).toEqual({
    status: 403,
    body: refusal(403, 'asset library user agreement not accepted'),
  })
})

test('a call that is over the rate limit waits as long as it is told (X6)', () => {
  const context = contextWith({ settings: { requestsPerMinute: 1 } })
  upload(fileOf(), {}, context)
  const { reply } = upload(fileOf(), {}, later(context, 15_000))
  expect(reply).toMatchObject({ status: 429, headers: { 'Retry-After': '45' }, body: { code: 429 } })
  expect(upload(fileOf(), {}, later(context, 60_000)).reply.status).toBe(200)
})

test('the rate limit comes before everything that is wrong with the form', () => {
  const { meta: notes } = upload(null, {}, contextWith({ key: 'rate-limited' }))
  expect(notes.refusedBy.map(({ rule }) => rule)).toEqual(['d-assets.rate-limit', 'd-assets.file'])
})

const named = (name: string) => upload(fileOf(picture, { name })).reply

test.each([
  ['64 letters', `${'x'.repeat(60)}.png`],
  ['64 Chinese characters', '字'.repeat(64)],
  ['64 emoji, which are two units each', '🎬'.repeat(64)],
  ['points in it', 'a..b...png'],
  ['spaces and signs', 'my "best" take (2).png'],
])('a name of %s is taken (D7)', (_, name) => {
  expect(named(name).status).toBe(200)
})

test.each([
  ['65 letters', 'x'.repeat(65)],
  ['65 Chinese characters', '字'.repeat(65)],
  ['65 emoji', '🎬'.repeat(65)],
])('a name of %s is refused (D7)', (_, name) => {
  expect(named(name)).toEqual({
    status: 400,
    body: refusal(400, 'file name must be at most 64 characters long, found 65'),
  })
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\system.ini', 'system.ini'],
  ['/tmp/a.png', 'a.png'],
  ['C:\\a.png', 'a.png'],
  ['a/b\\c.png', 'c.png'],
  [`${'folder/'.repeat(20)}a.png`, 'a.png'],
])('of the name %j the last part counts (N24)', (name, last) => {
  const { changes, reply } = upload(fileOf(picture, { name }))
  expect(reply.status).toBe(200)
  expect(changes).toContainEqual({ putAsset: expect.objectContaining({ name: last }) })
})

test.each(['.', '..', 'a/..', 'folder/', 'a\0.png'])('the name %j is refused', (name) => {
  expect(named(name)).toMatchObject({
    status: 400,
    body: { code: 400, msg: expect.stringMatching(/^file name must be a name other than/) },
  })
})

const taken: readonly MediaFacts[] = [
  ...(['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif', 'heic', 'heif'] as const).map((format) => ({
    ...picture,
    format,
  })),
  ...(['mp4', 'mov'] as const).map((format) => ({ ...clip, format })),
  ...(['wav', 'mp3'] as const).map((format) => ({ ...tone, format })),
]

test.each(taken.map((facts) => [facts.format, facts] as const))('%s is taken (D7)', (_, facts) => {
  expect(upload(fileOf(facts)).reply.status).toBe(200)
})

test.each([
  ['a format that is known and not taken', fileOf({ ...picture, format: 'avif' }), 'avif'],
  ['no media', unreadableFile('unknown', 'the file is text'), 'the file is text'],
  [
    'a container without what it is for',
    unreadableFile('unknown', 'the MP4 has no video track', 'mp4'),
    'no video',
  ],
])('%s is refused at upload (D7)', (_, file, detail) => {
  const { reply, meta: notes } = upload(file)
  expect(reply).toMatchObject({ status: 400, body: { code: 400, msg: expect.stringContaining(detail) } })
  expect(notes.refusedBy).toMatchObject([{ rule: 'd-assets.file-type', field: 'file' }])
})

const bytesByKind = [
  ['an image', picture, 30, 'assetImageBytes'],
  ['a video', clip, 50, 'assetVideoBytes'],
  ['a sound', tone, 15, 'assetAudioBytes'],
] as const

test.each(bytesByKind)('%s of exactly its limit is taken (D7, Z7)', (_, facts, mib) => {
  expect(upload(fileOf({ ...facts, bytes: mib * MIB })).reply.status).toBe(200)
})

test.each(bytesByKind)('%s with one byte more is refused (D7, Z7)', (_, facts, mib, setting) => {
  const { reply } = upload(fileOf({ ...facts, bytes: mib * MIB + 1 }))
  const allowed = `at most ${mib * MIB} bytes for ${facts.kind} files (setting ${setting})`
  expect(reply).toEqual({
    status: 400,
    body: refusal(400, `file must be ${allowed}, found ${mib * MIB + 1}`),
  })
})

test('a damaged file is held to the size of its kind', () => {
  const file = { ...unreadableFile('damaged', 'it is cut short', 'png'), bytes: 30 * MIB + 1 }
  expect(upload(file).reply.status).toBe(400)
})

test('an account has as many assets as maxAssets, and not one more', () => {
  const context = contextWith({ settings: { maxAssets: 2 } })
  expect([1, 2].map(() => upload(fileOf(), {}, context).reply.status)).toEqual([200, 200])
  expect(upload(fileOf(), {}, context).reply).toEqual({
    status: 429,
    body: refusal(429, 'the account has 2 assets, and the setting maxAssets is 2'),
  })
})

test('its assets have as many bytes as assetTotalBytes, and not one more', () => {
  const context = contextWith({ settings: { assetTotalBytes: 1_000 } })
  const file = (bytes: number) => fileOf({ ...picture, bytes })
  expect([600, 400].map((bytes) => upload(file(bytes), {}, context).reply.status)).toEqual([200, 200])
  expect(upload(file(1), {}, context).reply).toEqual({
    status: 429,
    body: refusal(
      429,
      'the assets of the account would have 1001 bytes, and the setting assetTotalBytes is 1000',
    ),
  })
})

test('every rule that refuses is in the journal, and the first one answers', () => {
  const file = fileOf({ ...picture, bytes: 31 * MIB }, { name: 'x'.repeat(65) })
  const { reply, meta: notes } = upload(file)
  expect(notes.refusedBy.map(({ rule }) => rule)).toEqual(['d-assets.name-length', 'd-assets.file-bytes'])
  expect(reply.body).toMatchObject({ msg: expect.stringContaining('64 characters') })
})

const [operation] = assetLibrary.operations(assetLibrary) as [Operation]

test.each<[FailureKind, number, string]>([
  ['unauthenticated', 401, 'Unauthorized'],
  ['unreadable', 400, 'what is wrong'],
  ['unsupported', 400, 'what is wrong'],
  ['too-large', 400, 'what is wrong'],
  ['rate-limited', 429, 'what is wrong'],
  ['internal', 500, 'what is wrong'],
])('%s is %i in the shape of D (Z23)', (standing, status, text) => {
  const reply = operation.refuse(standing, { message: 'what is wrong' }, 'request-1')
  expect(reply).toEqual({ status, body: refusal(status, text) })
})

test('every error of the table can be answered with', () => {
  for (const [error, { status, message }] of Object.entries(assetLibrary.errors))
    expect(operation.raise(error, {}, 'request-1')).toEqual({ status, body: refusal(status, message) })
})

test('rules and limits are named once and say where they come from', () => {
  const all = [...assetLibrary.rules, ...assetLibrary.jobLimits]
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const { says, place } of all) {
    expect(says).toMatch(/^.{20,}\.$/)
    expect(place).toMatch(/^docs/)
  }
})

test('nothing is said about a call that is accepted', () => {
  expect({ ...upload().meta, task: undefined }).toEqual({ ...noMeta, task: undefined })
})
