import { valueAt } from '../../emulator/surface/journal.js'
import { isoOf } from '../../emulator/surface/records.js'
import type { Operation } from '../../emulator/surface/registry.js'
import type { Compared } from './compare.js'
import type { Pair } from './conclude.js'
import { type AskedCall, type Exchange, idIn, resultUrlsIn, type SeenAnswer } from './exchange.js'
import type { Ledger } from './ledger.js'
import type { Purse } from './purse.js'
import { NotAnswered, type Service, TimeIsOver } from './service.js'

/** The service refuses the key of the user. */
export class KeyRefused extends Error {}

/** Verdict on one answer. What was not looked at is never taken for the same. */
export type Outcome =
  | { readonly verdict: 'same' | 'differs'; readonly compared: Compared }
  /** `status`: that of the way to the service, where it is the reason. */
  | {
      readonly verdict: 'not-looked-at'
      readonly says: string
      readonly reason: string
      readonly status?: number
    }

const MAYBE_TAKEN = 'it may have made a task, so that it is not sent again'
const TIME_IS_OVER = 'the time of --time-limit is over'

/** Whether the service may have taken a call of which no answer came. */
const mayBeTaken = (error: unknown): boolean =>
  error instanceof TimeIsOver || (error instanceof NotAnswered && error.mayBeTaken)

/** Whether the service has taken a call; a redirect takes none. */
const isTaken = ({ status }: SeenAnswer): boolean => status < 300

/** Details of a call that a session makes. */
interface Asking {
  /** What it costs where it is a planned create. Undefined where the service is to refuse it, or it makes nothing. */
  readonly price?: number
  /** What it may cost where the service takes it although it must refuse it. */
  readonly worst?: number
  /** Body of the create that made what is asked about. */
  readonly create?: unknown
  /** Milliseconds since the exchange before it, where the time that has passed matters. */
  readonly later?: number
}

/** Session with the real service: makes calls within the limits, notes creates before they are sent, and compares the answers. */
export class Session {
  readonly #service: Service
  readonly #pair: Pair
  readonly #purse: Purse
  readonly #ledger: Ledger
  readonly #tell: (outcome: Outcome) => void
  /** Calls that the service must refuse, and has taken. */
  #taken = 0
  /** Those of which no answer came, so that it may have taken them. */
  #maybeTaken = 0
  #isLimited = false
  readonly exchanges: Exchange[] = []
  readonly outcomes: Outcome[] = []

  constructor(service: Service, pair: Pair, purse: Purse, ledger: Ledger, tell: (outcome: Outcome) => void) {
    this.#service = service
    this.#pair = pair
    this.#purse = purse
    this.#ledger = ledger
    this.#tell = tell
  }

  get service(): Service {
    return this.#service
  }

  get pair(): Pair {
    return this.#pair
  }

