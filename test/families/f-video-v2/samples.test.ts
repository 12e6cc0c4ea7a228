import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MediaFacts } from '../../../src/core/media/facts.js'
import type { ResolvedMedia } from '../../../src/core/media/mention.js'
import { mediaOf } from '../../../src/families/f-video-v2/content.js'
import { videoV2 } from '../../../src/families/f-video-v2/index.js'
import { schema } from '../../../src/families/f-video-v2/schema.js'
import { modeOf } from '../../../src/families/shared/roles.js'
import { create, worldWith } from '../world.js'
import { answer, clip, picture, request, sound, text } from './request.js'

const ORIGIN = 'http://backlot.test'
const folder = new URL('../../../fixtures/', import.meta.url)
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
    const { reply, notes } = create(videoV2, body, worldWith({ found, settings: { strict: true } }))
    expect(reply.status).toBe(200)
    expect(notes.warnings).toEqual([])
  },
)

test('there is a sample for every mode of each model', () => {
  const modes = samples.map(({ body }) => {
    const input = schema.parse(body)
    return `${input.model} ${modeOf(mediaOf(input))}`
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
    const { rules } = answer(request({ content: [text(), beside, medium] }), worldWith({ found }))
    expect(rules[0]).toMatch(new RegExp(`^f-video-v2\\.${facts.kind}-`))
  },
)
