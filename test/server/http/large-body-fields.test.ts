import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyTaskFamily } from '../../../src/core/task/family.js'
import { taskFamilies } from '../../../src/families/index.js'
import { mediaKeys } from '../../../src/families/media-keys.js'
import { samplesOf } from '../../contract/samples.js'
import { openStudio } from '../../conversations/studio.js'

// Two emulators that differ in nothing: what one is told in a small body, the other is told in a large one.
const outside = { wall: () => 1_700_000_000_000 }
const settings = { moderationWords: ['forbidden'], publicUrl: 'http://backlot.test' }
const [small, large] = [openStudio(settings, outside), openStudio(settings, outside)]

// Spaces behind the value make a body large without changing what it says.
const PADDING = ' '.repeat(520 * 1024)

const square = readFileSync(new URL('../../../fixtures/media/square.png', import.meta.url)).toString('base64')
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

const told = async (renderer: typeof small, key: string, path: string, body: string) => {
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
  const [one, other] = [await told(small, key, path, text), await told(large, key, path, text + PADDING)]
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
    const mediaRefs = family.mediaRefs?.(family.schema.parse(body)) ?? []
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
      expect(JSON.stringify(none.answer)).toContain('characters that Base64 does not have')
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
    await told(small, 'spaces', '/v1/videos', JSON.stringify(body)),
    await told(large, 'spaces', '/v1/videos', JSON.stringify(body) + PADDING),
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
  const { status, answer } = await told(small, 'forger', path, JSON.stringify(body) + padding)
  expect(status).toBe(400)
  expect(JSON.stringify(answer)).toContain('content[2].image_url.url cannot be used: its Base64 holds')
})
