import { describe, expect, test } from 'vitest'
import { probe } from '../../src/emulator/media/probe.js'
import { bodies, localPart, openInProcess, paths } from '../emulator.js'

const { as, agent } = openInProcess()

const imageUrl = async (key: string): Promise<string> => {
  const { body } = await as(key).post(paths.image, bodies.image())
  return body.output.choices[0].message.content[0].image
}

const videoUrl = async (key: string): Promise<string> => {
  const { body } = await as(key).post(paths.tasks, bodies.task({ resolution: '480p', duration: 4 }))
  await as(key).clock.advance({ to: 'idle' })
  const read = await as(key).get(`${paths.tasks}/${body.id}`)
  return read.body.content.video_url
}

test('an image URL is absolute, on the host of the request, and leads to a PNG', async () => {
  const { body } = await as('png').post(paths.image, bodies.image()).set('Host', 'studio.example.test:8080')
  const url = body.output.choices[0].message.content[0].image
  expect(url).toMatch(/^http:\/\/studio\.example\.test:8080\/results\//)
  const { status, headers, body: bytes } = await agent.get(localPart(url))
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('image/png')
  expect(Number(headers['content-length'])).toBe(bytes.length)
  expect(headers['access-control-allow-origin']).toBe('*')
})

// It would be the one of a file of the cache, and another after each rendering.
test('a result has no modification date, and a condition on one means nothing', async () => {
  const url = localPart(await imageUrl('undated'))
  const { status, headers } = await agent.get(url).set('If-Unmodified-Since', new Date(0).toUTCString())
  expect([status, headers['last-modified']]).toEqual([200, undefined])
})

test('a page that asks whether it may read a result in parts is told that it may', async () => {
  const { status, headers } = await agent
    .options(localPart(await imageUrl('page')))
    .set({ Origin: 'https://app.example.test', 'Access-Control-Request-Method': 'GET' })
    .set('Access-Control-Request-Headers', 'range, authorization')
  expect(status).toBe(204)
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(headers['access-control-allow-headers']).toContain('Authorization')
})

test('every preflight has a request id of its own', async () => {
  const idOf = async () => (await agent.options('/results/x')).headers['x-request-id']
  expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/)
  expect(await idOf()).not.toBe(await idOf())
})

// Node's fetch adds it to every request that has an If-None-Match.
test('a file that has not changed is 304 whatever the request says to caches', async () => {
  const url = localPart(await imageUrl('caches'))
  const { headers } = await agent.get(url)
  const ask = (etag: string) => agent.get(url).set({ 'If-None-Match': etag, 'Cache-Control': 'no-cache' })
  const unchanged = await ask(headers.etag as string)
  expect([unchanged.status, unchanged.headers.etag]).toEqual([304, headers.etag])
  expect((await ask('"another"')).status).toBe(200)
})

// Clocks that are moved end a URL early, and after a reset the same URL is another task's.
test('a browser asks the emulator each time, and learns that a URL has ended', async () => {
  const url = localPart(await imageUrl('expiring'))
  const { headers } = await agent.get(url)
  expect(headers['cache-control']).toBe('private, no-cache')
  await as('expiring').clock.advance('25h')
  expect((await agent.get(url).set('If-None-Match', headers.etag as string)).status).toBe(403)
})

test.each(['1960-01-01T00:00:00Z', '1969-12-31T00:00:00Z'])(
  'a result is there on a clock that begins at %s',
  async (startAt) => {
    const early = openInProcess({ startAt })
    const { body } = await early.as('early').post(paths.image, bodies.image())
    const url = localPart(body.output.choices[0].message.content[0].image)
    expect((await early.agent.get(url)).status).toBe(200)
    await early.as('early').clock.advance('24h')
    expect((await early.agent.get(url)).status).toBe(403)
  },
)

test('with a public URL, results begin with it', async () => {
  const { as: inPublic } = openInProcess({ publicUrl: 'https://backlot.example.test/' })
  const { body } = await inPublic('k').post(paths.image, bodies.image())
  expect(body.output.choices[0].message.content[0].image).toMatch(
    /^https:\/\/backlot\.example\.test\/results\//,
  )
})

