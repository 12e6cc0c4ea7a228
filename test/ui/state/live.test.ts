import { expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../../src/ui/state/api.js'
import { createStreamParser } from '../../../src/ui/state/event-stream.js'
import { createLive, type LiveState, retryPause } from '../../../src/ui/state/live.js'
import type { EventItem } from '../../../src/ui/state/store.js'

type Answer = ApiError | Response

/** A client of a stream whose connections are answered one by one, and whose pauses end at once. */
const openLive = (answers: readonly (Answer | 'hang')[]) => {
  const signals: AbortSignal[] = []
  const silences: (() => void)[] = []
  const asked: (string | undefined)[] = []
  const pauses: number[] = []
  const states: LiveState[] = []
  const items: EventItem[] = []
  const hellos: string[] = []
  let reloads = 0
  const live = createLive({
    open: async (lastEventId, signal) => {
      signals.push(signal)
      asked.push(lastEventId)
      const answer = answers[asked.length - 1] ?? 'hang'
      if (answer === 'hang') return new Promise(() => {})
      if (answer instanceof ApiError) throw answer
      return answer
    },
    wait: async (ms, signal) => {
      // The watch over a silent stream ends when a test says so.
      if (ms > 10_000)
        return new Promise((resolve) => {
          silences.push(resolve)
          signal.addEventListener('abort', () => resolve())
        })
      pauses.push(ms)
    },
    onHello: ({ instance }) => void hellos.push(instance),
    onItems: (given) => void items.push(...given),
    onReload: () => {
      reloads += 1
    },
  })
  live.subscribe(() => void states.push(live.get()))
  live.start()
  onTestFinished(live.stop)
  /** Resolves once the client asks for the nth time. */
  const askedFor = async (times: number) => {
    while (asked.length < times) await new Promise((resolve) => setImmediate(resolve))
  }
  return { live, asked, signals, silences, pauses, states, items, hellos, reloads: () => reloads, askedFor }
}

const hello = `event: hello\ndata: {"version":"1","instance":"i","seed":1}\n\n`
const batch = (id: string) =>
  `id: ${id}\nevent: batch\ndata: {"items":[{"kind":"reset","account":"${id}"}]}\n\n`
const gone = new ApiError(0, 'No emulator answers at http://127.0.0.1:4650.')

test('reads a stream and resumes it by the id of its last message', async () => {
  const { asked, items, hellos, askedFor } = openLive([
    new Response(hello + batch('i.1') + batch('i.2')),
    'hang',
  ])
  await askedFor(2)
  expect(hellos).toEqual(['i'])
  expect(items.map(({ account }) => account)).toEqual(['i.1', 'i.2'])
  expect(asked).toEqual([undefined, 'i.2'])
})

test('connects again for ever, with a pause that doubles up to five seconds', async () => {
  const { pauses, states, askedFor } = openLive([
    ...Array<ApiError>(8).fill(gone),
    new Response(hello),
    'hang',
  ])
  await askedFor(10)
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 250])
  expect(states[1]).toEqual({ status: 'lost', failures: 2, problem: gone.message })
  expect(states.find(({ status }) => status === 'live')).toEqual({ status: 'live', failures: 0, problem: '' })
})

test('the pause has a maximum', () => expect(retryPause(10_000)).toBe(5_000))

test('a refusal of the emulator is told apart from one that does not answer', async () => {
  const { states, askedFor } = openLive([new ApiError(401, 'The API wants its token.'), 'hang'])
  await askedFor(2)
  expect(states[0]).toEqual({ status: 'refused', failures: 1, problem: 'The API wants its token.' })
})

test('an emulator that has no place for another stream is asked again, and for no token', async () => {
  const { states, askedFor } = openLive([new ApiError(429, '100 streams of events are open.'), 'hang'])
  await askedFor(2)
  expect(states[0]).toEqual({ status: 'lost', failures: 1, problem: '100 streams of events are open.' })
})

test('a stream that has lost events has everything read again', async () => {
  const { reloads, askedFor } = openLive([new Response(`${hello}event: reload\ndata: {}\n\n`), 'hang'])
  await askedFor(2)
  expect(reloads()).toBe(1)
})

test('another connection continues after the last message, so that nothing is missed in between', async () => {
  const { live, asked, signals, askedFor } = openLive([new Response(hello + batch('i.1')), 'hang', 'hang'])
  await askedFor(2)
  live.restart()
  await askedFor(3)
  expect(asked).toEqual([undefined, 'i.1', 'i.1'])
  expect(signals.slice(1).map(({ aborted }) => aborted)).toEqual([true, false])
})

test('a stream is ended that has been silent for too long, and not one that has ended a silence', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>()
  const writer = stream.writable.getWriter()
  const { hellos, signals, silences } = openLive([new Response(stream.readable)])
  await expect.poll(() => silences.length).toBe(1)
  await writer.write(new TextEncoder().encode(hello))
  await expect.poll(() => silences.length).toBe(2)
  expect(hellos).toEqual(['i'])
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  silences[1]?.()
  await expect.poll(() => signals[0]?.aborted).toBe(true)
})

test('messages are whole however the bytes are cut', () => {
  const parse = createStreamParser()
  const text = `: comment\n\n${batch('i.1')}`.replaceAll('\n', '\r\n')
  const messages = [...text].flatMap((letter) => parse(letter))
  expect(messages).toEqual([
    { event: 'batch', id: 'i.1', data: '{"items":[{"kind":"reset","account":"i.1"}]}' },
  ])
})
