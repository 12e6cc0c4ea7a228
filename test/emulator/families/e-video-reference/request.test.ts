import { describe, expect, test } from 'vitest'
import { referenceVideo } from '../../../../src/emulator/families/e-video-reference/index.js'
import { readRequest } from '../../../../src/emulator/families/e-video-reference/schema.js'
import { contextWith, create, image, refused, taskOf, video } from '../context.js'
import { answer, character, request, url } from './request.js'

describe('request', () => {
  test('the least request is a video of 5 s in 1080P without a prompt', () => {
    expect(answer(request()).order).toMatchObject({
      model: 'beta2.7-r2v',
      prompt: '',
      seconds: 5,
      size: '1080P',
      watermark: false,
    })
  })

  test.each(['2', '15', 2, 15])('takes seconds %j', (seconds) => {
    expect(answer(request({ seconds })).order).toMatchObject({ seconds: Number(seconds) })
  })

  test.each(['1', '16', 1, 16, '-1', -1, '5.5', 5.5, '5s', ''])('refuses seconds %j', (seconds) => {
    const { status, code, message } = answer(request({ seconds }))
    expect({ status, code }).toEqual({ status: 400, code: 'invalid_request' })
    expect(message).toContain('seconds must be "2" to "15", as a string or an integer')
  })

  const boat = '船'
  const film = '🎬'

  test.each([
    ['800 letters', 'x'.repeat(800)],
    ['800 Chinese characters', boat.repeat(800)],
    ['800 emoji, each of which a string holds in two places', film.repeat(800)],
    ['one character', 'x'],
  ])('takes a prompt of %s', (_, prompt) => {
    expect(answer(request({ prompt })).order).toMatchObject({ prompt })
  })

  test.each([
    ['801 letters', 'x'.repeat(801), 'prompt-length'],
    ['801 Chinese characters', boat.repeat(801), 'prompt-length'],
    ['801 emoji', film.repeat(801), 'prompt-length'],
    ['a million letters', 'x'.repeat(1_000_000), 'prompt-length'],
    ['nothing', '', 'prompt-is-not-empty'],
    ['blanks', ' \n ', 'prompt-is-not-empty'],
    ['a number', 5, 'schema.prompt'],
  ])('refuses a prompt of %s', (_, prompt, rule) => {
    const { status, code, rules } = answer(request({ prompt }))
    expect({ status, code, rules }).toEqual({
      status: 400,
      code: 'invalid_request',
      rules: [`e-video-reference.${rule}`],
    })
  })

  test('a prompt that is too long is answered with how long it is', () => {
    expect(answer(request({ prompt: film.repeat(801) })).message).toBe(
      'prompt must be at most 800 characters long, found 801.',
    )
  })

  test.each([
    ['size', '720P'],
    ['size', '1080P'],
    ['seed', 0],
    ['seed', 2_147_483_647],
    ['prompt_extend', true],
    ['watermark', true],
  ])('takes %s %j', (field, value) => {
    const { status, notes } = answer(request({ [field]: value }))
    expect(status).toBe(200)
    expect(notes.ignored).toEqual([])
  })

  test.each([
    ['size', '720p'],
    ['size', '480P'],
    ['seed', -1],
    ['seed', 2_147_483_648],
    ['seed', '7'],
    ['seed', 1.5],
    ['prompt_extend', 'true'],
    ['watermark', 1],
    ['subject_reference', undefined],
    ['subject_reference', []],
    ['subject_reference', character(url())],
    ['subject_reference', [{ image: [url()] }]],
    ['subject_reference', [{ type: 'object', image: [url()] }]],
    ['subject_reference', [{ type: 'character' }]],
    ['subject_reference', [{ type: 'character', image: [] }]],
    ['subject_reference', [{ type: 'character', image: '' }]],
    ['subject_reference', [{ type: 'character', image: [''] }]],
    ['subject_reference', [{ type: 'character', image: [7] }]],
    ['subject_reference', [character(url()), { type: 'character' }]],
  ])('refuses %s %j', (field, value) => {
    const { status, code, rules } = answer(request({ [field]: value }))
    expect({ status, code }).toEqual({ status: 400, code: 'invalid_request' })
    expect(rules[0]).toMatch(new RegExp(`^e-video-reference\\.schema\\.${field}`))
  })

  test('another model is unsupported where E is asked for it', () => {
    expect(answer(request({ model: 'beta9' }))).toMatchObject({ status: 400, code: 'unsupported_model' })
  })

  test('the seed is drawn from 0 to 2147483647 where none is sent', () => {
    const seeds = [1, 2, 3].map((sequence) => {
      const context = contextWith({ sequence })
      const seed = context.random.integer('seed', 0, 2_147_483_647)
      expect(answer(request(), context).order).toMatchObject({ seed })
      return seed
    })
    expect(new Set(seeds).size).toBe(3)
  })

  test.each([
    ['image', url()],
    ['image', ''],
    ['images', [url()]],
    ['images', []],
  ])('refuses %s %j beside subject_reference', (field, value) => {
    expect(answer(request({ [field]: value }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      rules: ['e-video-reference.subjects-stand-alone'],
      message: expect.stringMatching(new RegExp(`^${field} must be left out beside subject_reference`)),
    })
  })

  test('other keys of a subject are ignored and listed', () => {
    const subject = { ...character(url()), name: 'Ann' }
    const { status, notes } = answer(request({ subject_reference: [subject], ratio: '1:1' }))
    expect(status).toBe(200)
    expect(notes.ignored).toEqual(['subject_reference[0].name', 'ratio'])
  })
})

describe('subjects', () => {
  test('a string counts as a list with that one entry', () => {
    const { order: params } = answer(request({ subject_reference: [{ type: 'character', image: url() }] }))
    expect(params).toEqual(answer(request()).order)
  })

  test('images are named by their place in the body', () => {
    const body = request({
      subject_reference: [character(url(1), url(2)), { type: 'character', image: url(3) }],
    })
    expect(readRequest(referenceVideo.schema.parse(body)).mediaRefs).toEqual([
      { field: 'subject_reference[0].image[0]', url: url(1), wants: 'image', subject: 1 },
      { field: 'subject_reference[0].image[1]', url: url(2), wants: 'image', subject: 1 },
      { field: 'subject_reference[1].image', url: url(3), wants: 'image', subject: 2 },
    ])
  })

  test.each(['https://media.test/1', 'http://media.test/1', 'asset://asset-1', 'data:image/png;base64,AAAA'])(
    'takes an image written as %s',
    (address) => expect(answer(request({ subject_reference: [character(address)] })).status).toBe(200),
  )

  test.each(['ftp://media.test/1', 'picture.png', 'asset-1', 'asset://'])(
    'refuses an image written as %s',
    (address) => {
      expect(answer(request({ subject_reference: [character(url(), address)] }))).toMatchObject({
        status: 400,
        code: 'invalid_request',
        rules: ['e-video-reference.media-form'],
        message: expect.stringMatching(/^subject_reference\[0\]\.image\[1\] must be /),
      })
    },
  )

  test('the setting requireAssets is about B and C alone', () => {
    expect(answer(request(), contextWith({ settings: { requireAssets: true } })).status).toBe(200)
  })

  test.each(['asset', 'unreachable', 'unreadable', 'too-large'] as const)(
    'images that cannot be had (%s) are refused',
    (reason) => {
      expect(answer(request(), contextWith({ resolvedMedia: { [url()]: refused(reason) } }))).toMatchObject({
        status: 400,
        code: 'invalid_request',
        rules: ['e-video-reference.media-can-be-had'],
      })
    },
  )

  test('a subject is shown by images alone', () => {
    expect(answer(request(), contextWith({ resolvedMedia: { [url()]: video() } }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      rules: ['e-video-reference.media-kind'],
    })
  })

  test('the images of the subjects appear in the video, each under its subject', () => {
    const context = contextWith({ resolvedMedia: { [url(1)]: image(), [url(3)]: image({ format: 'jpeg' }) } })
    const body = request({ subject_reference: [character(url(1), url(2)), character(url(3))] })
    const task = taskOf(create(referenceVideo, body, context), context)
    expect(task.timeline.at(-1)?.value).toMatchObject({
      media: [
        {
          kind: 'video',
          references: [
            { kind: 'image', label: 'character 1 image.png', blob: expect.any(String) },
            { kind: 'image', label: 'character 1 elsewhere', blob: null },
            { kind: 'image', label: 'character 2 image.jpeg', blob: expect.any(String) },
          ],
        },
      ],
    })
  })
})
