import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startReceiver } from '../emulator/callbacks/receiver.js'
import { bodies, paths, startOnPort } from '../emulator.js'
import { open, small } from './judged.js'

// Clients that nearly misbehave, beside those that do: a false alarm costs more trust than a fault that is not told.

describe('ordered-twice', () => {
  test('not where a list has shown the lost task before the same is ordered on purpose', async () => {
    const { scenario, create, list, createB, follow, download, kinds } = await open()
    await scenario.play('reset-after-create')
    await expect(create(small)).rejects.toThrow()
    const [{ id }] = (await list()).body.items
    const again = await createB(small)
    for (const task of [id, again]) await download(await follow(task))
    expect(await kinds()).toEqual([])
  })

  test('but where the list was lost too', async () => {
    const { scenario, create, list, createB, follow, download, fail, kinds } = await open()
    await scenario.play('reset-after-create')
    await expect(create(small)).rejects.toThrow()
    const [{ id }] = (await list()).body.items
    expect(await kinds()).toEqual(['abandoned-task'])
    await fail('b-video-task.list', { error: 'InternalServiceError', times: 1 })
    await list()
    for (const task of [id, await createB(small)]) await download(await follow(task))
    expect(await kinds()).toEqual([])
  })

  test('names an Idempotency-Key that is the same, since the client relies on it', async () => {
    const { scenario, url, key, verdict } = await open()
    await scenario.play('reset-after-create')
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'order-1' }
    const init = { method: 'POST', headers, body: JSON.stringify(bodies.second()) }
    await expect(fetch(`${url}${paths.second}`, init)).rejects.toThrow()
    await fetch(`${url}${paths.second}`, init)
    expect((await verdict())[0]).toMatchObject({
      kind: 'ordered-twice',
      message: expect.stringMatching(/does not know Idempotency-Key, which was the same\.$/),
    })
  })
})

describe('did-not-wait', () => {
  const asset = (id: string) => `${paths.resolve}?task_id=${id}`

  test.each([
    ['another query', 'second', []],
    ['the same query', 'first', ['did-not-wait']],
  ])('%s after an answer with Retry-After', async (_, second, expected) => {
    const { scenario, get, kinds } = await open()
    await scenario.play({
      name: 'busy',
      description: 'Resolving is refused once.',
      steps: [
        {
          when: { operation: 'd-assets.resolve', nth: 1 },
          then: { answer: { error: 'RateLimited', retryAfter: 60 } },
        },
      ],
    })
    await get(asset('first'))
    await get(asset(second))
    expect(await kinds()).toEqual(expected)
  })

  test.each([
    [['bytes=10-19'], []],
    [['bytes=0-9'], ['did-not-wait']],
    [['bytes=10-19', 'bytes=0-9'], ['did-not-wait']],
  ])('a part of a file is refused, and %j is asked for', async (ranges, expected) => {
    const { scenario, complete, download, kinds } = await open()
    const { url } = await complete(small)
    await scenario.play({
      name: 'busy',
      description: 'A download is refused once.',
      steps: [
        {
          when: { operation: 'results.download', nth: 1 },
          then: { answer: { status: 503, retryAfter: 60 } },
        },
      ],
    })
    await download(url, { headers: { Range: 'bytes=0-9' } })
    for (const Range of ranges) await download(url, { headers: { Range } })
    expect(await kinds()).toEqual(expected)
  })

  test('a pause with a fraction of a millisecond counts, as jitter makes them', async () => {
    const { fail, complete, create, pause, kinds } = await open()
    await fail('b-video-task.create', { error: 'ServerOverloaded', retryAfter: 2, times: 1 })
    await create(small)
    await pause(2_000.7)
    await complete(small)
    expect(await kinds()).toEqual([])
  })
})

describe('kept-damaged-file', () => {
  test.each<[string, string[], string[]]>([
    ['the whole file', [''], []],
    ['the rest of the part', ['bytes=1005-1999'], []],
    ['the rest of the file', ['bytes=1005-'], []],
    ['the last bytes', ['bytes=-100'], []],
    ['another part', ['bytes=2000-2999'], ['kept-damaged-file']],
    ['the same part, and then another', ['bytes=1000-1999', 'bytes=2000-2999'], []],
  ])('a part is cut off, and then comes %s', async (_, ranges, expected) => {
    const { scenario, createB, follow, download, kinds } = await open()
    await scenario.play({
      name: 'cut-once',
      description: 'The first download is cut off.',
      steps: [
        { when: { operation: 'results.download', nth: 1 }, then: { transport: { closeAfterBytes: 10 } } },
      ],
    })
    const url = await follow(await createB(small))
    await expect(download(url, { headers: { Range: 'bytes=1000-1999' } })).rejects.toThrow()
    for (const range of ranges) await download(url, range === '' ? {} : { headers: { Range: range } })
    expect(await kinds()).toEqual(expected)
  })
})

