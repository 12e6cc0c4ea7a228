import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createHandles } from '../../../src/emulator/client/handles.js'
import { localTransport } from '../../../src/emulator/client/local-transport.js'
import { joinCoverage, readCoverage } from '../../../src/resilience/coverage/join.js'
import { createObserver } from '../../../src/resilience/coverage/observe.js'
import { reportOf } from '../../../src/resilience/coverage/report.js'
import type { Hits } from '../../../src/resilience/coverage/spec.js'
import { startReceiver, withStatus } from '../../emulator/callbacks/receiver.js'
import { KEY, startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

import { type Client, items, order, SECOND, second, startCovered, TASKS, text } from './covered.js'

const { emulator, url, covered } = await startCovered()

test('operations are those that were called, and unknown paths are none', async () => {
  const hits = await covered(async ({ ask }) => {
    await ask('GET', TASKS)
    await ask('GET', '/no/such/path')
  })
  expect(hits.operations).toEqual({ 'b-video-task.list': 1 })
})

describe('rules', () => {
  test('an accepted create keeps every rule of the family, and those of the fields that it has', async () => {
    const hits = await covered(({ ask }) => ask('POST', TASKS, order))
    const found = items(hits, 'rules')
    expect(found).toEqual(
      expect.arrayContaining([
        'b-video-task.credentials:kept',
        'b-video-task.rate-limit:kept',
        'b-video-task.schema.duration:kept',
        'b-video-task.high-resolution:kept',
        'b-video-task.balance-is-positive:kept',
      ]),
    )
    expect(found).not.toContain('b-video-task.schema.seed:kept')
    expect(found.filter((item) => item.endsWith(':broken'))).toEqual([])
  })

  test('a field that is wrong breaks its rule, keeps those of other fields, and reaches no later rule', async () => {
    const found = items(await covered(({ ask }) => ask('POST', TASKS, { ...order, duration: 400 })), 'rules')
    expect(found).toContain('b-video-task.schema.duration:broken')
    expect(found).toContain('b-video-task.schema.resolution:kept')
    expect(found).toContain('b-video-task.body-is-json:kept')
    expect(found).not.toContain('b-video-task.schema.duration:kept')
    expect(found).not.toContain('b-video-task.balance-is-positive:kept')
  })

  test('all rules of a create are checked, so that the others are kept where one refuses', async () => {
    const hits = await covered(async ({ ask, change }) => {
      await change({ balance: 0 })
      await ask('POST', TASKS, order)
    })
    const found = items(hits, 'rules')
    expect(found).toContain('b-video-task.balance-is-positive:broken')
    expect(found).toContain('b-video-task.high-resolution:kept')
    expect(found).toContain('b-video-task.tasks-in-flight:kept')
  })

  test('that the emulator has room for a task is no rule of the service, on neither side', async () => {
    const accepted = await covered(({ ask }) => ask('POST', TASKS, order))
    expect(items(accepted, 'rules').join()).not.toContain('.room-for-task:')
    const { emulator: full, create } = await startOnPort({ tasksPerAccount: 1 })
    for (let creates = 2; creates > 0; creates -= 1) await create()
    const [refused] = full.journals.journalOf(KEY).list()
    expect(refused?.refusedBy.map(({ rule }) => rule)).toEqual(['b-video-task.room-for-task'])
    const observer = createObserver()
    if (refused !== undefined) observer.call(refused)
    expect(items(observer.hits, 'rules')).toEqual([])
  })

  test('a rule about a field is known from the first call that has the field, also where it is not checked', async () => {
    const known = async (body: object, broken = false) => {
      const hits = await covered(async ({ ask, change, reset }) => {
        await reset()
        if (broken) await change({ limits: { requestsPerMinute: 0 } })
        await ask('POST', TASKS, body)
      })
      return hits.rules['b-video-task.schema.seed:kept']
    }
    expect(await known(order)).toBeUndefined()
    expect(await known({ ...order, seed: 1 }, true)).toBe(0)
    expect(await known({ ...order, seed: 1 })).toBe(1)
  })

  test('a create for which the emulator has no memory keeps no rule', async () => {
    const { emulator: full, create } = await startOnPort({ bodyBytesAtOnce: 2 ** 20 })
    await create({ ...order, content: [text, { type: 'text', text: 'x'.repeat(2 ** 21) }] })
    const [refused] = full.journals.journalOf(KEY).list()
    expect(refused?.refusedBy.map(({ rule }) => rule)).toEqual(['b-video-task.room-for-body'])
    const observer = createObserver()
    if (refused !== undefined) observer.call(refused)
    expect(items(observer.hits, 'rules')).toEqual([])
  })

  test('all rules of an upload are checked, but not without a file, and the limits of its job once it is taken', async () => {
    const png = await readFile(new URL('../../../fixtures/media/square.png', import.meta.url))
    /** Rules that an upload keeps and breaks; without a name it has no file. */
    const uploaded = async (name?: string) => {
      const form = new FormData()
      form.set('group_id', 'g')
      if (name !== undefined) form.set('file', new Blob([png]), name)
      const hits = await covered(async ({ key, reset }) => {
        await reset()
        const headers = { authorization: `Bearer ${key}` }
        await fetch(new URL('/v1/asset/upload', url), { method: 'POST', headers, body: form })
      })
      return items(hits, 'rules').filter((item) => /\.(file|name-length|file-type|sides):/.test(item))
    }
    expect(await uploaded('square.png')).toEqual([
      'd-assets.file:kept',
      'd-assets.name-length:kept',
      'd-assets.file-type:kept',
      'd-assets.sides:kept',
    ])
    expect(await uploaded('x'.repeat(65))).toEqual([
      'd-assets.name-length:broken',
      'd-assets.file:kept',
      'd-assets.file-type:kept',
    ])
    expect(await uploaded()).toEqual(['d-assets.file:broken'])
  })

  test.each([
    ['side-300.png', 'sides:kept'],
    ['side-299.png', 'sides:broken'],
    ['ratio-2.5.png', 'ratio:kept'],
    ['too-wide.png', 'ratio:broken'],
    ['clip-15s.mp4', 'seconds:kept'],
    ['clip-16s.mp4', 'seconds:broken'],
    ['clip-60fps.mp4', 'frames-per-second:kept'],
    ['clip-61fps.mp4', 'frames-per-second:broken'],
    ['cut-short.png', undefined],
  ])('a limit that the job of an upload checks is on the side of its file: %s', async (name, expected) => {
    const form = new FormData()
    form.set(
      'file',
      new Blob([await readFile(new URL(`../../../fixtures/media/${name}`, import.meta.url))]),
      name,
    )
    const hits = await covered(async ({ key }) => {
      const headers = { authorization: `Bearer ${key}` }
      await fetch(new URL('/v1/asset/upload', url), { method: 'POST', headers, body: form })
    })
    const limits = items(hits, 'rules').filter((item) =>
      /\.(sides|ratio|seconds|frames-per-second):/.test(item),
    )
    const [limit = ''] = expected?.split(':') ?? []
    expect(limits.filter((item) => item.includes(limit))).toEqual(
      expected === undefined ? [] : [`d-assets.${expected}`],
    )
    expect(items(hits, 'rules')).toContain('d-assets.file-type:kept')
  })

  test('an upload for which there is no room is on no side of these limits', async () => {
    const { emulator: full, upload } = await startOnPort({ inputBytes: 1 })
    const png = await readFile(new URL('../../../fixtures/media/square.png', import.meta.url))
    expect((await upload('square.png', png)).status).toBe(400)
    const [refused] = full.journals.journalOf(KEY).list()
    const observer = createObserver()
    if (refused !== undefined) observer.call(refused)
    expect(items(observer.hits, 'operations')).toEqual(['d-assets.upload'])
    expect(items(observer.hits, 'rules').filter((item) => item.includes('.sides:'))).toEqual([])
  })

  test('a rule about a field of lists is kept by a query that has the field', async () => {
    const found = items(await covered(({ ask }) => ask('GET', `${TASKS}?page_size=5`)), 'rules')
    expect(found).toContain('b-video-task.list.page_size:kept')
    expect(found).not.toContain('b-video-task.list.page_num:kept')
  })

  test('a rule about a field of items is kept by a list of which one item has the field', async () => {
    const image = { type: 'image_url', image_url: { url: `${url}/_backlot/fixtures/square.png` } }
    const kept = async (content: readonly object[]) =>
      items(await covered(({ ask }) => ask('POST', TASKS, { ...order, content })), 'rules').includes(
        'b-video-task.schema.content[].image_url.url:kept',
      )
    expect(await kept([text])).toBe(false)
    expect(await kept([text, image])).toBe(true)
  })

  test('a stage before the rules keeps only what was checked before it', async () => {
    const rules = (hits: Hits) => items(hits, 'rules').map((item) => item.replace('b-video-task.', ''))
    const create = (authorization: string, body: string) =>
      fetch(new URL(TASKS, url), { method: 'POST', headers: { authorization }, body })
    const unreadable = await covered(({ key }) => create(key, '{'))
    expect(rules(unreadable).sort()).toEqual([
      'body-is-json:broken',
      'content-type:kept',
      'credentials:kept',
      'rate-limit:kept',
    ])
    const unknown = createObserver()
    await create('invalid-key', JSON.stringify(order))
    emulator.journals.journalOf('invalid-key').list().forEach(unknown.call)
    expect(rules(unknown.hits)).toEqual(['credentials:broken'])
  })

  test('of a task that is not there nothing is said beyond that', async () => {
    const found = items(await covered(({ ask }) => ask('DELETE', `${TASKS}/none`)), 'rules')
    expect(found).toContain('b-video-task.task-exists:broken')
    expect(found).not.toContain('b-video-task.cancelling:kept')
  })

  test('a scenario that answers in place of the call leaves its rules unchecked', async () => {
    const hits = await covered(async ({ ask, fail }) => {
      await fail('b-video-task.create', { error: 'ServerOverloaded' })
      await ask('POST', TASKS, order)
    })
    expect(items(hits, 'rules')).toEqual([])
    expect(items(hits, 'errors')).toEqual(['b-video-task/ServerOverloaded'])
    expect(items(hits, 'scenarios')).toEqual(['fail-b-video-task-create-server-overloaded#1'])
  })
})

test.each([
  [0, { covered: 0, total: 0 }],
  [1, { covered: 0, total: 1 }],
  [2, { covered: 1, total: 1 }],
])('a step about the second list, after %i lists', async (lists, expected) => {
  const step = {
    when: { operation: 'b-video-task.list', nth: 2 },
    then: { answer: { status: 503 } },
  } as const
  const hits = await covered(async ({ ask, scenario }) => {
    await scenario.play({ name: 'second', description: 'The second list is refused.', steps: [step] })
    for (let nth = 0; nth < lists; nth += 1) await ask('GET', TASKS).catch(() => undefined)
  })
  expect(reportOf(hits, []).kinds.scenarios).toMatchObject(expected)
})

test('errors are those of refusals and of failed tasks', async () => {
  const hits = await covered(async ({ ask, tasks }) => {
    await ask('POST', TASKS, {})
    const { id } = await ask('POST', TASKS, order)
    await tasks.fail(id, 'OutputVideoSensitiveContentDetected')
    await ask('GET', `${TASKS}/${id}`)
    for (const error of ['server_error', 'overloaded_error', 'request_too_large'] as const) {
      const { task_id } = await ask('POST', SECOND, second)
      await tasks.fail(task_id, error)
      await ask('GET', `/provC/v2/query/video_generation/${task_id}`)
    }
  })
  expect(items(hits, 'errors').sort()).toEqual([
    'b-video-task/MissingParameter',
    'b-video-task/OutputVideoSensitiveContentDetected',
    // Their codes are their statuses: they have no number.
    'f-video-v2/overloaded_error',
    'f-video-v2/request_too_large',
    'f-video-v2/server_error',
  ])
})

test.each(['reset', 'silent'] as const)(
  'an answer that never arrived covers no more than its call: %s',
  async (broken) => {
    const hits = await covered(async ({ ask, fail, tasks }) => {
      await ask('POST', TASKS, {})
      const { id } = await ask('POST', TASKS, order)
      await tasks.force(id, 'succeeded')
      const { content } = await ask('GET', `${TASKS}/${id}`)
      await (await fetch(content.video_url, { headers: { Range: 'bytes=0-9' } })).arrayBuffer()
      await fail('b-video-task.create', { error: 'ServerOverloaded' })
      await ask('POST', TASKS, order)
    }, broken)
    const kinds = (Object.keys(hits) as (keyof Hits)[]).filter((kind) => items(hits, kind).length > 0)
    expect(kinds.sort()).toEqual(['operations', 'scenarios'])
  },
)

test('statuses and transitions are those that answers say, of one task each', async () => {
  const hits = await covered(async ({ ask }) => {
    const [one, other] = [await ask('POST', TASKS, order), await ask('POST', TASKS, order)]
    await ask('GET', `${TASKS}/${one.id}`)
    await ask('GET', `${TASKS}/${one.id}`)
    await ask('GET', `${TASKS}/${other.id}`)
  })
  expect(items(hits, 'statuses')).toEqual(['b-video-task/running', 'b-video-task/succeeded'])
  expect(items(hits, 'transitions')).toEqual(['b-video-task/running>succeeded'])
})

test('statuses and transitions are those of lists too', async () => {
  const hits = await covered(async ({ ask, tasks }) => {
    const [one, other] = [await ask('POST', TASKS, order), await ask('POST', TASKS, order)]
    await tasks.force(one.id, 'running')
    await ask('GET', TASKS)
    await tasks.force(one.id, 'succeeded')
    await tasks.force(other.id, 'cancelled')
    await ask('GET', TASKS)
  })
  expect(items(hits, 'transitions').sort()).toEqual([
    'b-video-task/queued>cancelled',
    'b-video-task/running>succeeded',
  ])
})

test.each(['specification', 'openai-style'] as const)(
  'statuses in the words of the setting %s count as those that they stand for',
  async (videoStatusWords) => {
    const { emulator: worded, url } = await startOnPort({ clock: 'on-poll', videoStatusWords })
    const ask = async (path: string, init: RequestInit = {}) =>
      (await fetch(new URL(path, url), { ...init, headers: { authorization: 'key' } })).json()
    const body = JSON.stringify({ model: order.model, media: [text], size: '480p', seconds: '4' })
    const { task_id } = (await ask('/v1/videos', { method: 'POST', body })) as { task_id: string }
    await ask(`/v1/videos/${task_id}`)
    await ask(`/v1/videos/${task_id}`)
    const { call, hits } = createObserver()
    worded.journals.journalOf('key').list().reverse().forEach(call)
    const statuses = ['c-video/queued', 'c-video/running', 'c-video/succeeded']
    expect(items(hits, 'statuses')).toEqual(statuses)
    expect(items(hits, 'transitions')).toEqual(['c-video/queued>running', 'c-video/running>succeeded'])
  },
)

describe('callbacks', () => {
  test('the challenge and every accepted status count', async () => {
    const hits = await covered(async ({ ask, clock, hook }) => {
      await ask('POST', SECOND, { ...second, callback_url: hook })
      await clock.advance('10m')
    })
    expect(items(hits, 'callbacks').sort()).toEqual([
      'f-video-v2/challenge',
      'f-video-v2/queued',
      'f-video-v2/running',
      'f-video-v2/succeeded',
    ])
  })

  test('a copy is a duplicate, and a delay is late', async () => {
    const hits = await covered(async ({ ask, clock, hook, scenario }) => {
      await scenario.play('callback-twice')
      await ask('POST', TASKS, { ...order, callback_url: hook })
      await clock.advance('10m')
      await scenario.stop()
      await scenario.play('callback-late')
      await ask('POST', TASKS, { ...order, callback_url: hook })
      await clock.advance('1h')
    })
    expect(items(hits, 'callbacks')).toEqual(
      expect.arrayContaining(['b-video-task/duplicate', 'b-video-task/late']),
    )
  })

  test.each(['callbacks-out-of-order', 'callbacks-stop-then-flood'] as const)(
    'what %s holds back is late',
    async (name) => {
      const hits = await covered(async ({ ask, clock, hook, scenario }) => {
        await scenario.play(name)
        for (let nth = 0; nth < 4; nth += 1) await ask('POST', TASKS, { ...order, callback_url: hook })
        await clock.advance('2h')
      })
      expect(items(hits, 'callbacks')).toContain('b-video-task/late')
    },
  )

  test('a callback that is sent twice counts once, as does the step that acted on it, sent or not', async () => {
    const { emulator: watched, url } = await startOnPort()
    const folder = newFolder()
    const write = joinCoverage(watched, folder)
    const { scenario, clock } = createHandles('key', localTransport(watched, 'key'), url)
    for (const name of ['callback-twice', 'callback-lost'] as const) {
      await scenario.play(name)
      await fetch(new URL(TASKS, url), {
        method: 'POST',
        headers: { authorization: 'Bearer key' },
        body: JSON.stringify({ ...order, callback_url: `${url}/_backlot/inbox/hook` }),
      })
      await clock.advance('1h')
      await scenario.stop()
    }
    write()
    const { callbacks, scenarios, gaps } = readCoverage(folder).hits
    expect(callbacks).toEqual({
      'b-video-task/queued': 2,
      'b-video-task/running': 2,
      'b-video-task/succeeded': 1,
      'b-video-task/duplicate': 3,
    })
    expect(scenarios).toEqual({ 'callback-twice#1': 3, 'callback-lost#1': 1 })
    // Five callbacks were sent, three of them twice.
    expect(gaps).toMatchObject({ B17: 5 })
  })

  test('a status that a callback has brought is seen, and its transition, and its error', async () => {
    const hits = await covered(async ({ ask, clock, hook, tasks }) => {
      await ask('POST', TASKS, { ...order, callback_url: hook })
      await clock.advance({ to: 'next' })
      const [{ id } = { id: '' }] = await tasks.list()
      await tasks.fail(id, 'OutputVideoSensitiveContentDetected')
      await clock.advance('1m')
    })
    expect(items(hits, 'statuses')).toEqual(['queued', 'running', 'failed'].map((s) => `b-video-task/${s}`))
    expect(items(hits, 'transitions')).toEqual(
      ['queued>running', 'running>failed'].map((change) => `b-video-task/${change}`),
    )
    expect(items(hits, 'errors')).toEqual(['b-video-task/OutputVideoSensitiveContentDetected'])
  })

  test('a status that a scenario has made up, or that no receiver accepts, is not seen', async () => {
    const lied = await covered(async ({ ask, clock, hook, scenario }) => {
      await scenario.play('callback-contradicts-query')
      await ask('POST', TASKS, { ...order, callback_url: hook })
      await clock.advance({ to: 'next' })
    })
    expect(items(lied, 'statuses')).toEqual(['b-video-task/queued'])
    const refused = await covered(async ({ ask, clock, reset }) => {
      await reset()
      await ask('POST', TASKS, { ...order, callback_url: `${url}/no/such/path` })
      await clock.advance('1h')
    })
    expect(items(refused, 'statuses')).toEqual([])
  })

  test('what no receiver accepts is refused, and no more', async () => {
    const hits = await covered(async ({ ask, clock }) => {
      await ask('POST', TASKS, { ...order, callback_url: `${url}/no/such/path` })
      await clock.advance('1h')
    })
    expect(items(hits, 'callbacks')).toEqual(['b-video-task/refused'])
  })

  test('what a receiver refuses and then accepts is both', async () => {
    const { url } = await startReceiver((_, response, count) =>
      response.writeHead(count === 1 ? 500 : 200).end(),
    )
    const hits = await covered(async ({ ask, clock }) => {
      await ask('POST', TASKS, { ...order, callback_url: url })
      await clock.advance('1h')
    })
    expect(items(hits, 'callbacks').sort()).toEqual([
      'b-video-task/queued',
      'b-video-task/refused',
      'b-video-task/running',
      'b-video-task/succeeded',
    ])
  })

  test('a challenge that is answered with 200 and not returned is refused', async () => {
    const { url } = await startReceiver(withStatus(200))
    const hits = await covered(async ({ ask, clock }) => {
      await ask('POST', SECOND, { ...second, callback_url: url })
      await clock.advance('10m')
    })
    expect(items(hits, 'callbacks')).toEqual(['f-video-v2/refused'])
  })
})

describe('results', () => {
  const resultOf = async ({ ask }: Client): Promise<string> => {
    const { id } = await ask('POST', TASKS, order)
    await ask('GET', `${TASKS}/${id}`)
    return (await ask('GET', `${TASKS}/${id}`)).content.video_url
  }
  const fetched = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).arrayBuffer()

  test('a file that is sent is fetched', async () => {
    const hits = await covered(async (client) => fetched(await resultOf(client)))
    expect(items(hits, 'results')).toEqual(['fetched'])
  })

  test('a file by the id of its task is fetched, and asks no rule about headers that it has not', async () => {
    const hits = await covered(async ({ ask, key, tasks }) => {
      const { id } = await ask('POST', TASKS, order)
      await tasks.force(id, 'succeeded')
      await fetched(`${url}/v1/videos/${id}/content`, { headers: { authorization: key } })
    })
    expect(items(hits, 'results')).toEqual(['fetched'])
    const rules = items(hits, 'rules')
    expect(rules).toContain('c-video.content-is-there:kept')
    expect(rules).not.toContain('c-video.range:kept')
    expect(rules).not.toContain('c-video.precondition:kept')
  })

  test('a part of a file by the id of its task keeps the rule about parts', async () => {
    const hits = await covered(async ({ ask, key, tasks }) => {
      const { id } = await ask('POST', TASKS, order)
      await tasks.force(id, 'succeeded')
      const headers = { authorization: key, range: 'bytes=0-9' }
      await fetched(`${url}/v1/videos/${id}/content`, { headers })
    })
    expect(items(hits, 'results')).toEqual(['range'])
    expect(items(hits, 'rules')).toContain('c-video.range:kept')
  })

  test('an expired URL is one by a scenario too', async () => {
    const hits = await covered(async (client) => {
      const url = await resultOf(client)
      await client.scenario.play('result-expired')
      await fetched(url, { headers: { Range: 'bytes=0-9' } })
    })
    expect(items(hits, 'results')).toEqual(['expired'])
  })

  test('a part that is asked for counts, though the whole file comes', async () => {
    const hits = await covered(async (client) => {
      const url = await resultOf(client)
      await client.scenario.play('result-ignores-range')
      await fetched(url, { headers: { Range: 'bytes=0-9' } })
    })
    expect(items(hits, 'results')).toEqual(['range'])
  })

  test('a file of which a part has come is not fetched', async () => {
    const hits = await covered(async (client) => {
      const url = await resultOf(client)
      await client.scenario.play('result-cut')
      await fetched(url).catch(() => undefined)
    })
    expect(items(hits, 'results')).toEqual([])
  })

  test('a part, the head and an expired URL are others', async () => {
    const hits = await covered(async (client) => {
      const url = await resultOf(client)
      await fetched(url, { method: 'HEAD' })
      await fetched(url, { headers: { Range: 'bytes=0-9' } })
      await client.clock.advance('15d')
      await fetched(url)
    })
    expect(items(hits, 'results').sort()).toEqual(['expired', 'head', 'range'])
    expect(items(hits, 'rules')).toContain('results.not-expired:broken')
  })
})
