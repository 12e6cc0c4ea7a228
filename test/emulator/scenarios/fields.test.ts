import { expect, test } from 'vitest'
import type { ScenarioDocument } from '../../../src/index.js'
import { type Answer, b, c, create, f, startPlaying } from './play.js'

type Step = ScenarioDocument['steps'][number]

const playing = (...steps: Step[]) =>
  startPlaying({ name: 'other-fields', description: 'Answers with one thing changed.', steps })

const queries = (play: Awaited<ReturnType<typeof playing>>, family: typeof b, id: string, count: number) =>
  Array.from({ length: count }).reduce<Promise<Answer[]>>(async (before, _) => {
    const answers = await before
    return [...answers, await play.ask('GET', family.query(id))]
  }, Promise.resolve([]))

test('fields are moved, wrapped, set and retyped in this order, and the rest of the true answer stays', async () => {
  const play = await playing({
    when: { operation: 'b-video-task.read', status: 'succeeded' },
    then: {
      answer: {
        without: ['draft'],
        move: { seed: 'meta.seed' },
        wrap: 'data',
        set: { code: 0, error: '' },
        retype: {
          'data.usage.total_tokens': 'text',
          'data.duration': 'decimal',
          'data.content': 'list',
          code: 'text',
        },
      },
    },
  })
  const id = await create(play, b)
  const answers = await play.poll(b, id, 4)
  expect(answers.slice(0, 2).map(({ body }) => [body.id, body.status])).toEqual([
    [id, 'running'],
    [undefined, undefined],
  ])
  const { body, text, headers } = answers.at(-1) as Answer
  expect(body).toMatchObject({
    code: '0',
    error: '',
    data: {
      id,
      status: 'succeeded',
      meta: { seed: expect.any(Number) },
      usage: { total_tokens: expect.stringMatching(/^\d+$/) },
      content: [{ video_url: expect.stringContaining('/results/') }],
    },
  })
  expect(body.data).not.toHaveProperty('draft')
  expect(body.data).not.toHaveProperty('seed')
  expect(text).toMatch(/"duration":4\.0[,}]/)
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
})

test('the journal keeps what was decided, what went out, and says what the step changed', async () => {
  const play = await playing({
    when: { operation: 'b-video-task.read', nth: 1 },
    then: {
      answer: { move: { nowhere: 'there' }, wrap: 'data', set: { code: 0 }, retype: { 'data.seed': 'text' } },
    },
  })
  const id = await create(play, b)
  const [changed, plain] = (await queries(play, b, id, 2)) as [Answer, Answer]
  const record = await play.account.requests.get(changed.requestId)
  expect(record.answer).toMatchObject({ id, seed: expect.any(Number) })
  expect(record.sent).toEqual({ status: 200, answer: changed.body })
  expect(record.explanation).toContain(
    'The step changed the answer: all of it in data, code 0, data.seed as text.',
  )
  expect(record.explanation).toContain('The step names the field nowhere, which this answer does not have.')
  expect(plain.body).toMatchObject({ id })
  expect(await play.account.requests.get(plain.requestId)).toMatchObject({ sent: null })
})

test('an error keeps its status, and its fields change', async () => {
  const play = await playing({
    when: { operation: 'c-video.create' },
    then: {
      answer: { error: 'internal_error', set: { 'error.code': 50_001 }, retype: { 'error.code': 'text' } },
    },
  })
  const { status, body } = await play.ask('POST', c.create, c.body())
  expect([status, body.error.code, typeof body.error.message]).toEqual([500, '50001', 'string'])
})

test('each item of a list is changed by its path, and one item by its position', async () => {
  const play = await playing({
    when: { operation: 'b-video-task.list' },
    then: { answer: { set: { 'items[].region': 'eu' }, retype: { 'items[0].seed': 'text' } } },
  })
  await create(play, b)
  await create(play, b, { seed: 7 })
  const { body } = await play.ask('GET', b.create)
  expect(body.items.map(({ region }: { region: string }) => region)).toEqual(['eu', 'eu'])
  expect(body.items.map(({ seed }: { seed: unknown }) => typeof seed)).toEqual(['string', 'number'])
})

test('what a path lacks is made: lists for positions, objects for names', async () => {
  const play = await playing({
    when: { operation: 'b-video-task.read' },
    then: { answer: { set: { 'meta.tries[0].at': 1 } } },
  })
  const id = await create(play, b)
  const { body } = await play.ask('GET', b.query(id))
  expect(body.meta).toEqual({ tries: [{ at: 1 }] })
})

test('what a value cannot be, it stays', async () => {
  const play = await playing({
    when: { operation: 'b-video-task.read' },
    then: { answer: { retype: { status: 'number', 'content.video_url': 'decimal', id: 'text' } } },
  })
  const id = await create(play, b)
  const { body } = await play.ask('GET', b.query(id))
  expect(body).toMatchObject({ id, status: 'running' })
})

