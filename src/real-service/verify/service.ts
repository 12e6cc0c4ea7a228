import { type HttpAnswer, send } from '../../emulator/surface/client.js'
import { connectionReason, delay, EmulatorError } from '../../emulator/surface/records.js'
import { type AskedCall, type KeyOfCall, type SeenAnswer, seenAnswer } from './exchange.js'
import { fileFacts } from './shadow.js'

const TIMEOUT_MS = 30_000
const TRIES = 3
const PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

/** No key of the service, of whatever form its keys are. */
const UNKNOWN_KEY = 'invalid'

/** Calls without any answer, one after the other, after which nothing more is asked. */
const MOST_SILENT = 3

/** A try of which no whole answer came. */
interface Lost {
  readonly why: string
  /** Whether the service may have taken the call: it was sent, as far as can be told. */
  readonly isSent: boolean
}

/** Why a call has no answer of the service itself: its gateway is overloaded or away, or the connection broke. */
export class NotAnswered extends Error {
  /** Status of the gateway. Undefined where no whole answer came. */
  readonly status: number | undefined
  /** Whether the service may have taken the call all the same, although nothing says so. */
  readonly mayBeTaken: boolean

  constructor(last: HttpAnswer | Lost, tries: number) {
    const why = 'why' in last ? `no answer comes: ${last.why}` : `it is answered with ${last.status}`
    super(`${why}${tries > 1 ? `, ${tries} times` : ''}`)
    this.status = 'why' in last ? undefined : last.status
    this.mayBeTaken = 'why' in last && last.isSent
  }
}

/** The time of the run ended while a call was under way: whether the service has taken it is not known. */
export class TimeIsOver extends Error {}

/**
 * HTTP client for the real service: asks again where it answers 429 or 5xx or breaks the connection, after Retry-After or after a
 * pause that doubles. Redirects are answers, and no call is made elsewhere.
 */
export class Service {
  readonly target: string
  readonly #key: string
  readonly #endsAt: number
  readonly #timeoutMs: number
  #tries = TRIES
  /** How many of the last calls had no answer at all. */
  #silent = 0
  #isReached = false

  /**
   * @param endsAt time of the process (`performance.now()`) after which nothing is asked any more
   * @param timeoutMs how long a call may take
   */
  constructor(target: string, key: string, endsAt = Number.POSITIVE_INFINITY, timeoutMs = TIMEOUT_MS) {
    this.target = target
    this.#key = key
    this.#endsAt = endsAt
    this.#timeoutMs = timeoutMs
  }

  /** Whether the time of the run is over. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /** Why nothing more is asked of a service that does not answer. Undefined where it does. */
  get silence(): string | undefined {
    if (this.#silent < MOST_SILENT) return undefined
    return `the last ${this.#silent} calls were left without an answer, and nothing more is asked`
  }

  /**
   * Makes a call.
   * @param again asked before each further try; a text is the reason why there is none
   * @throws NotAnswered after the last try; TimeIsOver where the time of the run ends first; EmulatorError `unreachable` where there
   *   is nothing at the target from the first
   */
  async ask(
    call: AskedCall,
    again: (failure: NotAnswered) => string | undefined = () => undefined,
  ): Promise<SeenAnswer & { raw: HttpAnswer }> {
    for (let tried = 1; ; tried += 1) {
      const raw = await this.#send(call)
      if (!('why' in raw) && raw.status !== 429 && raw.status < 500) {
        this.#silent = 0
        return { ...seenAnswer(raw), raw }
      }
      const failure = new NotAnswered(raw, tried)
      const seconds = 'why' in raw ? Number.NaN : Number(raw.headers['retry-after'])
      const pauseMs = Math.min(seconds >= 0 ? seconds * 1_000 : PAUSE_MS * 2 ** (tried - 1), MAX_PAUSE_MS)
      const isLast =
        tried >= this.#tries || performance.now() + pauseMs > this.#endsAt || again(failure) !== undefined
      if (isLast) {
        // Later calls are not tried as often.
        this.#tries = 1
        this.#silent = failure.status === undefined ? this.#silent + 1 : 0
        throw failure
      }
      await delay(pauseMs)
    }
  }

  /** Facts of the file at a URL, which is asked for without the key, or why they cannot be had. */
  async file(
    url: string,
  ): Promise<{ readonly file: NonNullable<SeenAnswer['file']> } | { readonly why: string }> {
    const signal = AbortSignal.timeout(this.#timeLeft())
    const headers = { connection: 'close' }
    try {
      const { status, bytes } = await send({ method: 'GET', url, headers, signal, maxBytes: MAX_FILE_BYTES })
      if (status !== 200) return { why: `its URL is answered with ${status}` }
      const file = await fileFacts(bytes)
      return file === undefined ? { why: 'it is no picture, film or sound that can be read' } : { file }
    } catch (error) {
      return { why: signal.aborted ? 'it takes too long' : connectionReason(error) }
    }
  }

  /** Status of the URL of a result. */
  async fileStatus(url: string): Promise<number> {
    const signal = AbortSignal.timeout(this.#timeLeft())
    const headers = { connection: 'close', range: 'bytes=0-0' }
    const { status } = await send({ method: 'GET', url, headers, signal, maxBytes: MAX_FILE_BYTES })
    return status === 206 ? 200 : status
  }

  #timeLeft(): number {
    // Timers take whole milliseconds.
    return Math.max(1, Math.ceil(Math.min(this.#timeoutMs, this.#endsAt - performance.now())))
  }

  async #send({ method, path, json, body, key = 'own' }: AskedCall): Promise<HttpAnswer | Lost> {
    // A connection of its own: a call over one that is kept alive may be sent again, and cost twice.
    const headers: Record<string, string> = { connection: 'close', 'accept-encoding': 'identity' }
    const bearer = this.#keyFor(key)
    if (bearer !== undefined) headers.authorization = `Bearer ${bearer}`
    const [type, bytes] = body ?? ['application/json', json === undefined ? undefined : JSON.stringify(json)]
    if (bytes !== undefined) headers['content-type'] = type
    const timeoutMs = this.#timeLeft()
    const signal = AbortSignal.timeout(timeoutMs)
    const call = { method, url: this.target + path, headers, body: bytes, signal, maxBytes: MAX_BYTES }
    try {
      const answer = await send(call)
      this.#isReached = true
      return answer
    } catch (error) {
      if (signal.aborted && timeoutMs < this.#timeoutMs) throw new TimeIsOver()
      if (signal.aborted) return { why: `it takes longer than ${this.#timeoutMs / 1_000} s`, isSent: true }
      const why = connectionReason(error)
      const isSent = !UNCONNECTED.test((error as NodeJS.ErrnoException).code ?? '')
      if (isSent || this.#isReached) return { why, isSent }
      throw new EmulatorError(`No answer comes from ${this.target}: ${why}.`, { code: 'unreachable' })
    }
  }

  #keyFor(key: KeyOfCall): string | undefined {
    return { own: this.#key, unknown: UNKNOWN_KEY, none: undefined }[key]
  }
}

/** Errors of connections that were never made: nothing was sent. */
const UNCONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SSL|ERR_TLS|.*CERT)/

/** The largest answer that is read, and the largest file. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_FILE_BYTES = 512 * 1024 * 1024
