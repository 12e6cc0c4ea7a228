import { expect, test } from 'vitest'
import { probe } from '../../../src/emulator/media/probe.js'
import type { ScenarioEffects } from '../../../src/generated/scenario-document.js'
import { b, create, IMAGES, image, type Playing, startPlaying } from './play.js'

type Result = NonNullable<ScenarioEffects['result']>

const open = (result: Result, when: object = {}) =>
  startPlaying({
    name: 'other-file',
    description: 'A valid file that was not ordered.',
    steps: [{ when: { operation: 'results.download', ...when }, then: { result } }],
  })

/** Makes a video of four seconds at 480p, and gives the URL of its file. */
const film = async (playing: Playing, seed = 1): Promise<string> => {
  const answers = await playing.poll(b, await create(playing, b, { seed }))
  return b.resultOf(answers.at(-1) as (typeof answers)[number]) ?? ''
}

const fetched = async (url: string) => {
  const response = await fetch(url)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { bytes, type: response.headers.get('content-type'), facts: await probe(bytes), response }
}

const changes: readonly (readonly [Result, object])[] = [
  [{ seconds: 2 }, { kind: 'video', seconds: 2 }],
  [{ size: '640x360' }, { kind: 'video', width: 640, height: 360, seconds: 4 }],
  [{ framesPerSecond: 12 }, { kind: 'video', framesPerSecond: 12 }],
]

test('a film of another length, size or frame rate is valid, and the call says what was done', {
  timeout: 60_000,
}, async () => {
  const playing = await startPlaying({
    name: 'other-films',
    description: 'Valid films that were not ordered.',
    steps: changes.map(([result], index) => ({
      when: { operation: 'results.download', nth: index + 2 },
      then: { result },
    })),
  })
  const url = await film(playing)
  const ordered = await fetched(url)
  expect(ordered.facts).toMatchObject({ kind: 'video', seconds: 4 })
  for (const [result, facts] of changes) {
    const other = await fetched(url)
    expect(ordered.facts).not.toMatchObject(facts)
    expect(other.facts).toMatchObject(facts)
    expect(other.response.headers.get('content-length')).toBe(String(other.bytes.length))
    const [last] = await playing.account.requests.list({ operation: 'results.download' })
    expect(last?.scenario?.acted?.effects).toEqual([`result.${Object.keys(result)[0]}`])
  }
})

test('a film comes without its sound', { timeout: 60_000 }, async () => {
  const playing = await open({ sound: false }, { nth: 2 })
  const url = await film(playing)
  const [ordered, silent] = [await fetched(url), await fetched(url)]
  expect(ordered.bytes.includes('mp4a')).toBe(true)
  expect(silent.bytes.includes('mp4a')).toBe(false)
  expect(silent.facts).toMatchObject({ kind: 'video', seconds: 4 })
})

test('a film is turned by a flag, and its size is that of players', { timeout: 60_000 }, async () => {
  const playing = await open({ rotation: 90 }, { nth: 2 })
  const url = await film(playing)
  const ordered = (await fetched(url)).facts as { width: number; height: number }
  expect((await fetched(url)).facts).toMatchObject({ width: ordered.height, height: ordered.width })
})

test('a picture comes in another format, with its type', async () => {
  const playing = await open({ format: 'webp' }, { nth: 2 })
  const { body } = await playing.ask('POST', IMAGES, image())
  const url = body.output.choices[0].message.content[0].image
  const [ordered, other] = [await fetched(url), await fetched(url)]
  expect([ordered.type, other.type]).toEqual(['image/png', 'image/webp'])
  const { width, height } = ordered.facts as { width: number; height: number }
  expect(other.facts).toMatchObject({ kind: 'image', format: 'webp', width, height })
  expect(other.response.headers.get('etag')).not.toBe(ordered.response.headers.get('etag'))
})

test('the film of another task, and the same film for all', { timeout: 60_000 }, async () => {
  const playing = await open({ of: 'another-task' }, { nth: [2, 4] })
  const first = await film(playing)
  const own = await fetched(first)
  expect((await fetched(first)).bytes.equals(own.bytes)).toBe(true)
  const second = await film(playing, 2)
  const [good, swapped] = [await fetched(second), await fetched(second)]
  expect([good.bytes.equals(own.bytes), swapped.bytes.equals(own.bytes)]).toEqual([false, true])
  await playing.account.scenario.play({
    name: 'same-film',
    description: 'All tasks have the film of the first one.',
    steps: [{ when: { operation: 'results.download' }, then: { result: { of: 'first-task' } } }],
  })
  expect((await fetched(second)).bytes.equals(own.bytes)).toBe(true)
  expect((await fetched(first)).bytes.equals(own.bytes)).toBe(true)
})

test('what changes nothing has not acted: another kind of file, the same length, no other task', {
  timeout: 60_000,
}, async () => {
  const playing = await open({ seconds: 4 })
  await fetched(await film(playing))
  const { body } = await playing.ask('POST', IMAGES, image())
  await fetched(body.output.choices[0].message.content[0].image)
  const calls = await playing.account.requests.list({ operation: 'results.download' })
  expect(calls.map(({ scenario }) => scenario?.acted)).toEqual([null, null])
  expect((await playing.account.scenario.steps())[0]).toMatchObject({
    seen: 2,
    acted: 0,
    lastMiss:
      'would have acted, but found nothing to act on: the call was refused, or its file is of another kind',
  })
})

test('the verdict tells of a file that is not what was ordered, and not where the right one follows', {
  timeout: 60_000,
}, async () => {
  const playing = await open({ seconds: 2 }, { first: 1 })
  const url = await film(playing)
  await fetched(url)
  expect(await playing.account.verdict()).toMatchObject([
    { kind: 'kept-other-file', message: expect.stringContaining('(by the scenario: result.seconds)') },
  ])
  await fetched(url)
  expect(await playing.account.verdict()).toEqual([])
})

test.each<[Result, string]>([
  [{ size: '641x360' }, 'a video has an even width and height'],
  [{ seconds: 2, expired: true }, 'there is no file then'],
  [{ format: 'jpeg', contentType: 'image/png' }, 'the format says it'],
  [{ rotation: 45 as 90 }, '90'],
])('%o is refused', (result, message) => expect(open(result)).rejects.toThrow(message))
