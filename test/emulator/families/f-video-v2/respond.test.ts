import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../../../src/emulator/core/account/account.js'
import type { MediaFacts, ResolvedMedia } from '../../../../src/emulator/core/media/input.js'
import type { MediaSpec } from '../../../../src/emulator/core/media/spec.js'
import { mediaOf } from '../../../../src/emulator/core/model/task.js'
import { lastOf } from '../../../../src/emulator/core/schedule/time.js'
import { videoV2 } from '../../../../src/emulator/families/f-video-v2/index.js'
import { readRequest } from '../../../../src/emulator/families/f-video-v2/schema.js'
import { modeOf } from '../../../../src/emulator/families/shared/schema.js'
import { audio, contextWith, create, image, read, unseen, video } from '../context.js'
import { answer, clip, made, picture, request, sound, text, url } from './request.js'

describe('result', () => {
  const specOf = (change: Record<string, unknown>): MediaSpec | undefined =>
    mediaOf(lastOf(made(change).task.timeline).value)[0]

  test.each([
    ['text alone', [text()], {}, '16:9'],
    [
      'a tall first frame',
      [text(), picture(url(1))],
      { [url(1)]: image({ width: 700, height: 1200 }) },
      '9:16',
    ],
    [
      'a square reference video',
      [text(), clip(url(1))],
      { [url(1)]: video({ width: 800, height: 800 }) },
      '1:1',
    ],
    ['an unseen frame', [text(), picture(url(1))], {}, '16:9'],
  ])('adaptive with %s comes to a ratio', (_, content, found, ratio) => {
    const { context, task } = made({ content }, { resolvedMedia: found })
    expect(read(videoV2, task.id, context).reply.body).toMatchObject({ ratio, task: { ratio } })
  })

  test.each([
    ['gamma-H3-Max', '480P', '21:9', 1120, 480],
    ['gamma-H3-Max', '480P', '16:9', 854, 480],
    ['gamma-H3-Max', '480P', '4:3', 640, 480],
    ['gamma-H3-Max', '480P', '1:1', 480, 480],
    ['gamma-H3-Max', '480P', '3:4', 480, 640],
    ['gamma-H3-Max', '480P', '9:16', 480, 854],
    ['gamma-H3', '768P', '21:9', 1792, 768],
    ['gamma-H3', '768P', '16:9', 1344, 768],
    ['gamma-H3', '768P', '4:3', 1024, 768],
    ['gamma-H3', '768P', '1:1', 768, 768],
    ['gamma-H3', '768P', '3:4', 768, 1024],
    ['gamma-H3', '768P', '9:16', 768, 1344],
    ['gamma-H3', '2K', '21:9', 2560, 1080],
    ['gamma-H3', '2K', '16:9', 2560, 1440],
    ['gamma-H3', '2K', '4:3', 2048, 1536],
    ['gamma-H3', '2K', '1:1', 2048, 2048],
    ['gamma-H3', '2K', '3:4', 1536, 2048],
    ['gamma-H3', '2K', '9:16', 1440, 2560],
  ])('%s at %s %s is %i x %i', (model, resolution, ratio, width, height) =>
    expect(specOf({ model, resolution, ratio })).toMatchObject({
      kind: 'video',
      width,
      height,
      seconds: 5,
      framesPerSecond: 24,
      hasAudio: true,
      hasWatermark: false,
    }),
  )

  test('frames and references are drawn into the video', () => {
    const frames = specOf({
      content: [text(), picture(url(1), 'first_frame'), picture(url(2), 'last_frame')],
    })
    expect(frames).toMatchObject({
      firstFrame: { kind: 'image' },
      lastFrame: { kind: 'image' },
      references: [],
    })
    const references = specOf({ content: [text(), clip(url(1)), sound(url(2))] })
    expect(references).toMatchObject({ references: [{ kind: 'video' }, { kind: 'audio' }] })
  })
})

