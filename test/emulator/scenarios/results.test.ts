import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { ScenarioDocument, ScenarioEffects } from '../../../src/generated/scenario-document.js'
import { startEmulator } from '../../../src/index.js'
import { IMAGES, image, type Playing, startPlaying } from './play.js'

/** An emulator that plays a scenario, and the URL of a picture that was made on it. */
const openGallery = async (scenario: string | object): Promise<{ playing: Playing; picture: string }> => {
  const playing = await startPlaying(scenario)
  const { body } = await playing.ask('POST', IMAGES, image())
  return { playing, picture: body.output.choices[0].message.content[0].image }
}

const download = async (url: string) => {
  const response = await fetch(url)
  const type = response.headers.get('content-type')
  return { status: response.status, type, bytes: Buffer.from(await response.arrayBuffer()) }
}

test.each([
  ['result-expired', 403, 'Request has expired.'],
  ['result-missing', 404, 'NoSuchKey'],
])('%s: the first download is %i with XML, the second one has the file', async (scenario, status, text) => {
  const { picture } = await openGallery(scenario)
  const first = await download(picture)
  expect([first.status, first.type]).toEqual([status, 'application/xml; charset=utf-8'])
  expect(first.bytes.toString()).toContain(text)
  expect(await download(picture)).toMatchObject({ status: 200, type: 'image/png' })
})

test('result-cut: the first download ends after 4096 bytes, and the client is told', async () => {
  const { picture } = await openGallery('result-cut')
  const first = await fetch(picture)
  expect(Number(first.headers.get('content-length'))).toBeGreaterThan(4096)
  await expect(first.arrayBuffer()).rejects.toThrow('terminated')
  const { bytes } = await download(picture)
  expect(bytes.length).toBe(Number(first.headers.get('content-length')))
})

test('result-cut: 4096 bytes have come by then', async () => {
  const { picture } = await openGallery('result-cut')
  const { pathname, search, port, hostname } = new URL(picture)
  const received = await new Promise<Buffer>((resolve) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  })
  expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(4096)
})

test('result-wrong-length: the list of calls says of the first GET that it was cut off, and of no HEAD', async () => {
  const { playing, picture } = await openGallery({
    name: 'wrong-length',
    description: 'Content-Length is wrong.',
    steps: [
      { when: { operation: 'results.download', nth: [1, 2] }, then: { result: { lengthOffBy: 1000 } } },
      { when: { operation: 'results.download', nth: 3 }, then: { result: { lengthOffBy: -1000 } } },
    ],
  })
  await fetch(picture, { method: 'HEAD' })
  await expect(download(picture)).rejects.toThrow()
  await download(picture)
  const calls = await playing.account.requests.list({ operation: 'results.download' })
  expect(calls.map(({ connection }) => connection)).toEqual([undefined, 'cut-off', undefined])
})

test('result-corrupt: the first download is as long as the second and has other bytes in it', async () => {
  const { picture } = await openGallery('result-corrupt')
  const [first, second] = [await download(picture), await download(picture)]
  expect(first).toMatchObject({ status: 200, type: 'image/png' })
  expect(first.bytes.length).toBe(second.bytes.length)
  expect(first.bytes.equals(second.bytes)).toBe(false)
})

test('result-wrong-type: a picture is labelled as a page', async () => {
  const { picture } = await openGallery('result-wrong-type')
  const { type, bytes } = await download(picture)
  expect(type).toBe('text/html')
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
})

test('result-wrong-length: the first download ends before it is whole', async () => {
  const { picture } = await openGallery('result-wrong-length')
  const first = await fetch(picture)
  await expect(first.arrayBuffer()).rejects.toThrow('terminated')
  const { bytes } = await download(picture)
  expect(Number(first.headers.get('content-length'))).toBe(bytes.length + 1000)
})

test('result-trickles: two thousand bytes a second', async () => {
  const { playing, picture } = await openGallery('result-trickles')
  const { bytes } = await download(picture)
  expect(playing.waited).toHaveLength(Math.ceil(bytes.length / 200))
  expect(new Set(playing.waited)).toEqual(new Set([100]))
})

test('a download says in the journal which step acted', async () => {
  const { playing, picture } = await openGallery('result-expired')
  await download(picture)
  const [call] = await playing.account.requests.list({ operation: 'results.download' })
  expect(call).toMatchObject({ status: 403, scenario: { acted: { step: 1, effects: ['result.expired'] } } })
})

