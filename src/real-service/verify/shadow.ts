import { type AccountHandles, createHandles, localTransport, send } from '../../emulator/surface/client.js'
import { isRecord, mapTexts, valueAt } from '../../emulator/surface/journal.js'
import { probe, type State } from '../../emulator/surface/records.js'
import { errorOfTask, type Operation, type Registry } from '../../emulator/surface/registry.js'
import {
  type Emulator,
  type Listening,
  listen,
  openEmulator,
  readSettings,
  type Settings,
} from '../../emulator/surface/starting.js'
import { NO_VERIFIED_FILE } from '../../emulator/surface/verified.js'
import type { RequestRecord } from '../../generated/control-api.js'
import {
  type AskedCall,
  assetIdIn,
  type Exchange,
  idIn,
  resultUrlsIn,
  type SeenAnswer,
  seenAnswer,
  stateIn,
} from './exchange.js'
import { Receiver } from './receiver.js'

/** What emulators are asked as: settings that a user gives, beside those of a shadow. */
export type ShadowSettings = Pick<Settings, 'families' | 'familySettings' | 'prices' | 'profile'>

/** Answer of the emulator to a call of an exchange, in the state that the answer of the service shows. */
export interface ShadowAnswer extends SeenAnswer {
  /** Undefined where no operation has the route. */
  readonly operation: string | undefined
  readonly refusedBy: RequestRecord['refusedBy']
  /** State of the task or asset that it is about. */
  readonly state: State | undefined
}

/** Key of the shadow for calls with the user's own key, and for those with an unknown one. */
const OWN = 'verify'
const UNKNOWN = 'invalid'

/**
 * Shadow: an emulator that is asked what the real service was asked, so that both answers can be compared. Ids of the service are
 * translated to its own, and its tasks are forced into the state that the answer of the service shows. Its clock does not run.
 */
export class Shadow {
  readonly #url: string
  readonly #receiver: Receiver
  readonly #accountOf: (key: string) => AccountHandles
  readonly #act: (action: 'tasks.force' | 'dry-run', input: object) => Promise<unknown>
  readonly #close: () => Promise<void>
  /** Ids of the shadow by those of the service. */
  readonly #ids = new Map<string, string>()
  /** The family of each of these tasks, or undefined where it is an asset job. */
  readonly #families = new Map<string, string | undefined>()
  readonly registry: Registry

  private constructor(emulator: Emulator, { url, close }: Listening, receiver: Receiver) {
    this.#receiver = receiver
    this.#url = url
    this.#accountOf = (key) => createHandles(key, localTransport(emulator, key), url)
    this.#act = localTransport(emulator, OWN) as never
    this.#close = async () => void (await Promise.all([close(), receiver.stop()]))
    this.registry = emulator.registry
  }

