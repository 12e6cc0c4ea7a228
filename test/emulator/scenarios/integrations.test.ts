import { describe, expect, test } from 'vitest'
import { passing, startReceiver } from '../callbacks/receiver.js'
import {
  type Answer,
  b,
  c,
  create,
  e,
  f,
  IMAGES,
  image,
  startPlaying,
  type VideoFamily,
  videoFamilies,
} from './play.js'

const reporting: readonly VideoFamily[] = [b, f]

/** The URLs of so many pictures that one call made. */
const pictures = async (scenario: string, n: number): Promise<string[]> => {
  const { ask } = await startPlaying(scenario)
  const { body } = await ask('POST', IMAGES, { ...image(), parameters: { size: '512*512', n } })
  return body.output.choices[0].message.content.map(({ image: url }: { image: string }) => url)
}

const firstBytes = async (response: Response): Promise<string> =>
  Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4)

describe('gateway-timeout-after-create', () => {
  test.each(videoFamilies)(
    '$id: 504, and a task that runs; the second create makes another',
    async (family) => {
      const playing = await startPlaying('gateway-timeout-after-create')
      const first = await playing.ask('POST', family.create, family.body())
      expect([first.status, first.headers.get('content-type')]).toEqual([504, 'text/html'])
      expect((await playing.ask('POST', family.create, family.body())).status).toBe(200)
      expect(await playing.account.tasks.list()).toHaveLength(2)
    },
  )

  test('the journal says that an Idempotency-Key has not kept a second task from being made', async () => {
    const playing = await startPlaying('gateway-timeout-after-create')
    const headers = { 'Idempotency-Key': 'order-17' }
    for (let left = 2; left > 0; left -= 1) await playing.ask('POST', b.create, b.body(), { headers })
    const [second, first] = await playing.account.requests.list({ operation: 'b-video-task.create' })
    expect(second?.headers).toMatchObject({ 'idempotency-key': 'order-17' })
    expect(second?.warnings).toEqual([
      'The service does not know the header Idempotency-Key, so this call made a task of its own',
    ])
    const explanation = (await playing.account.requests.explain(second?.id ?? '')).at(-1)
    expect(explanation).toContain(
      `The call ${first?.id} had the same Idempotency-Key and made the task ${first?.task}`,
    )
    expect(explanation).toContain(`a second task, ${second?.task}, was made`)
    expect((await playing.account.requests.explain(first?.id ?? '')).join()).not.toContain('a second task')
    for (let left = 2; left > 0; left -= 1)
      await playing.ask('GET', `${b.create}/${first?.task}`, undefined, { headers })
    const [query] = await playing.account.requests.list({ operation: 'b-video-task.read' })
    expect(query?.warnings).toEqual([])
    expect((await playing.account.requests.explain(query?.id ?? '')).join()).not.toContain('a second task')
  })

  test('a repeated Idempotency-Key leads to the first call that made a task with it', async () => {
    const playing = await startPlaying({
      name: 'first-fails',
      says: 'The first create fails.',
      steps: [{ when: { operation: 'b-video-task.create', nth: 1 }, then: { answer: { status: 500 } } }],
    })
    const headers = { 'Idempotency-Key': 'order-17' }
    for (let left = 4; left > 0; left -= 1) await playing.ask('POST', b.create, b.body(), { headers })
    const [fourth, , second] = await playing.account.requests.list()
    expect((await playing.account.requests.explain(fourth?.id ?? '')).at(-1)).toContain(
      `The call ${second?.id} had the same Idempotency-Key and made the task ${second?.task}`,
    )
  })

  test('another Idempotency-Key is another order', async () => {
    const playing = await startPlaying('gateway-timeout-after-create')
    for (const name of ['order-17', 'order-18'])
      await playing.ask('POST', b.create, b.body(), { headers: { 'Idempotency-Key': name } })
    const [second] = await playing.account.requests.list()
    expect((await playing.account.requests.explain(second?.id ?? '')).join()).not.toContain('a second task')
  })
})