describe('polled-on', () => {
  test('not a query for each callback that came, and one more', async () => {
    const { createB, clock, query, download, kinds } = await open()
    const { url, received } = await startReceiver()
    const id = await createB({ ...small, callback_url: url })
    await clock.advance({ to: 'idle' })
    expect(received).toHaveLength(3)
    const { body } = await query(id)
    await download(body.content.video_url)
    for (const _ of [...received, 'a page that is shown anew']) await query(id)
    expect(await kinds()).toEqual([])
    await query(id)
    expect(await kinds()).toEqual(['polled-on'])
  })

  test.each([
    [1, []],
    [2, ['polled-on']],
  ])('of a task that has failed, %i further queries', async (count, expected) => {
    const { createB, tasks, query, kinds } = await open()
    const id = await createB(small)
    await tasks.fail(id)
    await query(id)
    for (let further = 0; further < count; further += 1) await query(id)
    expect(await kinds()).toEqual(expected)
  })
})

describe('hammered', () => {
  test('not a player that fetches a film in parts', async () => {
    const { complete, download, kinds } = await open()
    const { url } = await complete(small)
    for (let part = 0; part < 60; part += 1)
      await download(url, { headers: { Range: `bytes=${part * 100}-${part * 100 + 99}` } })
    expect(await kinds()).toEqual([])
  })

  test('not a batch of orders that are all taken', async () => {
    const { createB, clock, query, kinds } = await open()
    const ids = await Promise.all(Array.from({ length: 50 }, () => createB(small)))
    await clock.advance({ to: 'idle' })
    for (const id of ids) await query(id)
    expect(await kinds()).not.toContain('hammered')
  })

  test('but orders that are refused again and again', async () => {
    const { fail, create, kinds } = await open()
    await fail('b-video-task.create', { error: 'ServerOverloaded' })
    for (let nth = 0; nth < 50; nth += 1) await create(small)
    expect(await kinds()).toEqual(['hammered'])
  })

  test('not pages of a list', async () => {
    const { get, kinds } = await open()
    for (let page = 1; page <= 60; page += 1) await get(`${paths.tasks}?page_num=${page}&page_size=1`)
    expect(await kinds()).toEqual([])
  })
})

describe('fetched-twice', () => {
  test('not a client that asks for the head first, then for parts, then for what has changed', async () => {
    const { createB, follow, kinds } = await open()
    const url = await follow(await createB(small))
    const head = await fetch(url, { method: 'HEAD' })
    await (await fetch(url)).arrayBuffer()
    await (await fetch(url, { headers: { Range: 'bytes=0-1' } })).arrayBuffer()
    const unchanged = await fetch(url, { headers: { 'If-None-Match': head.headers.get('etag') ?? '' } })
    expect(unchanged.status).toBe(304)
    expect(await kinds()).toEqual([])
  })

  test('not a client that leaves within the file, and fetches it anew', async () => {
    // A film that no buffer of a connection holds.
    const { createB, follow, download, requests, kinds } = await open()
    const url = await follow(await createB({ resolution: '720p', duration: 15 }))
    await leaveWithin(url)
    await requests.waitFor({ operation: 'results.download' })
    await download(url)
    expect(await kinds()).toEqual([])
    await download(url)
    expect(await kinds()).toEqual(['fetched-twice'])
  })

  test('not a client that gave up on a slow download', async () => {
    const { scenario, createB, follow, download, kinds } = await open()
    await scenario.play({
      name: 'slow-once',
      description: 'The first download is slow.',
      steps: [
        { when: { operation: 'results.download', nth: 1 }, then: { transport: { bytesPerSecond: 1_000 } } },
      ],
    })
    const url = await follow(await createB(small))
    await leaveWithin(url)
    await download(url)
    expect(await kinds()).toEqual([])
  })
})

