import { ApiError } from './api.js'
import { createStreamParser, type StreamMessage } from './event-stream.js'
import { createValue } from './observable.js'
import type { EventItem } from './store.js'

/** State of the connection to the event stream. */
export interface LiveState {
  /** `refused`: for want of the control token. */
  readonly status: 'connecting' | 'live' | 'lost' | 'refused'
  /** Attempts that have failed since it was last live. */
  readonly failures: number
  /** A sentence; empty: nothing is wrong. */
  readonly problem: string
}

/** The first message of a stream. */
interface Hello {
  readonly version: string
  /** A random id of the emulator, which tells it from another one on the same port. */
  readonly instance: string
  readonly seed: number
  /** Setting: how many calls its journal keeps of an account. */
  readonly journalEntries: number
}

interface LiveParts {
  /** Opens the stream. @throws ApiError, also for a status that is not 2xx */
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>
  readonly onHello: (hello: Hello) => void
  readonly onItems: (items: readonly EventItem[]) => void
  /** Called when events are missing: everything has to be read again. */
  readonly onReload: () => void
  /** Resolves after milliseconds, or at once when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

const ENDED = new ApiError(0, 'The connection ended.')
export const MAX_PAUSE_MS = 5_000
const FIRST_PAUSE_MS = 250
/** The server sends a comment every 15 seconds. A stream that is silent for longer than this is dead. */
const MAX_SILENCE_MS = 40_000

/** Pause before the next attempt to connect: doubled each time, with a cap. */
export const retryPause = (failures: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))

/** Client of the event stream: reads it, resumes it by the id of its last message, and connects again when it breaks. */
export const createLive = ({ open, onHello, onItems, onReload, wait }: LiveParts) => {
  const state = createValue<LiveState>({ status: 'connecting', failures: 0, problem: '' })
  let lastEventId: string | undefined
  let connection = new AbortController()

  const receive = ({ event, id, data }: StreamMessage): void => {
    if (id !== '') lastEventId = id
    if (event === 'hello') onHello(JSON.parse(data) as Hello)
    if (event === 'batch') onItems((JSON.parse(data) as { items: EventItem[] }).items)
    if (event === 'reload') onReload()
  }

  const readStream = async (signal: AbortSignal): Promise<void> => {
    const watchdog = new AbortController()
    const response = await open(lastEventId, AbortSignal.any([signal, watchdog.signal]))
    state.set({ status: 'live', failures: 0, problem: '' })
    const parse = createStreamParser()
    const decoder = new TextDecoder()
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    for (;;) {
      const received = new AbortController()
      void wait(MAX_SILENCE_MS, received.signal).then(() => {
        if (!received.signal.aborted) watchdog.abort()
      })
      const { done, value } = await reader.read().finally(() => received.abort())
      if (done) return
      for (const message of parse(decoder.decode(value, { stream: true })))
        if (!signal.aborted) receive(message)
    }
  }

  const keepConnected = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const error = await readStream(signal).catch((reason: unknown) => reason)
      if (signal.aborted) return
      const { status, message: problem } = error instanceof ApiError ? error : ENDED
      const failures = state.get().failures + 1
      state.set({ status: status === 401 ? 'refused' : 'lost', failures, problem })
      await wait(retryPause(failures), signal)
    }
  }

  /** Connects, and again for ever, until `stop`. */
  const start = (): void => {
    connection = new AbortController()
    void keepConnected(connection.signal)
  }
  const stop = (): void => connection.abort()
  return {
    get: state.get,
    subscribe: state.subscribe,
    start,
    stop,
    /** Opens another connection, for another account, from the last message on: nothing is missed in between. */
    restart: (): void => {
      stop()
      state.set({ status: 'connecting', failures: 0, problem: '' })
      start()
    },
  }
}