test('a download can be answered by a proxy, cut without a word, or change the account and its clock', async () => {
  const { playing, picture } = await openGallery({
    name: 'store-trouble',
    says: 'Downloads go wrong in several ways.',
    steps: [
      // biome-ignore-start lint/suspicious/noThenProperty: the word of the file format
      {
        when: { operation: 'results.download', nth: 1 },
        then: { answer: { status: 503, text: 'SlowDown' } },
      },
      { when: { operation: 'results.download', nth: 2 }, then: { result: { cutAt: 100 } } },
      {
        when: { operation: 'results.download', nth: 3 },
        then: { account: { balance: 0 }, clock: { jump: '25h' } },
      },
      // biome-ignore-end lint/suspicious/noThenProperty: the word of the file format
    ],
  })
  const first = await download(picture)
  expect([first.status, first.bytes.toString()]).toEqual([503, 'SlowDown'])
  expect((await download(picture)).bytes).toHaveLength(100)
  // Pictures are valid for 24 hours, and the clock has jumped.
  expect((await download(picture)).status).toBe(403)
  expect((await playing.account.read()).balance).toBe(0)
})

test('a download that a scenario answers is refused by no rule, though it would have been', async () => {
  const step = {
    when: { operation: 'results.download' },
    then: { answer: { status: 503, text: 'SlowDown', stillHappens: true } },
  }
  const { playing, picture } = await openGallery({ name: 'proxy', says: 'No download comes.', steps: [step] })
  await playing.account.clock.advance('25h')
  expect((await download(picture)).status).toBe(503)
  const [call] = await playing.account.requests.list({ operation: 'results.download' })
  expect(call).toMatchObject({ status: 503, refusedBy: [] })
})

/** A scenario whose only step acts on every download. */
const onDownload = (then: ScenarioEffects): ScenarioDocument => ({
  name: 'mine',
  description: 'Downloads go wrong.',
  steps: [{ when: { operation: 'results.download' }, then }],
})

const latestDownload = async ({ account }: Playing) =>
  (await account.requests.list({ operation: 'results.download' }))[0]

describe('a download that is refused anyway', () => {
  const refused = async (then: ScenarioEffects, times?: number) => {
    const { steps, ...scenario } = onDownload(then)
    const gallery = await openGallery({ ...scenario, steps: [{ ...steps[0], times }] })
    const { status } = await download(gallery.picture.replace(/Signature=[^&]+/, 'Signature=wrong'))
    return { ...gallery, status }
  }

  test.each<[string, ScenarioEffects, object]>([
    ['cut', { result: { cutAt: 5 } }, { status: 200, bytes: Buffer.from('\x89PNG\r', 'latin1') }],
    ['expired', { result: { expired: true } }, { status: 403 }],
    ['missing', { result: { missing: true } }, { status: 404 }],
  ])('is not %s, and the next one is', async (_, then, next) => {
    const { playing, picture, status } = await refused(then, 1)
    expect(status).toBe(403)
    expect(await latestDownload(playing)).toMatchObject({
      refusedBy: [{ rule: 'results.signature' }],
      scenario: { acted: null, nearMisses: [{ step: 1, why: expect.stringContaining('was refused') }] },
    })
    expect(await playing.account.scenario.steps()).toMatchObject([{ seen: 1, acted: 0 }])
    expect(await download(picture)).toMatchObject(next)
    expect(await playing.account.scenario.steps()).toMatchObject([{ seen: 2, acted: 1 }])
  })

  test('is not cut after its URL has expired', async () => {
    const { playing, picture } = await openGallery(onDownload({ result: { cutAt: 5 } }))
    await playing.account.clock.advance('25h')
    expect((await download(picture)).status).toBe(403)
    expect(await playing.account.scenario.steps()).toMatchObject([{ acted: 0 }])
  })

  test('comes late, and is said to have met that alone', async () => {
    const { playing, status } = await refused({ transport: { delay: '1s' }, result: { missing: true } })
    expect([status, playing.waited]).toEqual([403, [1_000]])
    expect(await latestDownload(playing)).toMatchObject({
      refusedBy: [{ rule: 'results.signature' }],
      scenario: { acted: { effects: ['transport.delay'] } },
    })
  })
})

