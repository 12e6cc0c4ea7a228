import { expect, onTestFinished, test } from 'vitest'
import type { Advanced, ClockReading } from '../../../src/generated/control-api.js'
import type { Api } from '../../../src/ui/state/api.js'
import { createRouter } from '../../../src/ui/state/router.js'
import { createSession } from '../../../src/ui/state/session.js'
import { createStore, type EventItem } from '../../../src/ui/state/store.js'
import { task } from './records.js'

const accounts = ['a', 'b'].map((tag) => ({ tag, key: `key-${tag}`, tasks: 300, ordinal: 300 }))
const HELLO = `event: hello\ndata: {"version":"1","instance":"i","seed":1,"journalEntries":1000}\n\n`

/** A session with two accounts of 300 tasks each, which are read in two pages. The first page is answered when a test says so. */
const openSession = (answers: Readonly<Record<string, () => unknown>> = {}) => {
  const history = { current: () => '/_backlot/ui/requests?account=a', push: () => {}, replace: () => {} }
  const router = createRouter({ ...history, onPop: () => {} }, 'timeline')
  const store = createStore({ now: () => 0 })
  const pagesHeld: (() => void)[] = []
  const streams: {
    readonly account: string | null
    readonly hello: () => void
    readonly batch: (items: readonly EventItem[]) => void
  }[] = []
  const read = async (name: string, input: Record<string, number>, key?: string): Promise<unknown> => {
    if (name === 'accounts.list') return { items: accounts }
    if (name === 'tasks.list') {
      if (input.offset === 0) await new Promise<void>((resolve) => pagesHeld.push(resolve))
      return { items: [task({ id: `${key} from ${input.offset}` })], total: 300 }
    }
    const answer = answers[name]
    if (answer !== undefined) return answer()
    return { items: [], total: 0 }
  }
  const api = {
    origin: '',
    invoke: read,
    request: async (path: string) => {
      let send = (_: string) => {}
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          send = (text) => controller.enqueue(new TextEncoder().encode(text))
        },
      })
      const account = new URLSearchParams(path.slice(path.indexOf('?'))).get('account')
      streams.push({
        account,
        hello: () => send(HELLO),
        batch: (items) => send(`event: batch\ndata: ${JSON.stringify({ items })}\n\n`),
      })
      return new Response(body)
    },
  } as unknown as Api
  const errors: unknown[] = []
  const wait = () => new Promise<void>(() => {})
  const onError = (error: unknown) => void errors.push(error)
  const session = createSession({ api, store, router, wait, reloadPage: () => {}, onError })
  onTestFinished(session.live.stop)
  session.start()
  /** Resolves with the stream of an account, once it is the latest. */
  const streamOf = async (tag: string) => {
    await expect.poll(() => streams.at(-1)?.account).toBe(tag)
    return streams.at(-1)
  }
  /** Answers the first page, once it has been asked for. */
  const answerPage = async () => {
    await expect.poll(() => pagesHeld.length).toBe(1)
    pagesHeld.shift()?.()
  }
  const tasks = () => store.get().tasks.map(({ id }) => id)
  return { session, router, store, streamOf, answerPage, tasks, errors }
}

test.each([
  ['another account', 'b'],
  ['another account and then itself again', 'a'],
])(
  'an account that is being read when the page goes to %s is not shown with tasks of both',
  async (_, last) => {
    const { router, store, streamOf, answerPage, tasks, errors } = openSession()
    const first = await streamOf('a')
    first?.hello()
    await expect.poll(() => store.get().tag).toBe('a')
    router.filter({ account: 'b' })
    let stream = await streamOf('b')
    const shown: string[][] = []
    store.subscribe(() => void shown.push(tasks()))
    await answerPage()
    // What would be read next is answered at once.
    await new Promise((resolve) => setImmediate(resolve))
    if (last === 'a') {
      router.filter({ account: 'a' })
      stream = await streamOf('a')
    }
    stream?.hello()
    await answerPage()
    await expect.poll(() => store.get()).toMatchObject({ tag: last, isLoaded: true })
    const whole = [`key-${last} from 250`, `key-${last} from 0`]
    await expect.poll(tasks).toEqual(expect.arrayContaining(whole))
    expect(tasks()).toHaveLength(2)
    for (const ids of shown) expect(new Set(ids.map((id) => id.slice(0, 5))).size).toBeLessThanOrEqual(1)
    expect(errors).toEqual([])
  },
)

/** A clock of one second after another, and a session that has read it. Each answer about it is given when the test says so. */
const openClock = async () => {
  const at = (second: number): ClockReading => ({
    now: `2026-01-01T00:00:0${second}.000Z`,
    mode: 'paused',
    speed: 1,
    next: null,
  })
  const moves: ((second: number) => void)[] = []
  const reads: ((second: number) => void)[] = []
  const totals = { task: 0, asset: 0, callback: 0 }
  const moved = (second: number): Advanced => ({
    now: at(second).now,
    happened: [],
    totals,
    ended: { total: 0, urls: [] },
  })
  const opened = openSession({
    'clock.read': () => new Promise((resolve) => reads.push((second) => resolve(at(second)))),
    'clock.advance': () => new Promise((resolve) => moves.push((second) => resolve(moved(second)))),
  })
  const stream = await opened.streamOf('a')
  stream?.hello()
  const answer = async (held: ((second: number) => void)[], second: number) => {
    await expect.poll(() => held.length).toBe(1)
    held.shift()?.(second)
  }
  await answer(reads, 0)
  await opened.answerPage()
  await expect.poll(() => opened.store.get()).toMatchObject({ isLoaded: true, clock: at(0) })
  return { ...opened, stream, at, moves, reads, answer }
}

test('a move of the clock that is asked for during another one begins where that has ended', async () => {
  const { session, moves, reads, answer, at } = await openClock()
  const both = [session.advance({ by: '1s' }), session.advance({ by: '1s' })]
  expect(session.isMoving.get()).toBe(true)
  await answer(moves, 1)
  await answer(reads, 1)
  await both[0]
  expect(session.isMoving.get()).toBe(true)
  await answer(moves, 2)
  await answer(reads, 2)
  await both[1]
  expect(session.lastMove.get()).toMatchObject({ from: at(1).now, advanced: { now: at(2).now } })
  expect(session.isMoving.get()).toBe(false)
})

test('a move that waits for another one is not made on the clock of an account that was chosen meanwhile', async () => {
  const { session, router, streamOf, moves, reads, answer } = await openClock()
  const both = [session.advance({ by: '1s' }), session.advance({ by: '1s' })]
  await expect.poll(() => moves.length).toBe(1)
  router.filter({ account: 'b' })
  await streamOf('b')
  await answer(moves, 1)
  await answer(reads, 1)
  await Promise.all(both)
  expect(moves).toEqual([])
  expect(session.isMoving.get()).toBe(false)
})

test('an event of the clock that overtakes the answer to a read stays', async () => {
  const { session, store, stream, moves, reads, answer, at } = await openClock()
  const move = session.advance({ by: '1s' })
  await answer(moves, 1)
  await expect.poll(() => reads.length).toBe(1)
  stream?.batch([{ kind: 'clock', account: 'a', record: at(5) }])
  await expect.poll(() => store.get().clock?.now).toBe(at(5).now)
  await answer(reads, 1)
  await move
  await Promise.resolve()
  expect(store.get().clock?.now).toBe(at(5).now)
})