/** Reads the beginning of a file, and leaves. */
const leaveWithin = async (url: string): Promise<void> => {
  const sent = request(url).end()
  const [answer] = await once(sent, 'response')
  await once(answer, 'data')
  sent.destroy()
  await once(sent, 'close')
}

describe('abandoned-task', () => {
  test.each([
    [2, ['abandoned-task']],
    [3, []],
  ])('after %i queries in a row that have failed', async (count, expected) => {
    const { createB, fail, query, kinds } = await open()
    const id = await createB(small)
    await fail('b-video-task.read', { error: 'InternalServiceError' })
    for (let tries = 0; tries < count; tries += 1) await query(id)
    expect(await kinds()).toEqual(expected)
  })

  test.each([
    ['f-video-v2.create', []],
    ['b-video-task.create', ['abandoned-task']],
  ] as const)('not where the answer was late, and no list has the task: %s', async (operation, expected) => {
    const { scenario, post, kinds } = await open()
    await scenario.play({
      name: 'late',
      description: 'The answer of a create is late.',
      steps: [{ when: { operation }, then: { transport: { delay: '1ms' } } }],
    })
    const [path, body] =
      operation === 'f-video-v2.create' ? [paths.second, bodies.second()] : [paths.tasks, bodies.task(small)]
    await post(path, body)
    expect(await kinds()).toEqual(expected)
  })

  test('not where the key of the client has been refused since', async () => {
    const { createB, fail, query, kinds } = await open()
    const id = await createB(small)
    await fail('b-video-task.read', { error: 'AuthenticationError' })
    await query(id)
    expect(await kinds()).toEqual([])
  })
})

describe('an answer with another field', () => {
  const changed = (then: object) => ({
    name: 'changed',
    description: 'Queries are answered with something changed.',
    steps: [{ when: { operation: 'b-video-task.read' as const }, then }],
  })

  test.each([
    ['a number as a text', { answer: { retype: { duration: 'text' } } }, []],
    ['another length', { answer: { set: { duration: 9 } } }, []],
    ['no usage', { answer: { without: ['usage'] } }, []],
    ['a late answer', { transport: { delay: '1ms' } }, []],
    ['another body', { answer: { body: {} } }, ['abandoned-task']],
  ])('tells the end of a task: %s', async (_, then, expected) => {
    const { scenario, createB, tasks, query, kinds } = await open()
    await scenario.play(changed(then))
    const id = await createB(small)
    await tasks.force(id, 'cancelled')
    await query(id)
    expect(await kinds()).toEqual(expected)
  })
})

describe('never-fetched', () => {
  test.each([
    [2, ['never-fetched']],
    [3, []],
  ])('after %i downloads that have failed', async (count, expected) => {
    const { scenario, createB, follow, download, kinds } = await open()
    await scenario.play({
      name: 'no-results',
      description: 'No download is answered with a file.',
      steps: [{ when: { operation: 'results.download' }, then: { answer: { status: 503 } } }],
    })
    const url = await follow(await createB(small))
    for (let tries = 0; tries < count; tries += 1) await download(url)
    expect(await kinds()).toEqual(expected)
  })
})

describe('callback-not-answered', () => {
  test('not a receiver that answers 500 first, and takes the next attempt', async () => {
    const { complete, kinds } = await open()
    const { url, received } = await startReceiver((_, response, count) =>
      response.writeHead(count === 1 ? 500 : 204).end(),
    )
    await complete({ ...small, callback_url: url })
    expect(received.length).toBeGreaterThan(3)
    expect(await kinds()).toEqual([])
  })
})

describe('believed-callback', () => {
  test('not where the query that checks it has failed', async () => {
    const { scenario, fail, inbox, clock, query, kinds, createB } = await open()
    await scenario.play('callback-contradicts-query')
    await fail('b-video-task.read', { error: 'InternalServiceError' })
    const id = await createB({ ...small, callback_url: inbox('hook').url })
    await clock.advance({ to: 'idle' })
    expect(await kinds()).toContain('believed-callback')
    await query(id)
    expect(await kinds()).not.toContain('believed-callback')
  })

  test('also where a scenario has set the status, and not where it has set something else', async () => {
    const kindsWith = async (set: Readonly<Record<string, string>>) => {
      const { scenario, inbox, clock, kinds, createB } = await open()
      await scenario.play({
        name: 'other-callback',
        description: 'The callback about the run is another one.',
        steps: [{ when: { callback: { status: 'running' } }, then: { callback: { set } } }],
      })
      await createB({ ...small, callback_url: inbox('hook').url })
      await clock.advance({ to: 'next' })
      return kinds()
    }
    expect(await kindsWith({ status: 'succeeded' })).toContain('believed-callback')
    expect(await kindsWith({ model: 'another' })).not.toContain('believed-callback')
  })
})

