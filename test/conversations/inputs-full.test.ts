import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodies, localPart, openInProcess, paths } from '../emulator.js'

const FIRST = 'http://backlot.test/_backlot/fixtures/first-frame.png'
const SECOND = 'http://backlot.test/_backlot/fixtures/last-frame.png'
const text = { type: 'text', text: 'a lighthouse' }

const withImage = (url: string) => ({
  ...bodies.image(),
  input: { messages: [{ role: 'user', content: [{ image: url }, { text: 'a lighthouse' }] }] },
})

const withFrame = (url: string) => ({
  model: 'videoa-2-0-260128',
  media: [text, { type: 'first_frame', url }],
  size: '480p',
})

const upload = (agent: ReturnType<typeof openInProcess>['agent']) =>
  agent
    .post('/v1/asset/upload')
    .set('Authorization', 'Bearer library')
    .attach('file', 'fixtures/media/tone.wav')

const frame = { type: 'image_url', role: 'first_frame', image_url: { url: FIRST } }

// As at the other bounds: it is no mistake of the caller.
describe('an input that does not fit beside the assets is 429 of the family, by the setting', () => {
  const { as, agent } = openInProcess({ inputBytes: 25_000 })
  beforeAll(async () => {
    expect((await upload(agent)).status).toBe(200)
  })
  const says = expect.stringMatching(
    /^An input of \d+ bytes does not fit into the store of inputs: it holds at most 25000 bytes, of which 24044 cannot be evicted\. Raise the setting inputBytes/,
  )

  test.each<[string, string, object, object]>([
    ['A', paths.image, withImage(FIRST), { code: 'Throttling.RateQuota', message: says }],
    [
      'B',
      paths.tasks,
      { ...bodies.task(), content: [text, frame] },
      { error: { code: 'RateLimitExceeded.EndpointRPMExceeded', message: says } },
    ],
    [
      'C',
      '/v1/videos',
      withFrame(FIRST),
      { code: 'rate_limit_exceeded', message: says, data: null, error: { message: says } },
    ],
    [
      'E',
      '/v1/videos',
      { model: 'beta2.7-r2v', subject_reference: [{ type: 'character', image: [FIRST] }] },
      { code: 'rate_limit_exceeded', message: says, data: null, error: { message: says } },
    ],
    [
      'F',
      '/provC/v2/video_generation',
      { model: 'gamma-H3', content: [text, frame], duration: 5 },
      { type: 'error', error: { type: 'rate_limit_error', message: says } },
    ],
  ])('%s', async (family, path, body, problem) => {
    const answer = await as(family).post(path, body)
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1'])
    expect(answer.body).toMatchObject(problem)
    const { body: journal } = await as(family).get('/_backlot/requests')
    const rule = expect.stringMatching(/\.room-for-body$/)
    expect(journal.items).toMatchObject([{ status: 429, task: null, refusedBy: [{ rule }] }])
  })
})

describe('an input that is larger than the store of inputs is refused as a body that is too large', () => {
  const { as, agent } = openInProcess({ inputBytes: 1_000 })
  const says = (bytes: number) =>
    `An input of ${bytes} bytes does not fit into the store of inputs: it holds at most 1000 bytes. Raise the setting inputBytes`

  test('in a create', async () => {
    const answer = await as('A').post(paths.image, withImage(FIRST))
    expect([answer.status, answer.headers['retry-after']]).toEqual([413, undefined])
    expect(answer.body).toMatchObject({
      code: 'RequestBodyTooLarge',
      message: `${says(sizes[0] as number)}.`,
    })
  })

  test('in an upload', async () => {
    const answer = await upload(agent)
    expect([answer.status, answer.headers['retry-after']]).toEqual([400, undefined])
    expect(answer.body).toMatchObject({ code: 400, msg: says(24_044) })
  })
})

// The store then holds either picture, and not both.
const sizes = ['first', 'last'].map((which) => statSync(`fixtures/media/${which}-frame.png`).size)
// Its folder is its own: what was drawn before would be sent without being drawn again.
const tight = () => {
  const mediaFolder = mkdtempSync(join(tmpdir(), 'inputs-full-'))
  afterAll(() => rmSync(mediaFolder, { recursive: true, force: true }))
  return { inputBytes: Math.max(...sizes), mediaFolder }
}

describe('a result whose input was evicted', () => {
  const { agent, as } = openInProcess(tight())
  const missing = {
    error: {
      code: 'input-missing',
      message: expect.stringMatching(/^The input [0-9a-f]{12}… of this result is no longer stored/),
      hint: expect.stringContaining('inputBytes'),
    },
  }

  test('cannot be drawn, and says why, as an image', async () => {
    const { body } = await as('image').post(paths.image, withImage(FIRST))
    expect((await as('other').post(paths.image, withImage(SECOND))).status).toBe(200)
    const { image } = body.output.choices[0].message.content[0]
    const { status, body: problem } = await agent.get(localPart(image))
    expect(status).toBe(500)
    expect(problem).toEqual(missing)
  })

  test('cannot be drawn, and says why, as the content of a video', async () => {
    const { body } = await as('video').post('/v1/videos', withFrame(FIRST))
    await as('video').clock.advance({ to: 'idle' })
    expect((await as('other').post('/v1/videos', withFrame(SECOND))).status).toBe(200)
    const { status, body: problem } = await as('video').get(`/v1/videos/${body.id}/content`)
    expect(status).toBe(500)
    // In the words of the family, since it is one of its calls (gap Z24).
    expect(problem).toMatchObject({ code: 'internal_error', message: missing.error.message })
    expect(problem.message).toContain('inputBytes')
  })
})

describe('a result whose input was evicted and sent again', () => {
  const { agent, as } = openInProcess(tight())

  test('can be drawn', async () => {
    const { body } = await as('again').post(paths.image, withImage(FIRST))
    await as('other').post(paths.image, withImage(SECOND))
    await as('other').post(paths.image, withImage(FIRST))
    const { image } = body.output.choices[0].message.content[0]
    const { status, headers } = await agent.get(localPart(image))
    expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  })
})
