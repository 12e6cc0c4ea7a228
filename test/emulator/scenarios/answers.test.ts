import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../folder.js'
import { b, c, create, e, f, IMAGES, image, startPlaying, type VideoFamily, videoFamilies } from './play.js'

/** The statuses of so many creates, one after the other. */
const statuses = async (scenario: string, path: string, body: object, count: number): Promise<number[]> => {
  const { ask } = await startPlaying(scenario)
  const seen: number[] = []
  for (let left = count; left > 0; left -= 1) seen.push((await ask('POST', path, body)).status)
  return seen
}

describe('rate-limit-burst', () => {
  test.each<[string, string, object, string]>([
    ['A', IMAGES, image(), 'Throttling.RateQuota'],
    ['B', b.create, b.body(), 'RateLimitExceeded.EndpointRPMExceeded'],
    ['C', c.create, c.body(), 'rate_limit_exceeded'],
    ['E', e.create, e.body(), 'rate_limit_exceeded'],
    ['F', f.create, f.body(), 'rate_limit_error'],
  ])(
    '%s: three creates are refused in the family’s own words, with Retry-After',
    async (_, path, body, error) => {
      const { ask } = await startPlaying('rate-limit-burst')
      const answers = [1, 2, 3, 4].map(() => ask('POST', path, body))
      const [first, second, third, fourth] = await Promise.all(answers)
      for (const answer of [first, second, third]) {
        expect(answer?.status).toBe(429)
        expect(answer?.headers.get('retry-after')).toBe('2')
        expect(answer?.text).toContain(error)
      }
      expect(fourth?.status).toBe(200)
    },
  )
})

describe('rate-limit-strict', () => {
  const creates: [string, string, object, string][] = [
    ['A', IMAGES, image(), 'Throttling.RateQuota'],
    ['B', b.create, b.body(), 'RateLimitExceeded.EndpointRPMExceeded'],
    ['C', c.create, c.body(), 'rate_limit_exceeded'],
    ['E', e.create, e.body(), 'rate_limit_exceeded'],
    ['F', f.create, f.body(), 'rate_limit_error'],
  ]

  /** An emulator whose real time stands still until a test moves it. */
  const startStrict = async () => {
    let realTime = Date.parse('2026-01-01T00:00:00Z')
    const systemNow = () => realTime
    const started = await startPlaying('rate-limit-strict', { clock: 'paused' }, { systemNow })
    const status = async (path: string, body: object) => (await started.ask('POST', path, body)).status
    const passRealTime = (ms: number) => {
      realTime += ms
    }
    return { ...started, status, passRealTime }
  }

  test.each(creates)('%s: creates are refused until Retry-After has passed in real time', async (...row) => {
    const [, path, body, error] = row
    const { ask, status, passRealTime } = await startStrict()
    for (const ms of [0, 1_000, 979]) {
      passRealTime(ms)
      const { status, headers, text } = await ask('POST', path, body)
      expect([status, headers.get('retry-after')]).toEqual([429, '2'])
      expect(text).toContain(error)
    }
    passRealTime(1)
    expect([await status(path, body), await status(path, body)]).toEqual([200, 200])
  })

  test.each(creates)('%s: and on the clock of the account', async (_, path, body) => {
    const { status, account } = await startStrict()
    expect(await status(path, body)).toBe(429)
    await account.clock.advance(1_979)
    expect(await status(path, body)).toBe(429)
    await account.clock.advance(1)
    expect([await status(path, body), await status(path, body)]).toEqual([200, 200])
  })

  test('the two clocks do not add up', async () => {
    const { status, account, passRealTime } = await startStrict()
    expect(await status(b.create, b.body())).toBe(429)
    await account.clock.advance(1_500)
    passRealTime(1_500)
    expect(await status(b.create, b.body())).toBe(429)
  })

  test('an operation and an account wait for themselves alone', async () => {
    const { status, as, passRealTime } = await startStrict()
    expect(await status(b.create, b.body())).toBe(429)
    passRealTime(2_000)
    expect(await status(f.create, f.body())).toBe(429)
    expect((await as('another').create()).status).toBe(429)
    expect(await status(b.create, b.body())).toBe(200)
  })

  test('what a client has to wait outlives a restart', async () => {
    const settings = { clock: 'paused', state: join(newFolder(), 'state.json') } as const
    const first = await startPlaying('rate-limit-strict', settings)
    expect((await first.ask('POST', b.create, b.body())).status).toBe(429)
    await first.stop()
    const second = await startPlaying('rate-limit-strict', settings)
    expect((await second.ask('POST', b.create, b.body())).status).toBe(429)
    await second.account.clock.advance('2s')
    expect((await second.ask('POST', b.create, b.body())).status).toBe(200)
  })

  test('the verdict and the scenario agree about a call', async () => {
    const { status, account } = await startStrict()
    const verdict = async () => (await account.verdict()).map(({ kind }) => kind)
    await status(b.create, b.body())
    await account.clock.advance(1_980)
    expect([await status(b.create, b.body()), (await verdict()).includes('did-not-wait')]).toEqual([
      200,
      false,
    ])
    await status(f.create, f.body())
    await account.clock.advance(1_979)
    expect([await status(f.create, f.body()), (await verdict()).includes('did-not-wait')]).toEqual([
      429,
      true,
    ])
  })
})

