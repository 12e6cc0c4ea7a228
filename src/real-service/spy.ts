import { send } from '../emulator/surface/client.js'
import { parseJson } from '../emulator/surface/journal.js'
import { paramNames } from '../emulator/surface/paths.js'
import { connectionReason } from '../emulator/surface/records.js'
import type { Registry } from '../emulator/surface/registry.js'
import { createRoutes } from '../emulator/surface/registry.js'
import type { Passed } from './recording-proxy.js'
import { type Exchange, idIn, seenAnswer } from './verify/exchange.js'

/** What a spy did not ask the service, and why. */
interface Unasked {
  readonly says: string
  readonly reason: string
}

const TIMEOUT_MS = 30_000

/** Calls without an answer, one after the other, after which the service is asked nothing more: a run ends soon after its command. */
const MOST_SILENT = 3

/**
 * Shadow traffic: asks the real service in the background what a client has asked the emulator, one call after the other. Reads are
 * asked, and as many creates as are allowed; a read of a task is asked where its create was.
 */
export class Spy {
  readonly #target: string
  readonly #registry: Registry
  readonly #find
  #creates: number
  #silent = 0
  /** Ids of the service by those of the emulator. */
  readonly #ids = new Map<string, string>()
  #work: Promise<void> = Promise.resolve()
  readonly exchanges: Exchange[] = []
  readonly unasked: Unasked[] = []

  /** @param mostCreates how many creates may be made at the service */
  constructor(target: string, registry: Registry, mostCreates: number) {
    this.#target = target
    this.#registry = registry
    this.#find = createRoutes(registry.operations)
    this.#creates = mostCreates
  }

  /** Takes note of a call that the emulator has answered. Returns at once. */
  see(passed: Passed): void {
    this.#work = this.#work.then(() => this.#ask(passed))
  }

  /** Resolves once everything so far was asked. */
  async end(): Promise<void> {
    await this.#work
  }

  async #ask({ method, path, headers, body, answer }: Passed): Promise<void> {
    const [bare = ''] = path.split('?')
    const matched = this.#find(method, bare)
    const model = String((parseJson(body.toString()) as { model?: unknown } | undefined)?.model)
    const operation =
      matched?.operations.find(({ family }) => this.#registry.taskFamily(family)?.models.includes(model)) ??
      matched?.operations[0]
    if (operation === undefined) return
    const says = `call ${this.exchanges.length + this.unasked.length + 1}, ${operation.id}`
    const [name = ''] = paramNames(operation.route.path)
    const id = matched?.params[name]
    const reason = this.#refusal(method, operation.makes !== undefined, answer.status, id)
    if (reason !== undefined) return void this.unasked.push({ says, reason })
    const url = this.#target + this.#translated(path)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const text = body.length === 0 ? undefined : this.#translated(body.toString())
    const kept = ['authorization', 'content-type'].flatMap((key) =>
      headers[key] === undefined ? [] : [[key, String(headers[key])]],
    )
    const sent = {
      method,
      url,
      headers: { ...Object.fromEntries(kept), connection: 'close', 'accept-encoding': 'identity' },
      signal,
    }
    const theirs = await send(text === undefined ? sent : { ...sent, body: text }).catch((error) => ({
      reason: signal.aborted
        ? `no answer came within ${TIMEOUT_MS / 1_000} s`
        : `no answer came: ${connectionReason(error)}`,
    }))
    this.#silent = 'reason' in theirs ? this.#silent + 1 : 0
    if ('reason' in theirs) return void this.unasked.push({ says, reason: theirs.reason })
    if (theirs.status === 429 || theirs.status >= 500)
      return void this.unasked.push({ says, reason: `the way to the service answers ${theirs.status}` })
    const seen = seenAnswer(theirs)
    const own = idIn(operation, parseJson(answer.bytes.toString()))
    const made = idIn(operation, seen.json)
    if (operation.makes !== undefined && own !== undefined && made !== undefined) this.#ids.set(own, made)
    this.exchanges.push({
      says,
      method,
      path: this.#translated(path),
      ...(text === undefined ? {} : { json: parseJson(text) }),
      key: headers.authorization === undefined ? 'none' : seen.status === 401 ? 'unknown' : 'own',
      answer: seen,
      at: Date.now(),
    })
  }

  #refusal(method: string, makes: boolean, status: number, id: string | undefined): string | undefined {
    if (this.#silent >= MOST_SILENT)
      return `the last ${this.#silent} calls were left without an answer, and nothing more is asked`
    if (id !== undefined && status < 400 && !this.#ids.has(id)) return 'its task was not made at the service'
    if (method === 'GET' || method === 'HEAD') return undefined
    // What the emulator refuses could be taken, and cost.
    if (!makes) return this.#ids.has(id ?? '') ? undefined : 'it is no read'
    if (this.#creates <= 0) return 'it is a create, and --most-creates allows none more'
    this.#creates -= 1
    return undefined
  }

  #translated(text: string): string {
    let translated = text
    for (const [ours, theirs] of this.#ids) translated = translated.replaceAll(ours, theirs)
    return translated
  }
}