describe('downloads', () => {
  test('bytes-of-another-format: the first download is a GIF that is called a PNG', async () => {
    const [url = ''] = await pictures('bytes-of-another-format', 1)
    const first = await fetch(url)
    expect(first.headers.get('content-type')).toBe('image/png')
    expect(await firstBytes(first)).toBe('GIF8')
    expect(await firstBytes(await fetch(url))).toBe('\u0089PNG')
  })

  test('result-refuses-head: HEAD is 403 every time, GET works', async () => {
    const [url = ''] = await pictures('result-refuses-head', 1)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(403)
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(403)
  })

  test('result-ignores-range: a part is answered with 200 and the whole', async () => {
    const [url = ''] = await pictures('result-ignores-range', 1)
    const part = await fetch(url, { headers: { Range: 'bytes=100-199' } })
    const whole = await fetch(url)
    expect([part.status, whole.status]).toEqual([200, 200])
    expect((await part.arrayBuffer()).byteLength).toBe((await whole.arrayBuffer()).byteLength)
  })

  test('results-expire-during-batch: the second and the third are 403, and then they can be fetched', async () => {
    const urls = await pictures('results-expire-during-batch', 3)
    const statuses: number[] = []
    for (const url of [...urls, ...urls.slice(1)]) statuses.push((await fetch(url)).status)
    expect(statuses).toEqual([200, 403, 403, 200, 200])
  })

  test('fewer-images-than-asked: three are asked for and two come, the next time all', async () => {
    const playing = await startPlaying('fewer-images-than-asked')
    const counts: number[] = []
    for (let left = 2; left > 0; left -= 1) {
      const { body } = await playing.ask('POST', IMAGES, {
        ...image(),
        parameters: { size: '512*512', n: 3 },
      })
      counts.push(body.output.choices[0].message.content.length)
    }
    expect(counts).toEqual([2, 3])
  })
})

describe.each([b, f].map((family) => [family.id, family] as const))('%s', (_, family) => {
  test('cancel-too-late: the first cancel is refused and the task succeeds', async () => {
    const playing = await startPlaying('cancel-too-late', { clock: 'paused' })
    const id = await create(playing, family)
    const path = family === f ? `${f.create}/${id}` : family.query(id)
    const refused = await playing.ask('DELETE', path)
    expect(refused.status).toBe(family === b ? 409 : 400)
    await playing.account.clock.advance('10m')
    expect((await playing.ask('GET', family.query(id))).body.status).toBe('succeeded')
  })
})

/** What each query of a task is answered with. */
const polled = async (scenario: string, family: VideoFamily, most = 6): Promise<Answer[]> => {
  const playing = await startPlaying(scenario)
  return playing.poll(family, await create(playing, family), most)
}

