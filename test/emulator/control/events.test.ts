import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHandles } from '../../../src/emulator/client/handles.js'
import { localTransport } from '../../../src/emulator/client/local-transport.js'
import { accountIdOf } from '../../../src/emulator/core/account/account-id.js'
import { version } from '../../../src/emulator/version.js'
import { type RunningEmulator, startEmulator } from '../../../src/index.js'
import { paths, startOnPort } from '../../emulator.js'
import { type EventReader, readEvents } from './event-reader.js'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'paused' })
})
afterAll(() => emulator.stop())

const TASKS = '/provB/api/v3/contents/generations/tasks'
const body = (prompt: string, more = {}) =>
  JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: prompt }], ...more })

const create = async (key: string, prompt = 'a lighthouse', more = {}): Promise<string> => {
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(emulator.url + TASKS, { method: 'POST', headers, body: body(prompt, more) })
  return ((await response.json()) as { id: string }).id
}

const follow = async (query = '', headers: Record<string, string> = {}): Promise<EventReader> => {
  const reader = await readEvents(`${emulator.url}/_backlot/events${query}`, headers)
  onTestFinished(() => reader.close())
  return reader
}

const as = (key: string) => ({ Authorization: `Bearer ${key}` })
const tagOf = async (key: string) => (await emulator.account(key).read()).tag