describe('an image', () => {
  test('is there one second before 24 hours have passed', async () => {
    const url = await imageUrl('day-before')
    await as('day-before').clock.advance('23h59m59s')
    expect((await agent.head(localPart(url))).status).toBe(200)
  })

  test('made in the middle of a second is there until that millisecond of the next day', async () => {
    await as('mid-second').clock.advance('700ms')
    const url = localPart(await imageUrl('mid-second'))
    await as('mid-second').clock.advance('86399999ms')
    expect((await agent.head(url)).status).toBe(200)
    await as('mid-second').clock.advance('1ms')
    expect((await agent.head(url)).status).toBe(403)
  })

  test('has expired after 24 hours, with an XML refusal', async () => {
    const url = await imageUrl('day-after')
    await as('day-after').clock.advance('24h')
    const { status, text, headers } = await agent.get(localPart(url))
    expect(status).toBe(403)
    expect(headers['content-type']).toContain('application/xml')
    expect(text).toContain('<Error><Code>AccessDenied</Code><Message>Request has expired.</Message>')
  })
})

describe('a video', () => {
  test('leads to an MP4 that can be read in parts', async () => {
    const url = localPart(await videoUrl('parts'))
    const whole = await agent.get(url).buffer(true)
    const etag = whole.headers.etag as string
    expect(whole.headers['content-type']).toBe('video/mp4')
    expect(whole.headers['accept-ranges']).toBe('bytes')
    const part = await agent.get(url).set('Range', 'bytes=4-7')
    expect(part.status).toBe(206)
    expect(part.headers['content-range']).toBe(`bytes 4-7/${whole.headers['content-length']}`)
    expect(part.body.toString('latin1')).toBe('ftyp')
    expect((await agent.get(url).set('If-None-Match', etag)).status).toBe(304)
    expect((await agent.get(url).set('If-None-Match', '"another"')).status).toBe(200)
    expect((await agent.get(url).set('Range', 'bytes=99999999-')).status).toBe(416)
    expect((await agent.get(url).set('Range', 'bytes=4-7').set('If-Range', '"another"')).status).toBe(200)
  })

  // Without a modification date, If-Unmodified-Since has nothing to compare (RFC 9110, 13.1.4).
  test('is sent whole where more last bytes than it has are asked for, or a date is named', async () => {
    const url = localPart(await videoUrl('whole'))
    const { headers } = await agent.head(url)
    const bytes = Number(headers['content-length'])
    for (const range of [`bytes=-${bytes}`, `bytes=-${bytes + 1}`, 'bytes=-99999999']) {
      const { status, headers } = await agent.get(url).set('Range', range)
      expect([status, headers['content-range']]).toEqual([206, `bytes 0-${bytes - 1}/${bytes}`])
    }
    expect((await agent.get(url).set('Range', 'bytes=-0')).status).toBe(416)
    expect((await agent.get(url).set('If-Unmodified-Since', new Date(0).toUTCString())).status).toBe(200)
  })

  test.each([
    ['is invalid where it ends before it begins', 'bytes=5-2', 200],
    ['is one byte where it ends as it begins', 'bytes=5-5', 206],
    ['is invalid with one part that is', 'bytes=0-3, 5-2', 200],
    ['has no digits', 'bytes=abc', 200],
    ['has no parts', 'bytes=', 200],
    ['has several parts', 'bytes=0-3,5-7', 200],
    ['has another unit', 'items=0-5', 200],
    ['has another unit, behind the end', 'items=99999999-', 200],
    ['begins behind the end', 'bytes=99999999-', 416],
  ])('is sent whole for a Range that cannot be used: it %s', async (_, range, status) => {
    const url = localPart(await videoUrl('ranges'))
    const { headers } = await agent.head(url)
    const answer = await agent.get(url).set('Range', range)
    expect(answer.status).toBe(status)
    const length = { 200: headers['content-length'], 206: '1' }[status]
    if (length !== undefined) expect(answer.headers['content-length']).toBe(length)
  })

  test('is there a millisecond before 14 days have passed and has expired after them', async () => {
    const url = localPart(await videoUrl('fortnight'))
    const [{ since, expiresAt }] = (await as('fortnight').get('/_backlot/results')).body.items
    // Otherwise the second in the URL would be the whole of it.
    expect(Date.parse(since) % 1_000).not.toBe(0)
    await as('fortnight').clock.advance({ to: new Date(Date.parse(expiresAt) - 1) })
    expect((await agent.head(url)).status).toBe(200)
    await as('fortnight').clock.advance('1ms')
    expect((await agent.get(url)).status).toBe(403)
    expect(Date.parse(expiresAt) - Date.parse(since)).toBe(14 * 24 * 60 * 60 * 1_000)
  })
})

