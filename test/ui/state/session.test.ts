import { expect, onTestFinished, test } from 'vitest'
import type { Api } from '../../../src/ui/state/api.js'
import { createRouter } from '../../../src/ui/state/router.js'
import { createSession } from '../../../src/ui/state/session.js'
import { createStore } from '../../../src/ui/state/store.js'
import { task } from './records.js'

const accounts = ['a', 'b'].map((tag) => ({ tag, key: `key-${tag}`, tasks: 300, ordinal: 300 }))
const HELLO = `event: hello\ndata: {"version":"1","instance":"i","seed":1,"journalEntries":1000}\n\n`

/** A session with two accounts of 300 tasks each, which are read in two pages. The first page is answered when a test says so. */
const openSession = () => {
  const history = { current: () => '/_backlot/ui/requests?account=a', push: () => {}, replace: () => {} }
  const router = createRouter({ ...history, onPop: () => {} }, 'timeline')
  const store = createStore({ now: () => 0 })
  const pagesHeld: (() => void)[] = []
  const streams: { readonly account: string | null; readonly hello: () => void }[] = []
  const read = async (name: string, input: Record<string, number>, key?: string): Promise<unknown> => {
    if (name === 'accounts.list') return { items: accounts }
    if (name === 'tasks.list') {
      if (input.offset === 0) await new Promise<void>((resolve) => pagesHeld.push(resolve))
      return { items: [task({ id: `${key} from ${input.offset}` })], total: 300 }
    }
    return { items: [], total: 0 }
  }
  const api = {
    origin: '',
    invoke: read,
    request: async (path: string) => {
      let send = (_: Uint8Array) => {}
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          send = (bytes) => controller.enqueue(bytes)
        },
      })
      const account = new URLSearchParams(path.slice(path.indexOf('?'))).get('account')
      streams.push({ account, hello: () => send(new TextEncoder().encode(HELLO)) })
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
  return { router, store, streamOf, answerPage, tasks, errors }
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
