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

/** Why a call was not answered by the service itself: its gateway is overloaded or away. */
export class NotAnswered extends Error {
  readonly status: number

  constructor(status: number, tries: number) {
    super(`it is answered with ${status}${tries > 1 ? `, ${tries} times` : ''}`)
    this.status = status
  }
}

/** The time of the run ended while a call was under way: whether the service has taken it is not known. */
export class TimeIsOver extends Error {}

/**
 * HTTP client for the real service: asks again where it answers 429 or 5xx, after Retry-After or after a pause that doubles. Redirects
 * are answers, and no call is made elsewhere.
 */
export class Service {
  readonly target: string
  readonly #key: string
  readonly #endsAt: number
  #tries = TRIES

  /** @param endsAt time of the process (`performance.now()`) after which nothing is asked any more */
  constructor(target: string, key: string, endsAt = Number.POSITIVE_INFINITY) {
    this.target = target
    this.#key = key
    this.#endsAt = endsAt
  }

  /** Whether the time of the run is over. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /**
   * Makes a call.
   * @param again asked before each further try; a text is the reason why there is none
   * @throws NotAnswered after the last try; TimeIsOver where the time of the run ends first; EmulatorError `unreachable` where no answer
   *   comes
   */
  async ask(
    call: AskedCall,
    again: () => string | undefined = () => undefined,
  ): Promise<SeenAnswer & { raw: HttpAnswer }> {
    for (let tried = 1; ; tried += 1) {
      const raw = await this.#send(call)
      if (raw.status !== 429 && raw.status < 500) return { ...seenAnswer(raw), raw }
      const seconds = Number(raw.headers['retry-after'])
      const pauseMs = Math.min(seconds >= 0 ? seconds * 1_000 : PAUSE_MS * 2 ** (tried - 1), MAX_PAUSE_MS)
      const isLast =
        tried >= this.#tries || performance.now() + pauseMs > this.#endsAt || again() !== undefined
      if (isLast) {
        // Later calls are not tried as often.
        this.#tries = 1
        throw new NotAnswered(raw.status, tried)
      }
      await delay(pauseMs)
    }
  }

  /** Facts of the file at a URL, which is asked for without the key. Undefined where it cannot be had, or is no medium. */
  async file(url: string): Promise<SeenAnswer['file']> {
    const signal = AbortSignal.timeout(this.#timeLeft())
    const answer = await send({
      method: 'GET',
      url,
      headers: { connection: 'close' },
      signal,
      maxBytes: MAX_FILE_BYTES,
    }).catch(() => undefined)
    return answer?.status === 200 ? fileFacts(answer.bytes) : undefined
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
    return Math.max(1, Math.ceil(Math.min(TIMEOUT_MS, this.#endsAt - performance.now())))
  }

  async #send({ method, path, json, body, key = 'own' }: AskedCall): Promise<HttpAnswer> {
    // A connection of its own: a call over one that is kept alive may be sent again, and cost twice.
    const headers: Record<string, string> = { connection: 'close', 'accept-encoding': 'identity' }
    const bearer = this.#keyFor(key)
    if (bearer !== undefined) headers.authorization = `Bearer ${bearer}`
    const [type, bytes] = body ?? ['application/json', json === undefined ? undefined : JSON.stringify(json)]
    if (bytes !== undefined) headers['content-type'] = type
    const timeoutMs = this.#timeLeft()
    const signal = AbortSignal.timeout(timeoutMs)
    const call = { method, url: this.target + path, headers, body: bytes, signal, maxBytes: MAX_BYTES }
    return send(call).catch((error) => {
      if (signal.aborted && timeoutMs < TIMEOUT_MS) throw new TimeIsOver()
      const reason = signal.aborted ? `it takes longer than ${TIMEOUT_MS / 1_000} s` : connectionReason(error)
      throw new EmulatorError(`No answer comes from ${this.target}: ${reason}.`, { code: 'unreachable' })
    })
  }

  #keyFor(key: KeyOfCall): string | undefined {
    return { own: this.#key, unknown: UNKNOWN_KEY, none: undefined }[key]
  }
}

/** The largest answer that is read, and the largest file. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_FILE_BYTES = 512 * 1024 * 1024