test('messages are changed alike, and their log has what was sent', async () => {
  const play = await playing(
    { when: { callback: { status: 'queued' } }, then: { callback: { wrap: 'data', set: { code: 0 } } } },
    {
      when: { callback: { status: 'succeeded' } },
      then: { callback: { move: { 'task.id': 'task_id' }, retype: { 'task.duration': 'decimal' } } },
    },
  )
  const box = play.account.inbox('hook')
  const id = await create(play, f, { callback_url: box.url })
  await play.poll(f, id)
  const [last] = await play.account.callbacks.waitFor({ status: 'succeeded', state: 'delivered' })
  const received = (await box.list()).map(({ body }) => body as Record<string, unknown>)
  const deliveries = received.filter((body) => !('challenge' in body))
  const bodyOf = (n: number) => deliveries[n]
  expect(bodyOf(0)).toMatchObject({ code: 0, data: { id, status: 'queued', task: { id } } })
  expect(last?.scenario?.acted?.effects).toEqual(['callback.move', 'callback.retype'])
  expect(bodyOf(2)).toMatchObject({ task_id: id })
})

test('a step for a status acts on calls about tasks that have it at the time', async () => {
  const play = await playing({
    when: { operation: 'b-video-task.read', status: ['queued', 'succeeded'], nth: 1 },
    then: { answer: { set: { odd: true } } },
  })
  const id = await create(play, b)
  const answers = await queries(play, b, id, 4)
  expect(answers.map(({ body }) => [body.status, body.odd])).toEqual([
    ['running', undefined],
    ['succeeded', true],
    ['succeeded', undefined],
    ['succeeded', undefined],
  ])
  const { explanation } = await play.account.requests.get(answers[0]?.requestId ?? '')
  expect(explanation.join(' ')).toContain('it wants a task that is queued or succeeded; this one was running')
})

test('perTask counts the calls about each task', async () => {
  const play = await playing({
    when: { operation: 'b-video-task.read', perTask: true, nth: 2 },
    then: { answer: { set: { odd: true } } },
  })
  const [one, two] = [await create(play, b), await create(play, b)]
  const seen: unknown[] = []
  for (const id of [one, two, one, one, two]) seen.push((await play.ask('GET', b.query(id))).body.odd)
  expect(seen).toEqual([undefined, undefined, true, undefined, true])
  const last = await play.ask('GET', b.query(two))
  const { explanation } = await play.account.requests.get(last.requestId)
  expect(explanation.join(' ')).toContain(
    'it wants the second b-video-task.read about each task; this was the third',
  )
  const unknown = await play.ask('GET', b.query('cgt-unknown'))
  expect((await play.account.requests.get(unknown.requestId)).explanation.join(' ')).toContain(
    'it wants a call about a task; this call is about none',
  )
})

test('the counts of each task outlast a snapshot', async () => {
  const play = await playing({
    when: { operation: 'b-video-task.read', perTask: true, first: 1 },
    then: { answer: { set: { odd: true } } },
  })
  const id = await create(play, b)
  await play.ask('GET', b.query(id))
  await play.account.restore(await play.account.snapshot())
  expect((await play.ask('GET', b.query(id))).body.odd).toBeUndefined()
})

test('task is the number of the task in its family', async () => {
  const play = await playing({
    when: { operation: ['b-video-task.read', 'c-video.read'], task: 2 },
    then: { answer: { set: { odd: true } } },
  })
  const ids = [await create(play, c), await create(play, b), await create(play, b)]
  const odd = await Promise.all(
    ids.map(async (id, index) => (await play.ask('GET', (index === 0 ? c : b).query(id))).body.odd),
  )
  expect(odd).toEqual([undefined, undefined, true])
})

test.each<[string, Step, string]>([
  [
    'set beside a body',
    { then: { answer: { body: {}, set: { code: 0 } } } },
    'set is for the true answer or an error, and this answer has a body of its own',
  ],
  [
    'wrap beside cutAt',
    { then: { answer: { cutAt: 4, wrap: 'data' } } },
    'a body that is cut cannot be read',
  ],
  ['no path', { then: { answer: { retype: {} } } }, 'an object with at least one path'],
  ['a type that there is not', { then: { answer: { retype: { seed: 'float' as 'text' } } } }, 'decimal'],
  [
    'set of a challenge',
    { when: { callback: 'challenge' }, then: { callback: { set: { code: 0 } } } },
    'set is for deliveries',
  ],
  [
    'move of a broken body',
    { when: { callback: 'delivery' }, then: { callback: { brokenBody: true, move: { id: 'x' } } } },
    'a body that is cut cannot be read',
  ],
  [
    'a status of creates',
    { when: { operation: 'b-video-task.create', status: 'running' }, then: { answer: { set: { a: 1 } } } },
    'status is for calls about a task that is there, and b-video-task.create names none',
  ],
  [
    'the number of a task of a job of an upload',
    { when: { operation: 'd-assets.resolve', task: 1 }, then: { answer: { set: { a: 1 } } } },
    'task is for calls about a task that is there, and d-assets.resolve names none',
  ],
  [
    'a status that the family does not have',
    { when: { operation: 'b-video-task.read', status: 'pending' }, then: { answer: { set: { a: 1 } } } },
    'no task here is pending: possible are queued, running, succeeded, failed, cancelled, expired',
  ],
  [
    'a status of messages',
    { when: { callback: 'delivery', status: 'running' }, then: { callback: { set: { a: 1 } } } },
    'status is of calls: for messages write callback: { status }',
  ],
  [
    'perTask without a count',
    { when: { operation: 'b-video-task.read', perTask: true }, then: { answer: { set: { a: 1 } } } },
    'perTask is for nth, first, every or after',
  ],
])('%s is refused', async (_, step, message) => expect(playing(step)).rejects.toThrow(message))