test.each<[string, ScenarioEffects]>([
  ['alone', {}],
  ['with other headers', { answer: { headers: { 'x-note': 'a' } } }],
  ['with another file', { result: { bytesOf: 'gif' } }],
])('a download can be reset: %s', async (_, others) => {
  const { playing, picture } = await openGallery(onDownload({ transport: { reset: true }, ...others }))
  await expect(download(picture)).rejects.toMatchObject({
    cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
  })
  expect(await latestDownload(playing)).toMatchObject({ status: 200, connection: 'reset' })
})

test('a download can hang until its client has gone', async () => {
  const { playing, picture } = await openGallery(onDownload({ transport: { hang: true } }))
  const leaving = new AbortController()
  const hanging = fetch(picture, { signal: leaving.signal })
  await playing.account.requests.waitFor({ operation: 'results.download' })
  expect(await latestDownload(playing)).toMatchObject({ status: 200, connection: 'no-answer' })
  leaving.abort()
  await expect(hanging).rejects.toThrow()
})

test('a download that is cut is listed as that', async () => {
  const { playing, picture } = await openGallery(onDownload({ transport: { closeAfterBytes: 5 } }))
  await expect(download(picture)).rejects.toThrow('terminated')
  expect(await latestDownload(playing)).toMatchObject({ status: 200, connection: 'cut-off' })
})

test('a part of a file that comes late is listed as what was sent', async () => {
  const { playing, picture } = await openGallery(onDownload({ transport: { delay: '3s' } }))
  const partOf = (range: string) => fetch(picture, { headers: { range } })
  const part = await partOf('bytes=0-9')
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
  expect(playing.waited).toEqual([3_000])
  await expect.poll(() => latestDownload(playing)).toMatchObject({ status: 206, refusedBy: [] })
  expect((await partOf('bytes=99999999-')).status).toBe(416)
  await expect
    .poll(() => latestDownload(playing))
    .toMatchObject({ status: 416, refusedBy: [{ error: 'InvalidRange', field: 'Range' }] })
})