describe('an answer whose fields stand elsewhere', () => {
  const played = (when: object, then: object) => ({
    name: 'changed',
    description: 'Answers are changed.',
    steps: [{ when, then }],
  })
  const create = { operation: 'f-video-v2.create', nth: 1 }
  const urlElsewhere = { answer: { move: { 'content.video_url': 'output.url' } } }

  test.each<[string, object, string[]]>([
    ['everything under another field', { answer: { wrap: 'data' } }, []],
    ['the id as a list', { answer: { retype: { 'output.task_id': 'list' } } }, []],
    ['no id', { answer: { without: ['output'] } }, []],
    ['one field more', { answer: { set: { code: 0 } } }, ['abandoned-task']],
  ])(
    'a create that a client without a list cannot use is no abandoned task: %s',
    async (_, then, expected) => {
      const { scenario, post, kinds } = await open()
      await scenario.play(played(create, then))
      await post(paths.second, bodies.second())
      expect(await kinds()).toEqual(expected)
    },
  )

  test.each<[string, object, string[]]>([
    ['everything under another field', { answer: { wrap: 'data' } }, ['ordered-twice']],
    ['one field more', { answer: { set: { code: 0 } } }, ['abandoned-task']],
  ])('is a lost answer after which the same is ordered again: %s', async (_, then, expected) => {
    const { scenario, post, get, clock, download, kinds } = await open()
    await scenario.play(played(create, then))
    await post(paths.second, bodies.second())
    const { body } = await post(paths.second, bodies.second())
    await clock.advance({ to: 'idle' })
    await download((await get(`${paths.secondQuery}/${body.output.task_id}`)).body.task.content.url)
    expect(await kinds()).toEqual(expected)
  })

  test.each<[string, object, string[]]>([
    ['the URL elsewhere', urlElsewhere, []],
    ['no content', { answer: { without: ['content'] } }, []],
    ['another word for success', { answer: { set: { status: 'DONE' } } }, []],
    ['another field', { answer: { retype: { duration: 'text' } } }, ['never-fetched']],
  ])('a query that does not say where the result is: %s', async (_, then, expected) => {
    const { scenario, createB, clock, query, kinds } = await open()
    await scenario.play(played({ operation: 'b-video-task.read' }, then))
    const id = await createB(small)
    await clock.advance({ to: 'idle' })
    await query(id)
    expect(await kinds()).toEqual(expected)
  })

  test('but where a list has said it', async () => {
    const { scenario, createB, follow, list, kinds } = await open()
    await scenario.play(played({ operation: 'b-video-task.read' }, urlElsewhere))
    await follow(await createB(small))
    await list()
    expect(await kinds()).toEqual(['never-fetched'])
  })

  test.each<[string, object]>([
    ['wrap', { wrap: 'data' }],
    ['move', { move: { status: 'state' } }],
    ['set', { set: { duration: 'long' } }],
    ['retype', { retype: { duration: 'text' } }],
  ])('a callback that its receiver has reason to refuse: %s', async (_, then) => {
    const { scenario, complete, kinds } = await open()
    await scenario.play(played({ callback: 'delivery' }, { callback: then }))
    const { url } = await startReceiver((_, response) => response.writeHead(422).end())
    await complete({ ...small, callback_url: url })
    expect(await kinds()).toEqual([])
  })
})

test('ignored-fields: not a known field that is null', async () => {
  const { complete, kinds } = await open()
  await complete({ ...small, callback_url: null, seed: null })
  expect(await kinds()).toEqual([])
})

test('two clients that share an account and do all well have no finding', async () => {
  const { as } = await startOnPort({ clock: 'paused' })
  const { createB, query, clock, verdict } = as('shared')
  const one = async () => {
    const id = await createB(small)
    await clock.advance({ to: 'idle' })
    await (await fetch((await query(id)).body.content.video_url)).arrayBuffer()
  }
  await Promise.all([one(), one()])
  expect(await verdict()).toEqual([])
})