test.each([
  ['another signature', (url: string) => url.replace(/Signature=./, 'Signature=!')],
  ['no signature', (url: string) => url.replace(/&Signature=.*/, '')],
  ['a later expiry', (url: string) => url.replace(/Expires=\d/, 'Expires=9')],
  ['another account', (url: string) => url.replace(/results\/.{12}/, 'results/000000000000')],
  ['another picture', (url: string) => url.replace('/0.png', '/1.png')],
])('a URL with %s is refused as expired', async (_, forge) => {
  const url = localPart(await imageUrl('forger'))
  expect((await agent.get(forge(url))).status).toBe(403)
})

test('a download whose account is changed is in the journal of default, and no step acts on it', async () => {
  const own = as('default')
  await own.scenario.play({
    name: 'no-downloads',
    description: 'Every download fails.',
    steps: [{ when: { operation: 'results.download' }, then: { answer: { status: 503 } } }],
  })
  const url = localPart(await imageUrl('changed'))
  const { status, headers } = await agent.get(url.replace(/results\/.{12}/, 'results/000000000000'))
  await own.scenario.stop()
  expect(status).toBe(403)
  const explained = await own.requests.explain(headers['x-request-id'] ?? '')
  expect(explained.join(' ')).toContain('No account has the id 000000000000, so the URL was changed')
})

test('the result of an account that was reset is gone, whether the account is open again or not', async () => {
  const url = localPart(await imageUrl('reset'))
  await as('reset').reset()
  const { status, text, headers } = await agent.get(url)
  expect(status).toBe(404)
  expect(text).toContain('<Code>NoSuchKey</Code>')
  const explained = await as('default').requests.explain(headers['x-request-id'] ?? '')
  expect(explained.join(' ')).toContain('was reset or evicted')
  expect(await as('reset').tasks.list()).toEqual([])
  expect((await agent.get(url)).status).toBe(404)
})

test('the result of a task that was deleted is gone', async () => {
  const url = localPart(await videoUrl('gone'))
  const [task] = await as('gone').tasks.list()
  expect((await as('gone').delete(`${paths.tasks}/${task?.id}`)).body).toEqual({})
  const { status, text } = await agent.get(url)
  expect(status).toBe(404)
  expect(text).toContain('<Code>NoSuchKey</Code>')
})

test('the same request of the same account gives the same bytes in another emulator', async () => {
  const { as: elsewhere, agent: other } = openInProcess()
  const { body } = await elsewhere('twin').post(paths.image, bodies.image())
  const there = await other.get(localPart(body.output.choices[0].message.content[0].image))
  const here = await agent.get(localPart(await imageUrl('twin')))
  expect(here.headers.etag).toBe(there.headers.etag)
  expect(here.body.equals(there.body)).toBe(true)
})

test('a download is in the journal of its account, without its signature', async () => {
  await agent.get(localPart(await imageUrl('journal')))
  const [entry] = await as('journal').requests.list({ operation: 'results.download' })
  expect(entry?.status).toBe(200)
  expect(JSON.stringify(entry)).not.toContain('Signature')
})

test('a key beside the URL of a result of no account opens no account', async () => {
  const { emulator, agent } = openInProcess()
  const url = '/results/0123456789ab/cgt-1/0.png?Expires=1&Signature=x'
  expect((await agent.get(url).set('Authorization', 'Bearer new')).status).toBe(403)
  expect(await emulator.store.keys()).not.toContain('new')
})

test.each([
  [
    'was changed',
    (url: string) => url.replace(/Signature=.*/, 'Signature=x'),
    'the signature of the result is not',
  ],
  ['is of an account that was reset', (url: string) => url, 'the result does not exist'],
])('a body with the URL of a result that %s is told so', async (_, changed, sentence) => {
  const { as, emulator } = openInProcess({ publicUrl: 'http://backlot.test' })
  const { body } = await as('maker').post(paths.image, bodies.image())
  const image = changed(body.output.choices[0].message.content[0].image)
  await emulator.store.forget('maker')
  const answer = await as('k').post(paths.image, {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'repaint it' }, { image }] }] },
  })
  expect(answer.status).toBe(400)
  expect(answer.body.message).toContain(sentence)
})