describe('metering', () => {
  test('usage counts every image and the seconds of reference videos', () => {
    const content = [
      text(),
      picture(url(1), 'reference_image'),
      picture(url(2), 'reference_image'),
      clip(url(3), 'reference_video'),
      clip(url(4), 'reference_video'),
      clip(url(5), 'reference_video'),
      sound(url(6), 'reference_audio'),
    ]
    const found = {
      [url(1)]: image(),
      [url(2)]: unseen(),
      [url(3)]: video({ seconds: 3.003 }),
      [url(4)]: video({ seconds: 4 }),
      [url(5)]: unseen(),
      [url(6)]: audio({ seconds: 9 }),
    }
    const { task, ended } = made({ content }, { resolvedMedia: found })
    expect(read(videoV2, task.id, ended).reply.body).toHaveProperty('usage', {
      total_seconds: 12,
      input_seconds: 7,
      output_seconds: 5,
      input_image_count: 2,
    })
  })

  test('seconds are rounded as they are on paper: 2.3, 2.4 and 2.8 are 7.5, which is 8', () => {
    const lengths = [2.3, 2.4, 2.8]
    const found = Object.fromEntries(lengths.map((seconds, index) => [url(index), video({ seconds })]))
    const content = [text(), ...lengths.map((_, index) => clip(url(index)))]
    const { task, ended } = made({ content }, { resolvedMedia: found })
    expect(read(videoV2, task.id, ended).reply.body).toMatchObject({ usage: { input_seconds: 8 } })
  })

  test('a task is charged when it succeeds, for every metered second', () => {
    const content = [text(), clip(url(1))]
    const { context, task, ended } = made({ content }, { resolvedMedia: { [url(1)]: video({ seconds: 3 }) } })
    expect(balanceOf(context.account)).toBe(1_000_000)
    read(videoV2, task.id, ended)
    expect(1_000_000 - balanceOf(context.account)).toBeCloseTo(0.8)
  })

  test.each([
    ['gamma-H3', '768P', {}, 0.5],
    ['gamma-H3', '2K', {}, 1.25],
    ['gamma-H3-Max', '480P', {}, 0.5],
    ['gamma-H3-Max', '768P', {}, 1],
    ['gamma-H3', '2K', { 'gamma-H3': 3 }, 15],
    ['gamma-H3', '2K', { 'gamma-H3': 3, 'gamma-H3 2K': 7 }, 35],
    ['gamma-H3', '768P', { 'gamma-H3 2K': 7 }, 0.5],
  ])('5 seconds of %s at %s with prices %j cost %f', (model, resolution, prices, price) =>
    expect(made({ model, resolution }, { settings: { prices } }).task.price).toBeCloseTo(price),
  )
})

describe('samples', () => {
  const ORIGIN = 'http://backlot.test'
  const folder = new URL('../../../../fixtures/', import.meta.url)
  const textOf = (path: string): string => readFileSync(new URL(path, folder), 'utf8')

  const media = JSON.parse(textOf('media/index.json')) as {
    name: string
    facts: MediaFacts
    breaks?: string
  }[]
  const found: Record<string, ResolvedMedia> = Object.fromEntries(
    media.map(({ name, facts }) => [
      `${ORIGIN}/_backlot/fixtures/${name}`,
      { state: 'read', facts, blob: 'b'.repeat(64), origin: name },
    ]),
  )

  const samples = readdirSync(new URL('requests/f-video-v2/', folder)).map((name) => {
    const sample = JSON.parse(textOf(`requests/f-video-v2/${name}`).replaceAll('{origin}', ORIGIN))
    return { name, ...sample } as { name: string; says: string; operation: string; body: unknown }
  })

  test.each(samples)(
    'the sample request $name is accepted, with its media read',
    ({ operation, says, body }) => {
      expect(operation).toBe('f-video-v2.create')
      expect(says).not.toBe('')
      const { reply, meta: notes } = create(
        videoV2,
        body,
        contextWith({ resolvedMedia: found, settings: { strict: true } }),
      )
      expect(reply.status).toBe(200)
      expect(notes.warnings).toEqual([])
    },
  )

  test('there is a sample for every mode of each model', () => {
    const modes = samples.map(({ body }) => {
      const { model, mediaRefs } = readRequest(videoV2.schema.parse(body))
      return `${model} ${modeOf(mediaRefs)}`
    })
    expect([...new Set(modes)].sort()).toEqual([
      'gamma-H3 first-frame',
      'gamma-H3 first-last-frame',
      'gamma-H3 reference',
      'gamma-H3 text',
      'gamma-H3-Max first-frame',
      'gamma-H3-Max first-last-frame',
      'gamma-H3-Max text',
    ])
  })

  const makeOf = { image: picture, video: clip, audio: sound }

  test.each(media.filter(({ breaks }) => breaks?.includes('§F media limits')))(
    'the sample medium $name breaks $breaks',
    ({ name, facts }) => {
      const medium = makeOf[facts.kind](`${ORIGIN}/_backlot/fixtures/${name}`, `reference_${facts.kind}`)
      const beside = picture(`${ORIGIN}/_backlot/fixtures/square.png`, 'reference_image')
      const { rules } = answer(
        request({ content: [text(), beside, medium] }),
        contextWith({ resolvedMedia: found }),
      )
      expect(rules[0]).toMatch(new RegExp(`^f-video-v2\\.${facts.kind}-`))
    },
  )
})
