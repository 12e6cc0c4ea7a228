import { describe, expect, test } from 'vitest'
import { bodies, localPart, openInProcess, paths } from '../emulator.js'

const { as, agent } = openInProcess({ videoBodyBytes: 2_000, imageBodyBytes: 2_000 })

/** The journal's entry of an answer, with its explanation. */
const entryOf = async (key: string, headers: Record<string, string>) =>
  (await as(key).get(`/_backlot/requests/${headers['x-request-id']}`)).body

const refusedAny = async (key: string) =>
  (await as(key).get('/_backlot/requests?problem=any')).body.items.map(({ id }: { id: string }) => id)

const imageUrl = async (key: string): Promise<string> =>
  localPart((await as(key).post(paths.image, bodies.image())).body.output.choices[0].message.content[0].image)

describe('a result that is refused: the answer does not say why, the journal does', () => {
  test('it has expired', async () => {
    const url = await imageUrl('late')
    await as('late').clock.advance('25h')
    const { status, headers } = await agent.get(url)
    expect(status).toBe(403)
    const { refusedBy, explanation } = await entryOf('late', headers)
    expect(refusedBy).toEqual([
      {
        error: 'AccessDenied',
        rule: 'results.not-expired',
        place: 'docs/gaps.md#x9',
        field: 'Expires',
        found: '2026-01-02T00:00:00.000Z',
        allowed: 'a time after 2026-01-02T01:00:00.000Z',
        message: expect.any(String),
      },
    ])
    expect(explanation).toEqual([
      'The call is results.download and was answered with 403.',
      'Refused by the rule results.not-expired (docs/gaps.md#x9): The URL expired at 2026-01-02T00:00:00.000Z, and the clock of its account says 2026-01-02T01:00:00.000Z.',
    ])
    expect(await refusedAny('late')).toEqual([headers['x-request-id']])
  })

  test.each([
    ['another signature', /Signature=./, 'Signature=!', 'another signature', 'Signature'],
    ['no signature', /&Signature=.*/, '', 'none', 'Signature'],
    ['an empty signature', /Signature=.*/, 'Signature=', 'none', 'Signature'],
    ['a later expiry', /Expires=\d/, 'Expires=9', 'another signature', 'Signature'],
    ['no expiry', /Expires=\d+&/, '', 'none', 'Expires'],
  ])('it has %s', async (_, part, instead, found, field) => {
    const { headers } = await agent.get((await imageUrl('forger')).replace(part, instead))
    const { status, refusedBy, explanation } = await entryOf('forger', headers)
    expect(status).toBe(403)
    expect(refusedBy).toMatchObject([{ rule: 'results.signature', place: 'docs/gaps.md#x9', field, found }])
    expect(explanation[1]).toMatch(
      /^Refused by the rule results\.signature \(docs\/gaps\.md#x9\): The \w.*\w\.$/,
    )
  })

  test('its task was deleted', async () => {
    const { body } = await as('gone').post(paths.tasks, bodies.task())
    await as('gone').clock.advance({ to: 'idle' })
    const url = (await as('gone').get(`${paths.tasks}/${body.id}`)).body.content.video_url
    await as('gone').delete(`${paths.tasks}/${body.id}`)
    const { status, headers } = await agent.get(localPart(url))
    expect(status).toBe(404)
    expect((await entryOf('gone', headers)).refusedBy).toMatchObject([
      { error: 'NoSuchKey', rule: 'results.task-exists', place: 'docs/gaps.md#n3', found: body.id },
    ])
  })

  test('its range is not there, in the download as in the content of a task', async () => {
    const url = await imageUrl('range')
    const { headers } = await agent.get(url).set('Range', 'bytes=99999999-')
    const { status, refusedBy } = await entryOf('range', headers)
    expect(status).toBe(416)
    expect(refusedBy).toMatchObject([
      {
        rule: 'results.range',
        place: 'docs/gaps.md#x9',
        field: 'Range',
        found: 'bytes=99999999-',
        allowed: expect.stringMatching(/^a part of the \d+ bytes that there are$/),
      },
    ])
    const { body } = await as('range').post(paths.tasks, bodies.task({ resolution: '480p', duration: 4 }))
    await as('range').clock.advance({ to: 'idle' })
    const content = await as('range').get(`/v1/videos/${body.id}/content`).set('Range', 'bytes=99999999-')
    expect(content.status).toBe(416)
    expect((await entryOf('range', content.headers)).refusedBy).toMatchObject([{ rule: 'c-video.range' }])
  })

  test('a file that was sent, whole or in part, has no refusal', async () => {
    const { headers } = await agent.get(await imageUrl('fine'))
    expect((await entryOf('fine', headers)).refusedBy).toEqual([])
    const part = await agent.get(await imageUrl('fine')).set('Range', 'bytes=0-3')
    expect((await entryOf('fine', part.headers)).refusedBy).toEqual([])
    expect(await refusedAny('fine')).toEqual([])
  })
})

describe('a body that cannot be looked at', () => {
  const multipart = (path: string, key: string) =>
    agent.post(path).set('Authorization', key).attach('file', Buffer.from('x'), 'x.png')

  test.each([
    [
      'is no JSON',
      400,
      () => as('early').post(paths.image, '{"model":'),
      {
        error: 'InvalidParameter',
        rule: 'a-image.body-is-json',
        place: 'docs/gaps.md#x8',
        found: '9 bytes',
        allowed: 'JSON',
      },
    ],
    [
      'is a form where JSON is asked for',
      415,
      () => multipart('/v1/videos', 'early'),
      {
        error: 'unsupported_media_type',
        rule: 'c-video.content-type',
        place: 'docs/gaps.md#c12',
        field: 'Content-Type',
        found: expect.stringContaining('multipart/form-data'),
        allowed: 'application/json',
      },
    ],
    [
      'is no form where one is asked for',
      400,
      () => as('early').post('/v1/asset/upload', { file: 'x' }),
      {
        error: 'InvalidParameter',
        rule: 'd-assets.body-is-form',
        place: 'docs/families/d-assets.md#upload',
        allowed: 'a form (multipart/form-data) with one file',
      },
    ],
    [
      'is too large',
      413,
      () => as('early').post(paths.image, ' '.repeat(2_001)),
      {
        error: 'RequestBodyTooLarge',
        rule: 'a-image.body-size',
        place: 'docs/families/a-image.md#body, docs/gaps.md#a7',
        found: '2001 bytes',
        allowed: 'at most 2000 bytes',
      },
    ],
  ])('since it %s', async (_, status, call, refusal) => {
    const answer = await call()
    expect(answer.status).toBe(status)
    const { refusedBy, explanation } = await entryOf('early', answer.headers)
    expect(refusedBy).toMatchObject([refusal])
    expect(explanation[1]).toMatch(/^Refused by the rule \S+ \(.+\): The \w.*[^.]\.$/)
    expect(await refusedAny('early')).toContain(answer.headers['x-request-id'])
  })

  test('a body of just the size that is allowed is refused by other rules', async () => {
    const answer = await as('early').post(paths.image, ' '.repeat(2_000))
    expect((await entryOf('early', answer.headers)).refusedBy).toMatchObject([
      { rule: 'a-image.body-is-json' },
    ])
  })
})

test('the rules that refuse before or beside the families are among all rules', async () => {
  const { items } = (await agent.get('/_backlot/rules')).body
  const ids = items.map(({ id }: { id: string }) => id)
  for (const id of ['results.not-expired', 'results.signature', 'results.task-exists', 'results.range'])
    expect(ids).toContain(id)
  for (const id of ['c-video.range', 'c-video.body-is-json', 'd-assets.body-is-form', 'a-image.body-size'])
    expect(ids).toContain(id)
})

test('a call without a key that opens an account says so in the journal, and not which key', async () => {
  const { status, headers } = await as('invalid-secret-key').post(paths.tasks, bodies.task())
  expect(status).toBe(401)
  const entry = await entryOf('invalid-secret-key', headers)
  expect(entry.refusedBy).toMatchObject([
    { error: 'AuthenticationError', rule: 'b-video-task.credentials', field: 'Authorization' },
  ])
  expect(JSON.stringify(entry)).not.toContain('invalid-secret-key')
})

test('a scenario that a call names and that there is not is a refusal of the emulator', async () => {
  const answer = await as('guest').post(paths.tasks, bodies.task()).set('X-Backlot-Scenario', 'nothing')
  expect(answer.status).toBe(400)
  expect((await entryOf('guest', answer.headers)).refusedBy).toMatchObject([
    { error: 'unknown-scenario', rule: 'emulator.scenario-header' },
  ])
})