  /**
   * Makes a call and compares its answer. Resolves with the answer, and with the number of the create where it made something.
   * @throws EmulatorError `unreachable` where there is nothing at the target from the first
   */
  async ask(
    says: string,
    call: AskedCall,
    asking: Asking = {},
  ): Promise<(SeenAnswer & { create?: number }) | undefined> {
    const made = this.makerOf(call)
    const reason = this.#refusal(made, asking)
    if (reason !== undefined) return this.#skip(says, reason)
    const price = asking.price ?? 0
    const create = made === undefined ? undefined : this.#ledger.sending(made.id, says, isoOf(Date.now()))
    if (asking.price !== undefined) this.#purse.pay(price)
    const again = (failure: NotAnswered) => this.#refusalToRepeat(failure, made, asking)
    const answered = await this.#service.ask(call, again).catch((error) => {
      if (create !== undefined && asking.price === undefined && mayBeTaken(error)) {
        this.#maybeTaken += 1
        this.#purse.pay(asking.worst ?? 0)
      }
      return this.#unanswered(says, error, create)
    })
    if (answered === undefined) return undefined
    const { raw: _raw, ...bare } = answered
    const task = made === undefined || !isTaken(bare) ? undefined : idIn(made, bare.json)
    if (create !== undefined) this.#note(create, bare, task, asking)
    // Pictures are in the answer to their create.
    const answer = asking.price === undefined ? bare : await this.withFile(says, bare)
    const { price: _, worst: __, ...context } = asking
    const { deltas, ours } = await this.add({ says, ...call, ...context, answer, at: Date.now() })
    if (answer.status === 401 && (call.key ?? 'own') === 'own' && ours.status !== 401 && deltas.length > 0)
      throw new KeyRefused()
    return { ...answer, ...(create !== undefined && isTaken(answer) ? { create } : {}) }
  }

  /**
   * Makes a call without comparing its answer. Undefined where the service itself does not answer within the time of the run, which is reported.
   * @throws EmulatorError `unreachable` where there is nothing at the target from the first
   */
  async look(says: string, call: AskedCall): Promise<SeenAnswer | undefined> {
    const { silence } = this.#service
    if (silence !== undefined) return this.#skip(says, silence)
    const answered = await this.#service.ask(call).catch((error) => this.#unanswered(says, error))
    if (answered === undefined) return undefined
    const { raw: _, ...answer } = answered
    return answer
  }

  /** An answer with the facts of the first file that it names. Where they cannot be had, that is reported. */
  async withFile(says: string, answer: SeenAnswer): Promise<SeenAnswer> {
    const [url] = resultUrlsIn(answer.json)
    if (url === undefined) return answer
    const found = await this.#service.file(url)
    if ('file' in found) return { ...answer, file: found.file }
    this.#skip(`the file of ${says}`, found.why)
    return answer
  }

  /** Compares an exchange. */
  async add(exchange: Exchange): Promise<Compared> {
    this.exchanges.push(exchange)
    const compared = await this.#pair.compare(exchange)
    this.#record({ verdict: compared.deltas.length === 0 ? 'same' : 'differs', compared })
    return compared
  }

  /** Compares whether a challenge came before the messages of a family, where some came. */
  async addMissingChallenge(family: string): Promise<void> {
    const own = this.exchanges.filter(({ message }) => message?.family === family)
    for (const compared of await this.#pair.missingChallenges(own))
      this.#record({ verdict: 'differs', compared })
  }

  /** Says that something was not looked at. */
  skip(says: string, reason: string): void {
    this.#skip(says, reason)
  }

  ended(create: number, how: string): void {
    this.#ledger.ended(create, how)
  }

  keep(create: number, exchanges: readonly Exchange[]): void {
    this.#ledger.keep(create, exchanges)
  }

  /** The operation whose accepted calls make something, where a call with the user's key is one of it. */
  makerOf({ method, path, json, key = 'own' }: AskedCall): Operation | undefined {
    if (key !== 'own') return undefined
    const { registry } = this.#pair
    const makers = registry.operations.filter(
      ({ route, makes }) => makes !== undefined && route.method === method && route.path === path,
    )
    // Several families can have one path, and the model tells which one makes a task.
    const model = String(valueAt(json, ['model']))
    return makers.find(({ family }) => registry.taskFamily(family)?.models.includes(model)) ?? makers[0]
  }

  #refusal(made: Operation | undefined, { price, worst = 0 }: Asking): string | undefined {
    if (this.#service.isOver) return TIME_IS_OVER
    if (this.#isLimited) return 'the service limits its calls (429): run the command again later'
    if (this.#service.silence !== undefined) return this.#service.silence
    if (made === undefined) return undefined
    if (price !== undefined) return this.#purse.refusal(price)
    if (this.#taken + this.#maybeTaken === 0) return undefined
    const reason = this.#purse.refusal(worst)
    const why =
      this.#taken > 0
        ? 'the service takes calls that it must refuse'
        : 'it may have taken a call that it must refuse'
    return reason === undefined ? undefined : `${why}, and ${reason}`
  }

  /** Why a call is not sent once more. What may have been made by a failing gateway is paid for. */
  #refusalToRepeat(failure: NotAnswered, made: Operation | undefined, asking: Asking): string | undefined {
    if (made === undefined || failure.status === 429) return undefined
    if (failure.mayBeTaken) return MAYBE_TAKEN
    const reason = this.#refusal(made, asking)
    if (reason === undefined && asking.price !== undefined) this.#purse.pay(asking.price)
    return reason
  }

  /** Says why a call has no answer of the service itself. @throws what is another error */
  #unanswered(says: string, error: unknown, create?: number): undefined {
    // A create that was under way stays in the ledger: the service may have taken it.
    if (error instanceof TimeIsOver) return this.#skip(says, TIME_IS_OVER)
    if (!(error instanceof NotAnswered)) throw error
    const { message, status } = error
    if (error.mayBeTaken)
      return this.#skip(says, create === undefined ? message : `${message}; ${MAYBE_TAKEN}`)
    if (create !== undefined) this.#ledger.ended(create, `${status ?? 'not sent'}`)
    if (status === 429) this.#isLimited = true
    if (status === undefined) return this.#skip(says, message)
    return this.#skip(says, `${message}; that is the way to the service, and no answer of its own`, status)
  }

  #note(create: number, answer: SeenAnswer, task: string | undefined, { price, worst = 0 }: Asking): void {
    if (!isTaken(answer)) {
      this.#ledger.ended(create, `refused with ${answer.status}`)
      if (price !== undefined) this.#purse.refund(price)
      return
    }
    this.#ledger.made(create, task)
    if (price !== undefined) return
    this.#taken += 1
    this.#purse.pay(worst)
  }

  #skip(says: string, reason: string, status?: number): undefined {
    this.#record({ verdict: 'not-looked-at', says, reason, ...(status === undefined ? {} : { status }) })
    return undefined
  }

  #record(outcome: Outcome): void {
    this.outcomes.push(outcome)
    this.#tell(outcome)
  }
}