describe('upstream-flapping', () => {
  test('images: 502 and 503 come and go', async () =>
    expect(await statuses('upstream-flapping', IMAGES, image(), 6)).toEqual([502, 503, 200, 502, 503, 200]))

  test.each(videoFamilies)('$id: 502 and 503 come and go', async (family) =>
    expect(await statuses('upstream-flapping', family.create, family.body(), 9)).toEqual([
      502, 503, 200, 502, 200, 200, 502, 503, 200,
    ]),
  )
})

describe('busy-hour', () => {
  test.each<[VideoFamily, number]>([
    [b, 429],
    [c, 503],
    [e, 503],
    [f, 529],
  ])('$id is overloaded for ten minutes, and then takes tasks', async (family, status) => {
    const playing = await startPlaying('busy-hour', { clock: 'paused' })
    expect((await playing.ask('POST', family.create, family.body())).status).toBe(status)
    await playing.account.clock.advance('9m59s')
    expect((await playing.ask('POST', family.create, family.body())).status).toBe(status)
    await playing.account.clock.advance('1s')
    expect((await playing.ask('POST', family.create, family.body())).status).toBe(200)
  })
})

describe('no-channel-for-model', () => {
  test('one model of the images has none, the other one works', async () => {
    const { ask } = await startPlaying('no-channel-for-model')
    const answer = await ask('POST', IMAGES, image())
    expect([answer.status, answer.body.code]).toEqual([503, 'model_not_found'])
    expect(answer.body.message).toContain('no available channel for model alpha-image-3.0-pro.')
    expect((await ask('POST', IMAGES, image('alpha-image-2.0-pro'))).status).toBe(200)
  })

  test('one model of the videos has none, the other one works', async () => {
    const { ask } = await startPlaying('no-channel-for-model')
    const answer = await ask('POST', c.create, c.body({ model: 'videoa-2-0-fast-260128' }))
    expect([answer.status, answer.body.error.code]).toEqual([503, 'model_not_found'])
    expect(answer.body.error.message).toContain('no available channel for model videoa-2-0-fast-260128.')
    expect((await ask('POST', c.create, c.body())).status).toBe(200)
  })
})

test.each(videoFamilies)(
  'one-failed-poll: the second query of $id is a 500, and the task is fine',
  async (family) => {
    const playing = await startPlaying('one-failed-poll')
    const answers = await playing.poll(family, await create(playing, family))
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200, ...answers.slice(3).map(() => 200)])
    expect(answers.at(-1)?.body.status).toBe('succeeded')
  },
)

describe('html-error-page', () => {
  test.each<[string, string, object]>([
    ['images', IMAGES, image()],
    ['B', b.create, b.body()],
    ['C', c.create, c.body()],
    ['E', e.create, e.body()],
    ['F', f.create, f.body()],
  ])('%s: the first call is a page of a proxy', async (_, path, body) => {
    const { ask } = await startPlaying('html-error-page')
    const answer = await ask('POST', path, body)
    expect(answer.status).toBe(502)
    expect(answer.headers.get('content-type')).toBe('text/html')
    expect(answer.text).toContain('<h1>502 Bad Gateway</h1>')
    expect((await ask('POST', path, body)).status).toBe(200)
  })

  test('the asset library too', async () => {
    const { ask } = await startPlaying('html-error-page')
    const resolve = () => ask('GET', '/v1/asset/jobs/get-asset-id?task_id=task_2601010000000001')
    expect((await resolve()).text).toContain('<html>')
    expect((await resolve()).body.code).toBe(404)
  })
})

test.each(videoFamilies)(
  'broken-json: the second query of $id is 200 and ends in the middle',
  async (family) => {
    const playing = await startPlaying('broken-json')
    const [first, second, third] = await playing.poll(family, await create(playing, family))
    expect(first?.body.status).toMatch(/^(queued|running)$/)
    expect([second?.status, second?.body]).toEqual([200, undefined])
    expect(second?.text).toHaveLength(40)
    expect(second?.headers.get('content-length')).toBe('40')
    expect(third?.body.status).toBe('succeeded')
  },
)

test.each(videoFamilies)(
  'empty-answer: the first create of $id is 200 and nothing, and no task was made',
  async (family) => {
    const { ask, account } = await startPlaying('empty-answer')
    const answer = await ask('POST', family.create, family.body())
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([200, '', '0'])
    expect(await account.tasks.list()).toEqual([])
    const id = family.idOf(await ask('POST', family.create, family.body()))
    expect((await account.tasks.list()).map((task) => task.id)).toEqual([id])
  },
)

describe('the length of an answer', () => {
  const onCreate = (answer: object) => ({
    ...{ name: 'mine', description: 'The answer of a create has another head.' },
    steps: [{ when: { operation: 'b-video-task.create' }, then: { answer } }],
  })

  test('it is not said of one that is sent in chunks', async () => {
    const { ask } = await startPlaying(onCreate({ headers: { 'Transfer-Encoding': 'chunked' } }))
    const { body, headers } = await ask('POST', b.create, b.body())
    expect(body.id).toMatch(/^cgt-/)
    expect([headers.get('transfer-encoding'), headers.get('content-length')]).toEqual(['chunked', null])
  })

  test.each([204, 304])('it is not said with the status %d, which has no body', async (status) => {
    const { ask } = await startPlaying(onCreate({ status }))
    const answer = await ask('POST', b.create, b.body())
    expect([answer.status, answer.headers.get('content-length')]).toEqual([status, null])
  })

  test('a connection ends with the answer that says a wrong one', async () => {
    const { ask } = await startPlaying(onCreate({ headers: { 'Content-Length': '3' } }))
    const { text, headers } = await ask('POST', b.create, b.body())
    expect([text, headers.get('connection')]).toEqual(['{"i', 'close'])
  })
})