  get #account(): AccountHandles {
    return this.#accountOf(OWN)
  }

  /**
   * @param draw another number draws other ids, times and seeds
   * @throws EmulatorError as `openEmulator`, such as `bad-profile`
   */
  static async open(given: ShadowSettings, draw = 1): Promise<Shadow> {
    const emulator = await openEmulator(
      readSettings({
        ...given,
        port: 0,
        clock: 'paused',
        media: 'plain',
        seed: draw,
        // Times are not those of another draw, either.
        startAt: `2026-0${draw}-0${draw}T0${draw}:00:00Z`,
        fetchMedia: 'none',
        verified: NO_VERIFIED_FILE,
        balance: 1_000_000_000,
      }),
    )
    const receiver = new Receiver()
    await receiver.listen(0)
    return new Shadow(emulator, await listen(emulator), receiver)
  }

  /** An operation by its id, or undefined where there is none. */
  operation(id: string): Operation | undefined {
    return this.registry.operations.find((operation) => operation.id === id)
  }

  /** Makes the call of an exchange, in the state that its answer shows. */
  async ask(exchange: Exchange): Promise<ShadowAnswer> {
    const { later } = exchange
    const id = this.#idNamedIn(exchange)
    if (later !== undefined) await this.#account.clock.advance(later)
    else if (id !== undefined && exchange.method === 'GET' && exchange.answer.status < 400)
      await this.#bring(id, exchange.answer)
    // So that no limit of creates in a minute is met.
    if (exchange.method === 'POST') await this.#account.clock.advance('61s')
    const answer = await this.#send(exchange)
    const { operation, refusedBy } = await this.#entry(exchange, answer)
    const made = answer.status < 400 ? await this.#made(operation, exchange, answer) : undefined
    const about = made ?? id
    const state = about === undefined ? undefined : await this.#stateAfter(about, answer)
    this.#noteAsset(assetIdIn(exchange.answer.json), assetIdIn(answer.json))
    const results = resultUrlsIn(answer.json)
    for (const [index, theirs] of resultUrlsIn(exchange.answer.json).entries())
      if (results[index] !== undefined) this.#ids.set(theirs, results[index])
    const isFile = exchange.answer.file !== undefined && results[0] !== undefined
    const file = isFile ? await this.#file(results[0] as string) : undefined
    return { ...answer, ...(file && { file }), operation, refusedBy, state }
  }

  #idNamedIn(call: AskedCall): string | undefined {
    const named = [...this.#ids].find(([theirs, ours]) => this.#families.has(ours) && isNamedIn(call, theirs))
    return named?.[1]
  }

  /** Notes under which id the shadow has an asset of the service, which later creates can name. */
  #noteAsset(theirs: string | undefined, ours: string | undefined): void {
    if (theirs !== undefined && ours !== undefined) this.#ids.set(theirs, ours)
  }

  /** Id of the task or asset that a call has made, which stands for that of the service from now on. */
  async #made(
    name: string | undefined,
    exchange: Exchange,
    { json }: SeenAnswer,
  ): Promise<string | undefined> {
    const operation = this.operation(name ?? '')
    if (operation?.makes === undefined) return undefined
    const [ours, theirs] = [idIn(operation, json), idIn(operation, exchange.answer.json)]
    if (ours === undefined || theirs === undefined) return undefined
    const family = operation.makes === 'task' ? operation.family : undefined
    this.#ids.set(theirs, ours)
    this.#families.set(ours, family)
    // Held where it begins until an answer of the service shows another state.
    if (family !== undefined) await this.#force(ours, (await this.#stateOf(ours)) ?? 'queued')
    return ours
  }

  /** State of a task after an answer about it; of the job of an asset, as the answer shows it. */
  async #stateAfter(id: string, { json }: SeenAnswer): Promise<State | undefined> {
    if (this.#families.get(id) !== undefined) return this.#stateOf(id)
    const shown = stateIn(json, this.registry)
    return shown === 'running' || shown === undefined ? 'pending' : shown
  }

  /** Whether a challenge was sent for a task of a family. */
  async hasChallenged(family: string): Promise<boolean> {
    const sent = await this.#account.callbacks.list({ limit: 1_000 })
    const own = [...this.#families].filter(([, of]) => of === family).map(([id]) => id)
    return sent.some(({ kind, taskId }) => kind === 'challenge' && own.includes(taskId))
  }

  /** Answers a message of the service to a receiver with the one that the shadow has sent for the same state. */
  async message(exchange: Exchange): Promise<ShadowAnswer | undefined> {
    const { family = '', kind } = exchange.message ?? {}
    const state = stateIn(exchange.json, this.registry, family)
    const id = this.#idNamedIn(exchange)
    if (id !== undefined && state !== undefined) await this.#force(id, state)
    await this.#account.clock.advance('0s')
    const own = [...this.#families].filter(([, of]) => of === family).map(([task]) => task)
    const sent = (await this.#account.callbacks.list({ limit: 1_000 })).filter(
      (one) =>
        one.kind === kind &&
        (id === undefined ? own.includes(one.taskId) : one.taskId === id) &&
        (kind === 'challenge' || one.status === state) &&
        one.attempts.length > 0,
    )
    const [first] = sent
    if (first === undefined) return undefined
    const received = this.#receiver.messages.find(
      ({ headers }) => headers['x-backlot-delivery-id'] === first.id,
    )
    return {
      status: 200,
      headers: received?.headers ?? {},
      json: first.body,
      operation: `${family}.${kind === 'challenge' ? 'challenge' : 'callback'}`,
      refusedBy: [],
      state: kind === 'challenge' ? undefined : state,
    }
  }

  /** What a create costs by the price list; 0 where the list does not have it, or where it is refused. */
  async priceOf(operation: string, body: unknown): Promise<number> {
    const decided = (await this.#act('dry-run', { operation, body })) as { task: { price: number } | null }
    return decided.task?.price ?? 0
  }

  stop(): Promise<void> {
    return this.#close()
  }

  async #send(call: AskedCall): Promise<SeenAnswer> {
    const { method, path, body, key = 'own' } = call
    const headers: Record<string, string> = {}
    if (key !== 'none') headers.authorization = `Bearer ${key === 'own' ? OWN : UNKNOWN}`
    const json = this.#translated(call.json)
    const [type, bytes] = body ?? ['application/json', json === undefined ? undefined : JSON.stringify(json)]
    if (bytes !== undefined) headers['content-type'] = type
    const translated = this.#translated(path)
    // The URL of a result is one of its own.
    const url = /^https?:/.test(translated) ? translated : this.#url + translated
    return seenAnswer(await send({ method, url, headers, body: bytes }))
  }

  /** A value with the ids of the shadow in place of those of the service, and with its own receiver. */
  #translated<T>(value: T): T {
    return mapTexts(value, (text, name) => {
      if (name === 'callback_url') return this.#receiver.url
      let translated = text
      for (const [theirs, ours] of [...this.#ids].sort(([a], [b]) => b.length - a.length))
        if (translated.includes(theirs)) translated = translated.replaceAll(theirs, ours)
      return translated
    }) as T
  }

  /** What the journal says of the call that was just made. Calls without a key are those of `default`, or of the job they name. */
  async #entry(
    { key = 'own' }: AskedCall,
    { headers }: SeenAnswer,
  ): Promise<Pick<ShadowAnswer, 'operation' | 'refusedBy'>> {
    const id = headers['x-request-id'] ?? ''
    const first = { own: OWN, unknown: UNKNOWN, none: 'default' }[key]
    const accounts = [first, OWN, UNKNOWN, 'default'].map((name) => this.#accountOf(name))
    let entry: RequestRecord | undefined
    for (const account of accounts) entry ??= await account.requests.get(id).catch(() => undefined)
    // A profile can take that header away.
    entry ??= (await accounts[0]?.requests.list({ limit: 1 }))?.[0]
    return { operation: entry?.operation ?? undefined, refusedBy: entry?.refusedBy ?? [] }
  }

  async #file(url: string): Promise<SeenAnswer['file']> {
    const { status, bytes } = await send({ method: 'GET', url, headers: {} })
    return status === 200 ? fileFacts(bytes) : undefined
  }

  /** Brings a task, or the job of an asset, into the state that an answer of the service shows. */
  async #bring(id: string, { json }: SeenAnswer): Promise<void> {
    const family = this.#families.get(id)
    const state = stateIn(json, this.registry, family)
    if (state === undefined) return
    if (family !== undefined) {
      const known = this.registry.taskFamily(family)
      const code = state === 'failed' && isRecord(json) ? codeIn(json, known?.taskAt) : undefined
      await this.#force(id, state, known && code !== undefined ? errorOfTask(known, code) : undefined)
    } else if (state === 'succeeded' || state === 'failed') await this.#account.clock.advance('1m')
  }

  // What has ended, or has no such state, stays as it is: the answers then differ.
  async #force(id: string, state: State, error?: string): Promise<void> {
    await this.#act('tasks.force', { id, status: state, ...(error === undefined ? {} : { error }) }).catch(
      () => undefined,
    )
  }

  async #stateOf(id: string): Promise<State | undefined> {
    return (await this.#account.tasks.get(id).catch(() => undefined))?.status
  }
}

const codeIn = (json: Readonly<Record<string, unknown>>, taskAt: string | undefined): unknown =>
  valueAt(taskAt === undefined ? json : (valueAt(json, taskAt.split('.')) ?? json), ['error', 'code'])

const isNamedIn = ({ path, json }: AskedCall, id: string): boolean =>
  path.includes(id) || JSON.stringify(json ?? null).includes(id)

/** Facts of the bytes of a result, without its length. @returns undefined: they are no picture, film or sound */
export const fileFacts = async (
  bytes: Uint8Array,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const { kind, ...facts } = await probe(bytes)
  if (kind === 'unreadable') return undefined
  const { bytes: _, note: __, ...rest } = { note: undefined, ...facts } as Record<string, unknown>
  return rest
}