describe.each(videoFamilies.map((family) => [family.id, family] as const))('%s', (_, family) => {
  test('rate-limit-on-polls: the second and the third query are 429 with Retry-After', async () => {
    const answers = await polled('rate-limit-on-polls', family)
    expect(answers.map(({ status }) => status).slice(0, 4)).toEqual([200, 429, 429, 200])
    expect(answers[1]?.headers.get('retry-after')).toBe('1')
    expect(answers.at(-1)?.body.status).toBe('succeeded')
  })

  test('just-created-unknown: the first query does not know the task', async () => {
    const answers = await polled('just-created-unknown', family)
    expect(answers[0]?.status).toBe(family === f ? 400 : 404)
    expect(answers.at(-1)?.body.status).toBe('succeeded')
  })

  test('task-vanishes: it runs, and is unknown when it should have ended', async () => {
    const answers = await polled('task-vanishes', family)
    const statuses = answers.map(({ status, body }) => (status === 200 ? body.status : status))
    expect(statuses).toContain('running')
    expect(statuses.at(-1)).toBe(family === f ? 400 : 404)
    expect(statuses).not.toContain('succeeded')
  })

  test('status-in-other-words: every status has another word', async () => {
    const statuses = (await polled('status-in-other-words', family)).map(({ body }) => body.status)
    expect(new Set(statuses)).toEqual(
      new Set([...(family === e ? ['PENDING'] : []), 'PROCESSING', 'SUCCESS']),
    )
  })

  test('status-goes-back: running, queued, running, succeeded', async () => {
    const statuses = (await polled('status-goes-back', family)).map(({ body }) => body.status)
    expect(statuses.slice(-4)).toEqual(['running', 'queued', 'running', 'succeeded'])
  })

  test('model-retired: the first create is accepted, every later one refused', async () => {
    const playing = await startPlaying('model-retired')
    const statuses: number[] = []
    for (let left = 3; left > 0; left -= 1)
      statuses.push((await playing.ask('POST', family.create, family.body())).status)
    expect(statuses[0]).toBe(200)
    expect(statuses.slice(1).every((status) => status >= 400 && status < 500)).toBe(true)
  })

  test('key-revoked-midway: two calls work, and then all are 401', async () => {
    const playing = await startPlaying('key-revoked-midway')
    const id = await create(playing, family)
    const statuses: number[] = []
    for (let left = 3; left > 0; left -= 1) statuses.push((await playing.ask('GET', family.query(id))).status)
    expect(statuses).toEqual([200, 401, 401])
    expect((await playing.ask('POST', family.create, family.body())).status).toBe(401)
  })

  test('error-in-200: the first create is 200 with an error, and nothing is made', async () => {
    const playing = await startPlaying('error-in-200')
    const { status, body } = await playing.ask('POST', family.create, family.body())
    expect([status, typeof body.error]).toEqual([200, 'object'])
    expect(await playing.account.tasks.list()).toEqual([])
    expect(family.idOf(await playing.ask('POST', family.create, family.body()))).toEqual(expect.any(String))
  })
})

test('error-in-200: pictures have their own words', async () => {
  const playing = await startPlaying('error-in-200')
  const { status, body } = await playing.ask('POST', IMAGES, image())
  expect([status, body.code]).toEqual([200, 'InternalError'])
})

test.each([c, e])('progress-as-fraction: $id counts from 0 to 1', async (family) => {
  const playing = await startPlaying('progress-as-fraction', { clock: 'paused', timing: 'realistic' })
  const id = await create(playing, family)
  const seen: number[] = []
  for (const time of ['40s', '30s', '10m'] as const) {
    await playing.account.clock.advance(time)
    seen.push((await playing.ask('GET', family.query(id))).body.progress)
  }
  expect(seen.every((progress) => progress > 0 && progress <= 1)).toBe(true)
  expect(seen.at(-1)).toBe(1)
})

test.each([b, c, f])('usage-missing: $id succeeds without usage', async (family) => {
  const answers = await polled('usage-missing', family)
  expect(answers.at(-1)?.body.status).toBe('succeeded')
  expect(answers.at(-1)?.text).not.toContain('usage')
  expect(family.resultOf(answers.at(-1) as Answer)).toMatch(/^http/)
})

test('usage-missing: pictures come without usage', async () => {
  const playing = await startPlaying('usage-missing')
  const { body } = await playing.ask('POST', IMAGES, image())
  expect(Object.keys(body)).toEqual(['request_id', 'output'])
})