describe('a part of a file is a part', () => {
  const whole = async (picture: string) => (await download(picture)).bytes

  test.each<[string, ScenarioEffects]>([
    ['that comes slowly', { transport: { bytesPerSecond: 1_000_000 } }],
    ['with another header', { answer: { headers: { 'x-note': 'a' } } }],
  ])('%s', async (_, then) => {
    const { playing, picture } = await openGallery({
      ...onDownload(then),
      steps: [{ when: { operation: 'results.download', header: 'range' }, then }],
    })
    const all = await whole(picture)
    const parts = [
      ['bytes=10-59', 10, 59],
      ['bytes=30000-', 30_000, all.length - 1],
      ['bytes=-20', all.length - 20, all.length - 1],
    ] as const
    for (const [range, start, end] of parts) {
      const part = await fetch(picture, { headers: { range } })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end}/${all.length}`,
      ])
      expect(Buffer.from(await part.arrayBuffer()).equals(all.subarray(start, end + 1))).toBe(true)
    }
    expect(await latestDownload(playing)).toMatchObject({ status: 206, refusedBy: [] })
  })

  test('that is cut, so that a client which goes on where it was comes to the end', async () => {
    // A picture of some 37,000 bytes comes in three parts.
    const { playing, picture } = await openGallery(onDownload({ transport: { closeAfterBytes: 15_000 } }))
    const received: Buffer[] = []
    const size = () => received.reduce((sum, { length }) => sum + length, 0)
    const next = async (): Promise<number> => {
      const answer = await fetch(picture, size() === 0 ? {} : { headers: { range: `bytes=${size()}-` } })
      expect(answer.headers.get('accept-ranges')).toBe('bytes')
      const reader = answer.body?.getReader()
      for (;;) {
        const chunk = await reader?.read().catch(() => undefined)
        if (chunk?.value === undefined) return answer.status
        received.push(Buffer.from(chunk.value))
      }
    }
    expect([await next(), await next(), await next()]).toEqual([200, 206, 206])
    await playing.account.scenario.stop()
    expect(Buffer.concat(received).equals(await whole(picture))).toBe(true)
  })

  test.each([
    ['the file that the client has', 304, (etag: string) => ({ 'if-none-match': etag })],
    ['what lies behind its end', 416, () => ({ range: 'bytes=99999999-' })],
    ['a part of no file that there is', 412, () => ({ range: 'bytes=0-9', 'if-match': '"other"' })],
    ['a part of the file that is wanted', 206, (etag: string) => ({ range: 'bytes=0-9', 'if-match': etag })],
    ['several parts, which is the whole', 200, () => ({ range: 'bytes=0-1,5-6' })],
    ['a part that ends before it begins, which is the whole', 200, () => ({ range: 'bytes=5-2' })],
    ['a part of another unit, which is the whole', 200, () => ({ range: 'items=99999999-' })],
    [
      'a part of another file, which is the whole',
      200,
      () => ({ range: 'bytes=0-9', 'if-range': '"other"' }),
    ],
    ['a part of this file', 206, (etag: string) => ({ range: 'bytes=0-9', 'if-range': etag })],
  ])('or what it is without a scenario: %s', async (_, status, headersFor) => {
    const { picture } = await openGallery(onDownload({ transport: { bytesPerSecond: 1_000_000 } }))
    const { headers } = await fetch(picture, { method: 'HEAD' })
    const answer = await fetch(picture, { headers: headersFor(headers.get('etag') ?? '') })
    expect(answer.status).toBe(status)
    await answer.arrayBuffer()
  })
})

test.each<[string, ScenarioEffects]>([
  ['ignores ranges', { result: { whole: true } }],
  ['has other bytes', { result: { corrupt: true } }],
  ['is shorter than it is', { answer: { cutAt: 10 } }],
])('a file that %s has no parts, and does not say that it has', async (_, then) => {
  const { picture } = await openGallery(onDownload(then))
  const { status, headers } = await fetch(picture, { headers: { range: 'bytes=5-54' } })
  expect([status, headers.get('accept-ranges'), headers.get('content-range')]).toEqual([200, null, null])
})

test('a download whose client leaves before it comes is no answer', async () => {
  await using emulator = await startEmulator({ scenario: onDownload({ transport: { delay: '1h' } }) })
  const create = { method: 'POST', headers: { authorization: 'default' }, body: JSON.stringify(image()) }
  const [picture = ''] = /https?:[^"]+/.exec(await (await fetch(emulator.url + IMAGES, create)).text()) ?? []
  const waiting = connect(Number(new URL(picture).port), '127.0.0.1')
  waiting.write(`GET ${picture.slice(emulator.url.length)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  await expect.poll(() => emulator.scenario.steps()).toMatchObject([{ acted: 1 }])
  waiting.destroy()
  const [call] = await emulator.requests.waitFor({ operation: 'results.download' })
  expect(call).toMatchObject({ status: 200, connection: 'no-answer' })
})

test('a download can have other headers, and keeps those that it has', async () => {
  const { picture } = await openGallery(onDownload({ answer: { headers: { 'x-note': 'a' } } }))
  const { status, headers } = await fetch(picture)
  expect([status, headers.get('x-note'), headers.get('content-type')]).toEqual([200, 'a', 'image/png'])
  expect(headers.get('etag')).toMatch(/^"/)
  expect(headers.get('x-request-id')).toMatch(/./)
})

test('a download that counts as one can have the answer of a proxy', async () => {
  const answer = { status: 503, text: 'SlowDown', stillHappens: true } as const
  const { playing, picture } = await openGallery(onDownload({ answer }))
  const { status, bytes } = await download(picture)
  expect([status, bytes.toString()]).toEqual([503, 'SlowDown'])
  expect(await latestDownload(playing)).toMatchObject({ status: 503, answer: 'SlowDown' })
})

test('the refusal of a download that comes late is the one that comes without a scenario', async () => {
  const then = { transport: { delay: '1s' }, answer: { without: ['Code'] } }
  const { playing, picture } = await openGallery(onDownload(then))
  await playing.account.clock.advance('25h')
  const { status, type, bytes } = await download(picture)
  expect([status, type]).toEqual([403, 'application/xml; charset=utf-8'])
  expect(bytes.toString()).toMatch(/^<\?xml.*<Message>Request has expired\.<\/Message>.*>\s*$/s)
  expect(playing.waited).toEqual([1_000])
})
