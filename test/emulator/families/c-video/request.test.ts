import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { unifiedVideo } from '../../../../src/emulator/families/c-video/index.js'
import { readRequest } from '../../../../src/emulator/families/c-video/schema.js'
import { modeOf } from '../../../../src/emulator/families/shared/schema.js'
import { contextWith, image, video } from '../context.js'
import { answer, FAST, item, request, STANDARD, text, url } from './request.js'

describe('request', () => {
  test('the least request is a text-to-video of 5 s in 720p and 16:9, with sound', () => {
    expect(answer(request()).order).toMatchObject({
      model: STANDARD,
      prompt: 'A paper boat sails down a rainy street',
      resolution: '720p',
      ratio: '16:9',
      duration: 5,
      generateAudio: true,
      watermark: false,
      returnLastFrame: false,
      references: [],
    })
  })

  test('fields that a request of C cannot have get the defaults of B', () => {
    expect(answer(request()).order).toMatchObject({
      serviceTier: 'default',
      expiresAfter: 172_800,
      draft: false,
      priority: 0,
    })
  })

  test.each(['4', '15', 4, 15])('takes seconds %j', (seconds) => {
    expect(answer(request({ seconds })).order).toMatchObject({ duration: Number(seconds) })
  })

  test.each(['-1', -1])('seconds %j is chosen from 4 to 15 by the seed', (seconds) => {
    expect(answer(request({ seconds, seed: 0 })).order).toMatchObject({ duration: 4 })
    expect(answer(request({ seconds, seed: 11 })).order).toMatchObject({ duration: 15 })
    expect(answer(request({ seconds, seed: 12 })).order).toMatchObject({ duration: 4 })
  })

  test.each(['3', '16', 3, 16, '0', 0, '-2', '5.0', 5.5, '05', ' 5', '5s', '', 'five', '1e1', true, [5]])(
    'refuses seconds %j',
    (seconds) => {
      const { status, code, message, rules } = answer(request({ seconds }))
      expect(status).toBe(400)
      expect(code).toBe('invalid_request')
      expect(message).toContain('seconds must be "4" to "15", or "-1", as a string or an integer')
      expect(rules).toEqual(['c-video.schema.seconds'])
    },
  )

  test.each([
    ['seed', -1],
    ['seed', 0],
    ['seed', 4_294_967_295],
    ['safety_identifier', 'u'.repeat(64)],
    ['safety_identifier', '🎬'.repeat(64)],
    ['size', '480p'],
    ['size', '720p'],
    ['ratio', '21:9'],
    ['ratio', '4:3'],
    ['ratio', '1:1'],
    ['ratio', '3:4'],
    ['ratio', '9:16'],
    ['ratio', 'adaptive'],
    ['model', FAST],
  ])('takes %s %j', (field, value) => {
    expect(answer(request({ [field]: value })).status).toBe(200)
  })

  test.each([
    ['seed', -2],
    ['seed', 4_294_967_296],
    ['seed', 1.5],
    ['seed', '5'],
    ['safety_identifier', 'u'.repeat(65)],
    ['safety_identifier', '🎬'.repeat(65)],
    ['size', '2160p'],
    ['size', '720P'],
    ['ratio', '2:1'],
    ['watermark', 'true'],
    ['generate_audio', 1],
    ['return_last_frame', 'no'],
    ['media', []],
    ['media', 'a boat'],
    ['media', undefined],
    ['media', [{ type: 'picture', url: url() }]],
    ['media', [{ type: 'text' }]],
    ['media', [text(), { type: 'first_frame', url: '' }]],
  ])('refuses %s %j', (field, value) => {
    const { status, code, rules } = answer(request({ [field]: value }))
    expect(status).toBe(400)
    expect(code).toBe('invalid_request')
    expect(rules[0]).toMatch(new RegExp(`^c-video\\.schema\\.${field}`))
  })

  test('an unknown model is unsupported, and a missing model is invalid', () => {
    expect(answer(request({ model: 'videoa-9' }))).toMatchObject({ status: 400, code: 'unsupported_model' })
    expect(answer(request({ model: undefined }))).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  test('the refusal of an unknown model lists the models of both families on the path', () =>
    expect(answer(request({ model: 'videoa-9' }))).toMatchObject({
      message:
        'The model is not supported: model must be one of videoa-2-0-260128, videoa-2-0-fast-260128, beta2.7-r2v, found "videoa-9".',
    }))

  test('the refusal of an unknown type of an item lists the types', () =>
    expect(answer(request({ media: [{ type: 'picture', url: url() }] }))).toMatchObject({
      message:
        'media[0].type must be one of text, first_frame, last_frame, reference_image, reference_video, reference_audio, found "picture".',
    }))

  test.each([
    ['missing', undefined, 'model is required: one of'],
    ['null', null, 'model must be one of'],
    ['a number', 3, 'model must be one of'],
  ])('a model that is %s is told those of both families on the path', (_, model, begins) => {
    const { status, code, message } = answer(request({ model }))
    expect([status, code]).toEqual([400, 'invalid_request'])
    expect(message).toContain(`${begins} videoa-2-0-260128, videoa-2-0-fast-260128, beta2.7-r2v`)
  })

  test('a body that is no object is refused', () => {
    expect(answer('a boat')).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(answer(null)).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  test('several texts are joined by line breaks', () => {
    expect(answer(request({ media: [text('one'), text('two')] })).order).toMatchObject({ prompt: 'one\ntwo' })
  })

  test.each([
    ['none', [item('first_frame')], 'media must be a list with a text item, found no text item.'],
    [
      'an empty one',
      [item('first_frame'), text('')],
      'media[1].text must be a text that is not empty, found "".',
    ],
    ['blanks', [text(' \n')], 'media[0].text must be a text that is not empty, found " \\n".'],
  ])('a text is required: %s is refused', (_, media, message) => {
    expect(answer(request({ media }))).toMatchObject({ status: 400, code: 'invalid_request', message })
  })

  test('the seed is drawn from 0 to 99999 where it is -1 or missing', () => {
    const { seed } = answer(request({ seed: -1 })).order as { seed: number }
    expect(Number.isInteger(seed) && seed >= 0 && seed <= 99_999).toBe(true)
    expect(answer(request()).order).toMatchObject({ seed })
  })

  test('ratio is adaptive by default where there are media: nearest to the first frame', () => {
    const context = contextWith({ resolvedMedia: { [url()]: image({ width: 900, height: 1600 }) } })
    const body = request({ media: [text(), item('first_frame')] })
    expect(answer(body, context).order).toMatchObject({ ratio: '9:16' })
  })

  test.each([
    ['text alone', [text()], {}],
    ['a first frame that was not read', [text(), item('first_frame')], {}],
  ])('adaptive comes to 16:9 with %s', (_, media) => {
    expect(answer(request({ media, ratio: 'adaptive' })).order).toMatchObject({ ratio: '16:9' })
  })

  test('a named ratio holds whatever the frame is', () => {
    const context = contextWith({ resolvedMedia: { [url()]: image({ width: 900, height: 1600 }) } })
    const body = request({ media: [text(), item('first_frame')], ratio: '4:3' })
    expect(answer(body, context).order).toMatchObject({ ratio: '4:3' })
  })

  test('seconds of reference video are metered', () => {
    const context = contextWith({ resolvedMedia: { [url()]: video({ seconds: 3 }) } })
    expect(answer(request({ media: [text(), item('reference_video')] }), context).order).toMatchObject({
      inputSeconds: 3,
      references: [{ kind: 'video', label: 'reference_video video.mp4' }],
    })
  })

  test('fields that C does not have are ignored and listed', () => {
    const { status, notes } = answer(request({ callback_url: 'https://hooks.test/', duration: 5 }))
    expect(status).toBe(200)
    expect(notes.ignored).toEqual(['callback_url', 'duration'])
  })
})

describe('samples', async () => {
  const FOLDER = 'fixtures/requests/c-video'
  const samples = await Promise.all(
    (await readdir(FOLDER)).map(async (name) => {
      const sample = await readFile(`${FOLDER}/${name}`, 'utf8')
      return [name, JSON.parse(sample.replaceAll('{origin}', 'http://127.0.0.1:4650'))] as const
    }),
  )

  test.each(samples)('the sample request %s is taken, and nothing in it is ignored', (_, sample) => {
    const { status, notes } = answer(sample.body)
    expect(sample.operation).toBe('c-video.create')
    expect(status).toBe(200)
    expect(notes.ignored).toEqual([])
  })

  test('there is a sample request for every mode', () => {
    const modes = samples.map(([, { body }]) =>
      modeOf(readRequest(unifiedVideo.schema.parse(body)).mediaRefs),
    )
    expect([...new Set(modes)].sort()).toEqual(['first-frame', 'first-last-frame', 'reference', 'text'])
  })
})