describe.each(reporting.map((family) => [family.id, family] as const))('callbacks of %s', (_, family) => {
  test('callback-twice-at-once: the second copy comes before the first is answered', async () => {
    const playing = await startPlaying('callback-twice-at-once', { clock: 'paused' })
    const pairs = new Map<string, (() => void)[]>()
    const receiver = await startReceiver(async (received, response, count) => {
      if (received.what === 'challenge') return passing(received, response, count)
      const id = String(received.headers['x-backlot-delivery-id'])
      // Neither is answered until both are there.
      await new Promise<void>((resolve) => {
        const waiting = [...(pairs.get(id) ?? []), resolve]
        pairs.set(id, waiting)
        if (waiting.length === 2) for (const go of waiting) go()
      })
      return passing(received, response, count)
    })
    await create(playing, family, { callback_url: receiver.url })
    await playing.account.clock.advance('10m')
    const delivered = await playing.account.callbacks.list({ kind: 'delivery' })
    expect(delivered.map(({ status, state }) => `${status} ${state}`).reverse()).toEqual([
      'queued delivered',
      'running delivered',
      'succeeded delivered',
    ])
    expect([...pairs.values()].map(({ length }) => length)).toEqual([2, 2, 2])
    await expect
      .poll(async () =>
        (await playing.account.callbacks.list({ kind: 'delivery' })).map(({ attempts }) => attempts.length),
      )
      .toEqual([2, 2, 2])
  })

  test('callbacks-stop-then-flood: nothing comes, and at the full ten minutes everything', async () => {
    const playing = await startPlaying('callbacks-stop-then-flood', {
      clock: 'paused',
      startAt: '2030-01-01T00:01:00Z',
    })
    const receiver = await startReceiver()
    for (let left = 2; left > 0; left -= 1) await create(playing, family, { callback_url: receiver.url })
    const reported = () => receiver.kinds().filter((what) => what !== 'challenge')
    await playing.account.clock.advance('8m')
    expect(reported()).toEqual([])
    await playing.account.clock.advance('1m')
    expect(reported().sort()).toEqual(['queued', 'queued', 'running', 'running', 'succeeded', 'succeeded'])
  })

  test('callback-contradicts-query: the callback says failed, the query running', async () => {
    const playing = await startPlaying('callback-contradicts-query', { clock: 'paused' })
    const receiver = await startReceiver()
    const id = await create(playing, family, { callback_url: receiver.url })
    await playing.account.clock.advance({ to: 'next' })
    expect(receiver.received.at(-1)?.body).toMatchObject({ status: 'failed' })
    expect((await playing.ask('GET', family.query(id))).body.status).toBe('running')
    await playing.account.clock.advance('10m')
    expect(receiver.received.at(-1)?.body).toMatchObject({ status: 'succeeded' })
  })
})

test('a callback that is answered with 301 is explained', async () => {
  const playing = await startPlaying([])
  const receiver = await startReceiver((_, response) => {
    response.writeHead(301, { Location: '/elsewhere' }).end()
  })
  await create(playing, b, { callback_url: receiver.url })
  await playing.account.clock.advance('1h')
  const [callback] = await playing.account.callbacks.list({ state: 'failed' })
  expect(callback?.reason).toContain(
    'The receiver answered 301: redirects are not followed, so the callback URL has to be the final one.',
  )
})

describe('runs-for-ever', () => {
  test.each([c, e])('$id: progress stands still', async (family) => {
    const playing = await startPlaying('runs-for-ever', { clock: 'paused' })
    const id = await create(playing, family)
    const seen: number[] = []
    for (const time of ['1h', '20h', '26h'] as const) {
      await playing.account.clock.advance(time)
      seen.push((await playing.ask('GET', family.query(id))).body.progress)
    }
    expect(new Set(seen).size).toBe(1)
  })

  test.each([b, c])('$id: the task expires in the end', async (family) => {
    const playing = await startPlaying('runs-for-ever', { clock: 'paused' })
    const id = await create(playing, family)
    await playing.account.clock.advance('48h')
    expect((await playing.ask('GET', family.query(id))).body.status).toBe('expired')
  })

  test.each([e, f])('$id: the task runs for ever', async (family) => {
    const playing = await startPlaying('runs-for-ever', { clock: 'paused' })
    const id = await create(playing, family)
    await playing.account.clock.advance('6d')
    expect((await playing.ask('GET', family.query(id))).body.status).toBe('running')
  })
})
