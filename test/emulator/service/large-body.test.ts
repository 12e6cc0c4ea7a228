import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyTaskFamily } from '../../../src/emulator/core/contract.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { samplesOf } from '../../contract/samples.js'
import { openInProcess, paths } from '../../emulator.js'

const { mediaKeys, taskFamilies } = builtIn

describe('large body', async () => {
  const { as } = openInProcess()

  const square = await readFile(new URL('../../../fixtures/media/square.png', import.meta.url))

  // Spaces between tokens make a body large without making its media so.
  const editing = (image: string, padding: number): string =>
    JSON.stringify({
      model: 'alpha-image-3.0-pro',
      input: { messages: [{ role: 'user', content: [{ text: 'repaint it' }, { image }] }] },
    }) + ' '.repeat(padding)

  const dataUrl = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`

  // A picture of several hundred kilobytes: a PNG may hold a chunk of anything before its end.
  const padded = (bytes: Buffer, extra: number): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(extra)
    head.write('teSt', 4, 'latin1')
    return Buffer.concat([bytes.subarray(0, 33), head, Buffer.alloc(extra + 4), bytes.subarray(33)])
  }

  test.each([
    ['a small body', 0],
    ['a large body', 2 * 2 ** 20],
  ])('the media of %s are read', async (_, padding) => {
    const { status, body } = await as('k').post(paths.image, editing(dataUrl(square), padding))
    expect(status).toBe(200)
    expect(body.usage.input_image_count).toBe(1)
  })

  test('large media in a large body are taken out of it, and the journal says how large they were', async () => {
    const url = dataUrl(padded(square, 2 ** 20))
    const guest = as('large')
    expect((await guest.post(paths.image, editing(url, 0))).status).toBe(200)
    const [entry] = await guest.requests.list()
    expect(JSON.stringify(entry?.body)).toContain(
      `(${url.length - 'data:image/png;base64,'.length} characters)`,
    )
  })

  test('Base64 that is none is refused in a large body as in a small one', async () => {
    const broken = `data:image/png;base64,${'%'.repeat(2_000)}`
    const answers = await Promise.all(
      [0, 2 ** 20].map((padding) => as('k').post(paths.image, editing(broken, padding))),
    )
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
    expect(answers[0]?.body.message).toBe(answers[1]?.body.message)
  })

  test('a large body that is no JSON is refused', async () => {
    const { status, body } = await as('k').post(paths.image, `${'['.repeat(2 ** 20)}`)
    expect([status, body.code]).toEqual([400, 'InvalidParameter'])
  })

  test('a number in the place of Base64 leads nowhere', async () => {
    expect((await as('k').post(paths.image, editing('data:image/png;base64,@0:9', 0))).status).toBe(400)
    expect((await as('k').post(paths.image, editing('data:image/png;base64,@0:9', 2 ** 20))).status).toBe(400)
  })

  const deep = `{"a":${'['.repeat(101)}${']'.repeat(101)}}`

  test.each([
    ['too deep', Buffer.from(deep), 'The request body must be at most 100 levels deep'],
    [
      'not in UTF-8',
      Buffer.from([0x22, 0xff, 0xfe, 0x22]),
      'The request body is not valid JSON: its text is not UTF-8',
    ],
    [
      'in UTF-16',
      Buffer.from('{"a":1}', 'utf16le'),
      'The request body is not valid JSON: its text is UTF-16, not UTF-8',
    ],
    [
      'in UTF-16, the other way round',
      Buffer.from('{"a":1}', 'utf16le').swap16(),
      'The request body is not valid JSON: its text is UTF-16, not UTF-8',
    ],
    ['no JSON', Buffer.from('{"a" 1}'), 'The request body is not valid JSON: Expected '],
  ])('what is %s is refused with one sentence, however large it is', async (_, sent, sentence) => {
    const { agent } = openInProcess()
    for (const padding of [0, 2 ** 20]) {
      const body = Buffer.concat([sent, Buffer.alloc(padding, ' ')])
      const answer = await agent
        .post(paths.tasks)
        .set({ authorization: 'Bearer k', 'content-type': 'application/json' })
        .serialize((bytes) => bytes)
        .send(body)
      expect(answer.status).toBe(400)
      expect(answer.body.error.message.split('The request body')).toHaveLength(2)
      expect(answer.body.error.message).toContain(sentence)
    }
  })
})

describe('large body fields', async () => {
  // Two emulators that differ in nothing: what one is told in a small body, the other is told in a large one.
  const outside = { systemNow: () => 1_700_000_000_000 }
  const settings = { moderationWords: ['forbidden'], publicUrl: 'http://backlot.test' }
  const [small, large] = [openInProcess(settings, outside), openInProcess(settings, outside)]

  // Spaces behind the value make a body large without changing what it says.
  const PADDING = ' '.repeat(520 * 1024)

  const square = readFileSync(new URL('../../../fixtures/media/square.png', import.meta.url)).toString(
    'base64',
  )
  const HEAD = 'data:image/png;base64,'

  const mediaValues = {
    'a picture': HEAD + square,
    'a picture in lines': HEAD + square.replace(/(.{76})/g, '$1\r\n'),
    'a short picture that is none': `${HEAD}AAAA`,
    'letters that Base64 does not have': HEAD + '%'.repeat(2_000),
    'very many of them': `${HEAD}${'A'.repeat(9_000)}${'%'.repeat(20_000)}`,
    'nothing but spaces': HEAD + ' '.repeat(2_000),
    'the number of another picture': `${HEAD}@0:5`,
    'the number of no picture': `${HEAD}@7:400000`,
    'a number in capitals': 'DATA:image/png;BASE64,@0:5',
    'a long name of its kind': `data:image/png;${'x'.repeat(150)};base64,${square}`,
  }

  const textValues = {
    'a text that looks like a picture': HEAD + square.repeat(8).slice(0, 7_100),
    'one with a word that is refused': `${HEAD}${'x'.repeat(1_100)}forbidden`,
    'one that looks like a number': `${HEAD}@0:5`,
  }

  const refusalOf = async (renderer: typeof small, key: string, path: string, body: string) => {
    const guest = renderer.as(key)
    const { status, body: answer } = await guest.post(path, body)
    const [entry] = await guest.requests.list()
    const { refusedBy, warnings, ignored } = entry ?? {}
    return { status, answer, refusedBy, warnings, ignored, kept: entry?.body }
  }

  let calls = 0

  /** Tells both, sees that they answer alike, and gives the answer. */
  const alike = async (path: string, body: unknown) => {
    calls += 1
    const [key, text] = [`guest ${calls}`, JSON.stringify(body)]
    const [one, other] = [
      await refusalOf(small, key, path, text),
      await refusalOf(large, key, path, text + PADDING),
    ]
    expect(other).toEqual(one)
    return one
  }

  type Path = readonly (string | number)[]

  const pathOf = (field: string): Path =>
    [...field.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step))

  /** A copy of a body with another value at a path. */
  const withAt = (body: unknown, [step, ...rest]: Path, value: unknown): unknown => {
    if (step === undefined) return value
    if (Array.isArray(body))
      return body.map((item, index) => (index === step ? withAt(item, rest, value) : item))
    const known = typeof body === 'object' && body !== null ? body : {}
    return { ...known, [step]: withAt(Reflect.get(known, step), rest, value) }
  }

  const textsIn = (value: unknown, path: Path = []): Path[] => {
    if (typeof value === 'string') return [path]
    if (value === null || typeof value !== 'object') return []
    const isList = Array.isArray(value)
    return Object.entries(value).flatMap(([key, inner]) =>
      textsIn(inner, [...path, isList ? Number(key) : key]),
    )
  }

  /** Fields of a request that are texts, whether a sample has them or not. */
  const textsInSchema = (schema: unknown, path: Path = []): Path[] => {
    const { type, properties = {} } = schema as { type?: string; properties?: Record<string, unknown> }
    if (type === 'string') return [path]
    return Object.entries(properties).flatMap(([key, inner]) => textsInSchema(inner, [...path, key]))
  }

  interface Place {
    readonly name: string
    readonly path: Path
    readonly body: unknown
    readonly isMedium: boolean
  }

  /** Every place of a family's requests where a text can stand, each with a sample that has it. */
  const placesOf = (family: AnyTaskFamily): Place[] => {
    const places = new Map<string, Place>()
    const note = (path: Path, body: unknown, isMedium: boolean) => {
      const name = path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('')
      if (!places.has(name)) places.set(name, { name: name.slice(1), path, body, isMedium })
    }
    const schema = z.toJSONSchema(family.schema, { io: 'input', unrepresentable: 'any' })
    for (const { body } of samplesOf(family.id)) {
      const parsed = family.schema.parse(body)
      const mediaRefs = family.mediaRefs?.(family.readRequest?.(parsed) ?? parsed) ?? []
      for (const { field } of mediaRefs) note(pathOf(field), body, true)
      for (const path of [...textsIn(body), ...textsInSchema(schema)]) note(path, body, false)
    }
    return [...places.values()]
  }

  describe.each(taskFamilies.map((family) => [family.id, family] as const))('%s', (_, family) => {
    const { path: route } = family.routes.create
    const places = placesOf(family)

    test.each(places.filter(({ isMedium }) => isMedium).map((place) => [place.name, place] as const))(
      'the medium in %s is the same in a large body as in a small one',
      async (_, { path, body }) => {
        expect(mediaKeys).toContain(path.findLast((step) => typeof step === 'string'))
        for (const value of Object.values(mediaValues)) await alike(route, withAt(body, path, value))
        const none = await alike(route, withAt(body, path, mediaValues['the number of no picture']))
        expect(none.status).toBe(400)
        expect(JSON.stringify(none.answer)).toContain('characters that are not valid Base64')
      },
    )

    test.each(places.filter(({ isMedium }) => !isMedium).map((place) => [place.name, place] as const))(
      'the text in %s is the same in a large body as in a small one',
      async (_, { path, body }) => {
        for (const value of Object.values(textValues)) await alike(route, withAt(body, path, value))
      },
    )
  })

  const withSubject = (image: unknown, more: object = {}) => ({
    model: 'beta2.7-r2v',
    subject_reference: [{ type: 'character', image }],
    ...more,
  })

  test.each(Object.entries(mediaValues))('places that are no lists or no media: %s', async (_, value) => {
    await alike('/v1/videos', withSubject(value))
    await alike('/v1/videos', withSubject([[value]]))
    await alike('/v1/videos', withSubject(mediaValues['a picture'], { image: value }))
    await alike('/v1/videos', withSubject(mediaValues['a picture'], { images: [value, { url: value }] }))
    await alike('/v1/videos', value)
    await alike('/v1/videos', [value])
  })

  test('a picture among spaces is read in a large body as in a small one, and shown so', async () => {
    const url = HEAD + square.replace(/(.{76})/g, '$1 ')
    const body = withSubject(mediaValues['a picture'], { image: url })
    const [one, other] = [
      await refusalOf(small, 'spaces', '/v1/videos', JSON.stringify(body)),
      await refusalOf(large, 'spaces', '/v1/videos', JSON.stringify(body) + PADDING),
    ]
    expect(one.status).toBe(400)
    expect([other.status, other.answer]).toEqual([one.status, one.answer])
  })

  test.each([
    ['a small body', ''],
    ['a large body', PADDING],
  ])('a picture in %s cannot be named by what stands in its place', async (_, padding) => {
    const body = {
      model: 'videoa-2-0-260128',
      content: [
        { type: 'text', text: 'a lighthouse' },
        { type: 'image_url', role: 'first_frame', image_url: { url: mediaValues['a picture'] } },
        { type: 'image_url', role: 'last_frame', image_url: { url: `${HEAD}@0:${square.length}:` } },
      ],
    }
    const path = '/provB/api/v3/contents/generations/tasks'
    const { status, answer } = await refusalOf(small, 'forger', path, JSON.stringify(body) + padding)
    expect(status).toBe(400)
    expect(JSON.stringify(answer)).toContain(
      'content[2].image_url.url cannot be used: it contains characters',
    )
  })
})