describe('a poster', () => {
  const posterOf = (url: string) => url.replace(/\.(mp4|png)\?/, '/poster?')

  test.each([
    ['a video', videoUrl, { width: 864, height: 496 }],
    ['a picture', imageUrl, { width: 512, height: 512 }],
  ])('of %s is a picture at its URL, and expires with it', async (_, urlOf, size) => {
    const account = as(`poster of ${size.width}`)
    const url = localPart(await urlOf(account.key))
    const poster = await agent.get(posterOf(url))
    expect([poster.status, poster.headers['content-type']]).toEqual([200, 'image/png'])
    expect(await probe(poster.body)).toMatchObject({ kind: 'image', format: 'png', ...size })
    expect((await agent.get(posterOf(url).replace(/Signature=./, 'Signature=!'))).status).toBe(403)
    expect((await agent.get(posterOf(url).replace('/0/', '/1/'))).status).toBe(403)
    const calls = await account.requests.list()
    expect(calls.filter(({ path }) => path.includes('poster'))).toEqual([])
    await account.clock.advance('14d')
    expect((await agent.get(posterOf(url))).status).toBe(403)
  })

  test('of a task that was removed is not there', async () => {
    const url = localPart(await videoUrl('removed'))
    await as('removed').delete(`${paths.tasks}/${url.split('/')[3]}`)
    expect((await agent.get(posterOf(url))).status).toBe(404)
  })
})

describe('the list of results', () => {
  test('is filtered by family, kind, state and text, and paged', async () => {
    const account = as('filters')
    const prompts = async (query: string): Promise<string[]> => {
      const { body } = await account.get(`/_backlot/results?${query}`)
      return body.items.map(({ prompt }: { prompt: string }) => prompt)
    }
    await account.post(paths.image, bodies.image())
    await account.clock.advance('40d')
    await account.post(paths.tasks, bodies.task({ content: [{ type: 'text', text: 'a red Lighthouse' }] }))
    await account.clock.advance({ to: 'idle' })
    const [film = '', picture = ''] = await prompts('')
    expect([film, picture !== film]).toEqual(['a red Lighthouse', true])
    for (const query of ['family=b-video-task', 'kind=video', 'state=lasting', 'search=red%20LIGHT'])
      expect(await prompts(query)).toEqual([film])
    for (const query of [
      'family=a-image',
      'kind=picture',
      'state=ended',
      `search=${encodeURIComponent(picture)}`,
    ])
      expect(await prompts(query)).toEqual([picture])
    expect(await prompts('search=lighthouse%202')).toEqual([])
    const { body } = await account.get('/_backlot/results?limit=1&offset=1')
    expect([body.total, body.items.length, body.items[0].prompt]).toEqual([2, 1, picture])
  })

  test('refuses a family and a state that there are not', async () => {
    const account = as('mistaken')
    expect((await account.get('/_backlot/results?family=b-video')).body.error.code).toBe('unknown-family')
    expect((await account.get('/_backlot/results?state=gone')).body.error.code).toBe('bad-input')
  })

  test('has a picture of each, also after its URL has ended, which is no call of the service', async () => {
    const account = as('posters')
    await account.post(paths.tasks, bodies.task())
    await account.clock.advance({ to: 'idle' })
    const [task] = (await account.get('/_backlot/results?kind=video')).body.items
    await account.clock.advance('15d')
    const before = (await account.requests.list()).length
    const poster = await account.get(`/_backlot/results/${task.task}/0/poster`)
    expect([poster.status, poster.headers['content-type']]).toEqual([200, 'image/png'])
    expect(await probe(poster.body)).toMatchObject({ width: task.width, height: task.height })
    expect((await account.get(`/_backlot/results/${task.task}/1/poster`)).status).toBe(404)
    expect((await as('other').get(`/_backlot/results/${task.task}/0/poster`)).status).toBe(404)
    expect(await account.requests.list()).toHaveLength(before)
  })
})