describe('a stream of events', () => {
  test('begins with the version and an id', async () => {
    const stream = await follow('', as('begins'))
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const hello = await stream.next()
    expect(hello).toMatchObject({ event: 'hello', data: { version, seed: 1, at: hello.id } })
  })

  test('brings calls, tasks, the clock and the account, and what a clock brings about', async () => {
    const stream = await follow('', as('calls'))
    const id = await create('calls')
    const call = await stream.find(({ kind }) => kind === 'request')
    expect(call.record).toMatchObject({ operation: 'b-video-task.create', status: 200, task: id })
    const queued = await stream.find(({ kind }) => kind === 'task')
    expect(queued.record).toMatchObject({ id, status: 'queued' })
    expect((await stream.find(({ kind }) => kind === 'account')).record).toMatchObject({ tasksInFlight: 1 })
    await emulator.account('calls').clock.advance({ to: 'idle' })
    await stream.find(({ kind, record }) => kind === 'task' && record?.status === 'succeeded')
    await stream.find(({ kind, record }) => kind === 'clock' && record?.next === null)
  })

  test('brings records as the brief lists have them', async () => {
    const stream = await follow('', as('brief'))
    const callback_url = `${emulator.url}/_backlot/inbox/brief`
    const id = await create('brief', 'a lighthouse', { callback_url })
    await emulator.account('brief').clock.advance({ to: 'idle' })
    const list = async (path: string) => {
      const response = await fetch(`${emulator.url}/_backlot/${path}?brief`, { headers: as('brief') })
      return ((await response.json()) as { items: readonly Record<string, unknown>[] }).items
    }
    const [task] = await list('tasks')
    expect(task).toMatchObject({ id, order: { prompt: 'a lighthouse' } })
    await stream.find(({ record }) => isDeepStrictEqual(record, task))
    const [call] = await list('requests')
    await stream.find(({ record }) => isDeepStrictEqual(record, call))
    for (const callback of await list('callbacks'))
      await stream.find(({ record }) => isDeepStrictEqual(record, callback))
  })

  test('brings a callback that waits until an earlier one of its task has been accepted', async () => {
    const stream = await follow('', as('waits'))
    const id = await create('waits', 'a lighthouse', { callback_url: `${emulator.url}/no-receiver` })
    const { clock, tasks } = emulator.account('waits')
    await clock.advance(0)
    await tasks.fail(id)
    const { record } = await stream.find(({ record }) => record?.id === `${id}-2`)
    expect(record).toMatchObject({ status: 'failed', state: 'waiting', attempts: [] })
  })

  test('of one account tells nothing of another; with all it tells of every account', async () => {
    const [one, every] = [await follow('', as('one')), await follow('?all=1', as('one'))]
    await create('another')
    await create('one')
    const another = await tagOf('another')
    await every.find(({ account }) => account === another)
    const { data } = await one.next().then((hello) => (hello.event === 'hello' ? one.next() : hello))
    expect(new Set(data.items?.map(({ account }) => account))).toEqual(new Set([await tagOf('one')]))
  })

  test('of several accounts that are named tells of these alone', async () => {
    const [first, second] = [await tagOf('first'), await tagOf('second')]
    const stream = await follow(`?account=${first}&account=${second}`)
    for (const key of ['unnamed', 'first', 'second']) await create(key)
    const received = new Set<string>()
    await stream.find(({ account, kind }) => {
      received.add(account)
      return account === second && kind === 'task'
    })
    expect(received).toEqual(new Set([first, second]))
  })

  test.each([
    ['a key', '?account=my-key', '"my-key"'],
    ['a key beside an id', '?account=0123456789ab&account=my-key', '"my-key"'],
    ['nothing', '?account=', '""'],
  ])('is refused where account is %s and no id', async (_, query, found) => {
    const response = await fetch(`${emulator.url}/_backlot/events${query}`)
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    expect(error.code).toBe('bad-input')
    expect(error.message).toMatch(/^account(\[1\])? must be the id of an account \(12 hex digits/)
    expect(error.message).toContain(`not its key, found ${found}`)
  })

  test('waits for an account that there is not yet', async () => {
    const stream = await follow(`?account=${accountIdOf('comes-later')}`)
    await stream.next()
    const id = await create('comes-later')
    const { record } = await stream.find(({ kind }) => kind === 'request')
    expect(record).toMatchObject({ task: id })
  })

  test('is resumed after the id of the latest event', async () => {
    const stream = await follow('', as('resumed'))
    await create('resumed', 'before')
    await stream.find(({ kind }) => kind === 'request')
    await stream.close()
    const witness = await follow('', as('resumed'))
    const { id = '' } = await witness.next()
    const missed = await create('resumed', 'while away')
    await witness.find(({ kind, record }) => kind === 'task' && record?.id === missed)
    const again = await follow('', { ...as('resumed'), 'Last-Event-ID': id })
    expect((await again.next()).event).toBe('hello')
    const { event, data } = await again.next()
    expect(event).toBe('batch')
    const calls = data.items?.filter(({ kind }) => kind === 'request').map(({ record }) => record?.task)
    expect(calls).toEqual([missed])
  })

  test.each(['another-emulator.7', 'nonsense', '999999999'])(
    'tells to read anew after the id %s',
    async (id) => {
      const stream = await follow('', { ...as('anew'), 'Last-Event-ID': id })
      expect((await stream.next()).event).toBe('hello')
      expect((await stream.next()).event).toBe('reload')
    },
  )

  test.each([
    [500, 'batch'],
    [501, 'reload'],
  ])('of %i things that happen at once tells by a %s', async (count, received) => {
    const { emulator: busy, url } = await startOnPort()
    await busy.store.read('default', () => {})
    const stream = await readEvents(`${url}/_backlot/events`)
    onTestFinished(() => stream.close())
    await stream.next()
    // In one turn of the event loop, so that they belong to one batch however slow the machine is.
    for (let nth = 0; nth < count; nth += 1) busy.events.emit('inbox', { account: 'default', name: 'box' })
    expect((await stream.next()).event).toBe(received)
  })

  test('tells to read anew after a batch that could not be written', async () => {
    const { emulator: failing, url, bugs } = await startOnPort()
    const stream = await readEvents(`${url}/_backlot/events`)
    onTestFinished(() => stream.close())
    await stream.next()
    vi.spyOn(failing.store, 'keys').mockRejectedValueOnce(new Error('The store is away.'))
    failing.events.emit('inbox', { account: 'default', name: 'box' })
    expect((await stream.next()).event).toBe('reload')
    expect(failing.metrics.errors()).toBe(1)
    expect(bugs.splice(0)).toMatchObject([{ message: 'The store is away.' }])
  })

  test('brings an account that begins anew whole, though it is as it was', async () => {
    const { emulator: fresh, url } = await startOnPort()
    const account = createHandles('as-it-was', localTransport(fresh, 'as-it-was'), url)
    await account.read()
    const stream = await readEvents(`${url}/_backlot/events`, as('as-it-was'))
    onTestFinished(() => stream.close())
    const kindsOfBatch = async () => (await stream.next()).data.items?.map(({ kind }) => kind)
    await stream.next()
    await account.change({})
    expect(await kindsOfBatch()).toEqual(['clock', 'account', 'scenario'])
    await account.reset()
    await account.change({})
    expect(await kindsOfBatch()).toEqual(['reset', 'clock', 'account', 'scenario'])
  })

  test('brings what is as it was before a batch that was dropped, since readers have read it anew', async () => {
    const { emulator: busy, url } = await startOnPort()
    const account = createHandles('as-before', localTransport(busy, 'as-before'), url)
    await account.read()
    const stream = await readEvents(`${url}/_backlot/events`, as('as-before'))
    onTestFinished(() => stream.close())
    await stream.next()
    await account.change({})
    expect((await stream.next()).event).toBe('batch')
    await account.scenario.play('one-failed-poll')
    for (let count = 0; count < 600; count += 1)
      busy.events.emit('inbox', { account: 'as-before', name: 'box' })
    // On a slow machine a batch has the scenario before.
    while ((await stream.next()).event !== 'reload');
    await account.scenario.stop()
    await account.change({ balance: 1 })
    const { data } = await stream.next()
    expect(data.items).toContainEqual(expect.objectContaining({ kind: 'scenario', items: [] }))
  })

  test('tells that an account has begun anew', async () => {
    await create('reset')
    const stream = await follow('', as('reset'))
    await emulator.account('reset').reset()
    expect(await stream.find(({ kind }) => kind === 'reset')).toMatchObject({ account: await tagOf('reset') })
  })

  test('tells of scenarios and their steps', async () => {
    const stream = await follow('', as('scenarios'))
    await emulator.account('scenarios').scenario.play('rate-limit-burst')
    const stepsThat = (acted: number) =>
      stream.find(
        ({ kind, items }) => kind === 'scenario' && JSON.stringify(items).includes(`"acted":${acted}`),
      )
    expect(await stepsThat(0)).toMatchObject({ items: [{ name: 'rate-limit-burst' }] })
    await create('scenarios')
    const steps = [{ acted: 0 }, { acted: 1 }, { acted: 0 }, { acted: 0 }]
    expect(await stepsThat(1)).toMatchObject({ items: [{ name: 'rate-limit-burst', steps }] })
  })

  test('tells of what the built-in receiver has got', async () => {
    const stream = await follow('', as('boxes'))
    const message = { method: 'POST', headers: as('boxes'), body: '{"hello":1}' }
    await fetch(`${emulator.url}/_backlot/inbox/mine`, message)
    expect(await stream.find(({ kind }) => kind === 'inbox')).toMatchObject({ name: 'mine' })
  })

  test('tells of callbacks and of assets, and of a task that was deleted', async () => {
    const stream = await follow('', as('others'))
    const headers = as('others')
    const made = {
      ...JSON.parse(body('a lighthouse')),
      callback_url: `${emulator.url}/_backlot/inbox/others`,
    }
    const created = await fetch(emulator.url + TASKS, {
      ...{ method: 'POST', headers, body: JSON.stringify(made) },
    })
    const { id } = (await created.json()) as { id: string }
    const form = new FormData()
    form.append('file', new Blob([await readFile('fixtures/media/first-frame.png')]), 'first-frame.png')
    await fetch(emulator.url + paths.upload, { method: 'POST', headers, body: form })
    await emulator.account('others').clock.advance({ to: 'idle' })
    const callback = await stream.find(
      ({ kind, record }) => kind === 'callback' && record?.state === 'delivered',
    )
    expect(callback.record).toMatchObject({ taskId: id, kind: 'delivery' })
    const asset = await stream.find(({ kind }) => kind === 'asset')
    expect(asset).toMatchObject({ id: expect.any(String), detail: expect.any(String) })
    expect((await fetch(`${emulator.url}${TASKS}/${id}`, { method: 'DELETE', headers })).ok).toBe(true)
    expect(await stream.find(({ kind }) => kind === 'gone')).toMatchObject({ id })
  })

  test('leaves out bodies of more than 2,048 characters, and says how long they are', async () => {
    const stream = await follow('', as('long'))
    const { model, content } = JSON.parse(body('a lighthouse'))
    const short = { model, content: Array(48).fill(content[0]), user: '' }
    const bodyOf = async (length: number) => {
      const sent = { ...short, user: 'x'.repeat(length - JSON.stringify(short).length) }
      const init = { method: 'POST', headers: as('long'), body: JSON.stringify(sent) }
      const id = (await fetch(emulator.url + TASKS, init)).headers.get('x-request-id')
      const { record } = await stream.find(({ kind, record }) => kind === 'request' && record?.id === id)
      return { sent, received: record?.body }
    }
    const whole = await bodyOf(2_048)
    expect(whole.received).toEqual(whole.sent)
    expect((await bodyOf(2_049)).received).toBe('… (2049 characters)')
  })
})

describe('guards', () => {
  test.each<[string, Record<string, string>, number]>([
    ['a page of another site', { Origin: 'http://evil.example' }, 403],
    ['a caller without the token', {}, 401],
  ])('%s gets no stream', async (_, headers, status) => {
    const guarded = await startEmulator({ controlToken: 'a-token-of-some-length' })
    onTestFinished(() => guarded.stop())
    const response = await fetch(`${guarded.url}/_backlot/events`, { headers })
    expect(response.status).toBe(status)
  })
})

test('a hundred streams can be open; one more is refused until one of them is closed', async () => {
  const other = await startEmulator()
  onTestFinished(() => other.stop())
  const open = () => readEvents(`${other.url}/_backlot/events`)
  const streams = await Promise.all(Array.from({ length: 100 }, open))
  const events = await Promise.all(streams.map((stream) => stream.next()))
  expect(events.map(({ event }) => event)).toEqual(Array(100).fill('hello'))
  const refused = await fetch(`${other.url}/_backlot/events`)
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'too-many-streams' } }])
  await streams[0]?.close()
  await expect.poll(async () => (await open()).response.status).toBe(200)
})

test('an emulator stops while a stream is open', async () => {
  const other = await startEmulator()
  const stream = await readEvents(`${other.url}/_backlot/events`)
  await stream.next()
  await other.stop()
  await expect(stream.next()).rejects.toThrow()
})
