import { mapTexts } from '../emulator/surface/journal.js'
import { EmulatorError } from '../emulator/surface/records.js'
import type { CallbackRecord } from '../generated/control-api.js'
import type {
  AccountLine,
  CallbackLine,
  CallLine,
  ControlLine,
  NumberedLine,
  Recording,
} from '../traffic/format.js'
import { type Comparison, type Difference, differences, textDifferences } from './diff.js'
import { renameAccounts, replayKeys } from './keys.js'
import { mediaOfState, type ReadMedium } from './media.js'
import { ACCOUNT_PLACEHOLDER } from './sanitise.js'

/** Performs an action of the control API by its name. */
export type PerformAction = (action: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Line whose outcome in the replay differs. */
export interface ReplayMismatch {
  /** Without a number where the recording has no such callback. */
  readonly place:
    | NumberedLine<CallLine | ControlLine | CallbackLine>
    | { readonly lineNumber: null; readonly line: ReplayedCallback & { kind: 'callback' } }
  readonly differences: readonly Difference[]
}

type ReplayedCallback = Pick<CallbackRecord, 'id' | 'status' | 'state' | 'body' | 'attempts'>

/** Target of a replay: the emulator whose accounts the sessions use. */
export interface SessionTarget {
  /** Performs actions of the control API on the account of a key. */
  readonly as: (key: string) => PerformAction
  /** Whether only this replay uses it: its account `default` replays itself, and its callbacks get the recorded answers. */
  readonly isOwn: boolean
  readonly readMedium: ReadMedium
}

/** Replay sessions by account id. */
export const createReplaySessions = ({ head, lines }: Recording, target: SessionTarget) => {
  const { isOwn } = target
  const keys = replayKeys(lines, { isOwn })
  const rename: Rename = (document) =>
    renameAccounts(document, (id) => keys.get(id) ?? id) as Record<string, unknown>
  // An emulator of the replay's own plays them from its start.
  const scenarios = isOwn ? [] : [...(head.scenarios ?? [])]
  const sessions = new Map(
    [...keys].map(([id, key]) => [id, new ReplaySession(target, key, rename, scenarios)]),
  )
  return {
    /** @throws EmulatorError `bad-recording` where no line says how the account opened */
    of: (accountId: string, line: number): ReplaySession => {
      const session = sessions.get(accountId)
      if (session !== undefined) return session
      const message = `Line ${line} is about the account ${accountId}, and no line says how that one opened.`
      const hint = 'A recording has a line of the kind account for each account; it must not be cut out.'
      throw new EmulatorError(message, { code: 'bad-recording', hint })
    },
    all: [...sessions.values()],
  }
}

/** Names the accounts of a document by their replay keys. */
type Rename = (document: unknown) => Record<string, unknown>

// Calls that overlapped were decided in another order than they were counted; they are never further apart than this.
const MAX_COUNTER_DISTANCE = 2_000
const MAX_CALLBACKS = 1_000_000

/** Replay session of one account: its replay key, and what is done to it. */
export class ReplaySession {
  readonly key: string
  readonly #act: PerformAction
  readonly #isOwn: boolean
  readonly #readMedium: ReadMedium
  readonly #rename: Rename
  readonly #scenarios: readonly unknown[]
  readonly #expected = new Map<string, NumberedLine<CallbackLine>>()
  #now = 0
  #count = 0
  #isCountKnown = true
  // The first callbacks of an account whose first calls are missing are missing too, or some of its callbacks alone.
  #isComplete = true
  #settledBefore: ReadonlySet<string> = new Set()

  /** @param scenarios documents that play from the start of the account */
  constructor(
    { as, isOwn, readMedium }: SessionTarget,
    key: string,
    rename: Rename,
    scenarios: readonly unknown[],
  ) {
    this.key = key
    this.#act = as(key)
    this.#isOwn = isOwn
    this.#readMedium = readMedium
    this.#rename = rename
    this.#scenarios = scenarios
  }

  /** Opens the account as it was recorded. */
  async open(line: AccountLine): Promise<void> {
    const { at, state, requests = 0, lacks, lacksCallbacks } = line
    await this.#act('reset', {})
    if (state === undefined) {
      const { clock, balance, agreementAccepted, limits } = line
      await this.#setMode(clock)
      await this.#startAt(at)
      await this.#act('account.change', { balance, agreementAccepted, limits })
      if (!this.#isOwn) await this.#play()
    } else {
      const media = await mediaOfState(line, this.#readMedium)
      await this.#act('state.write', { ...withKey(state, this.key, this.#rename), media })
      this.#now = Date.parse(at)
    }
    const before = state === undefined ? [] : await this.#listCallbacks()
    this.#settledBefore = new Set(before.filter(isSent).map(({ id }) => id))
    this.#count = requests
    this.#isComplete = lacks === undefined && lacksCallbacks === undefined
  }

  /** Moves the clock to an ISO time, and the call counter so that `isNext` is true for the next call, where it can be. */
  async setTo(at: string, isNext: (count: number) => boolean): Promise<void> {
    await this.#goTo(at)
    const count = this.#count + 1
    const next = isNext(count) ? count : numbersAround(count).find(isNext)
    if (next !== undefined && (next !== count || !this.#isCountKnown))
      await this.#act('account.change', { requests: next - 1 })
    this.#count = next ?? count
    this.#isCountKnown = true
  }

  /** Says that another account may have counted the last call. */
  forgetCount(): void {
    this.#isCountKnown = false
  }

  /** Repeats a change by the control API. */
  async control({ at, action, input }: ControlLine): Promise<readonly Difference[]> {
    if (action === 'clock.change') return failureOf(action, () => this.#changeClock(at, input))
    await this.#goTo(at)
    if (action === 'clock.advance') return []
    // An advance waits for the deliveries that are on their way, as the recorded one had arrived.
    if (action === 'callbacks.redeliver') await this.#act('clock.advance', { by: '0s' })
    return failureOf(action, () => this.#act(action, this.#rename(input)))
  }

  /** A callback that was sent again has a line for each time; the last one has the final state. */
  expectCallback(place: NumberedLine<CallbackLine>): void {
    this.#expected.set(place.line.id, place)
  }

  /** Compares the callbacks of the account with the expected ones, and expects none afterwards. */
  async checkCallbacks(
    comparison: Comparison,
  ): Promise<{ readonly compared: number; readonly mismatches: readonly ReplayMismatch[] }> {
    const known = new Set([...this.#expected.keys(), ...this.#settledBefore])
    const settled = [...this.#expected.values()].filter(({ line }) => line.state !== 'waiting')
    this.#expected.clear()
    const attempts = settled.flatMap(({ line }) => line.attempts.map(({ at }) => at))
    const lastAttempt = attempts.sort().at(-1)
    if (lastAttempt !== undefined) await this.#goTo(lastAttempt)
    const replayed = await this.#listCallbacks()
    const extra = this.#isComplete
      ? replayed.filter((callback) => isSent(callback) && !known.has(callback.id))
      : []
    return {
      compared: settled.length,
      mismatches: callbackMismatches(settled, replayed, extra, comparison),
    }
  }

  async reset(): Promise<void> {
    await this.#act('reset', {})
    this.#count = 0
  }

  async #goTo(at: string): Promise<void> {
    const target = Date.parse(at)
    if (target <= this.#now) return
    this.#now = target
    await this.#act('clock.advance', { to: at }).catch(unlessPassed)
  }

  async #startAt(at: string): Promise<void> {
    await this.#act('clock.change', { now: at })
    this.#now = Date.parse(at)
  }

  // A live clock was moved by the time that passed; the other modes move as they did.
  #setMode(mode: unknown): Promise<unknown> {
    return this.#act('clock.change', { mode: mode === 'live' ? 'paused' : mode })
  }

  async #changeClock(at: string, { mode, now: start }: ControlLine['input']): Promise<void> {
    if (typeof start === 'string') await this.#startAt(start)
    else await this.#goTo(at)
    if (mode !== undefined) await this.#setMode(mode)
  }

  // The scenario that is played last is matched first.
  async #play(): Promise<void> {
    await this.#act('scenario.stop', {})
    for (const document of [...this.#scenarios].reverse())
      await this.#act('scenario.play', this.#rename(document))
  }

  async #listCallbacks(): Promise<ReplayedCallback[]> {
    const { items } = (await this.#act('callbacks.list', { limit: MAX_CALLBACKS })) as {
      items: ReplayedCallback[]
    }
    return items
  }
}

const isSent = ({ state }: ReplayedCallback): boolean => state === 'delivered' || state === 'failed'

const withKey = (state: Readonly<Record<string, unknown>>, key: string, rename: Rename) => {
  const { accounts, scenarios } = state as { accounts?: object[]; scenarios?: object }
  return {
    ...state,
    accounts: mapTexts(accounts ?? [], (text) => (text === ACCOUNT_PLACEHOLDER ? key : text)),
    scenarios: Object.fromEntries(
      Object.entries(scenarios ?? {}).map(([id, document]) => [id, rename(document)]),
    ),
  }
}

/** @param extra replayed callbacks that were not recorded */
const callbackMismatches = (
  recorded: readonly NumberedLine<CallbackLine>[],
  replayed: readonly ReplayedCallback[],
  extra: readonly ReplayedCallback[],
  comparison: Comparison,
): ReplayMismatch[] => {
  const byId = new Map(replayed.map((callback) => [callback.id, callback]))
  return [
    ...recorded.map((place) => ({
      place,
      differences: compareCallbacks(place.line, byId.get(place.line.id), comparison),
    })),
    ...extra.map((callback) => ({
      place: { lineNumber: null, line: { ...callback, kind: 'callback' as const } },
      differences: differences(undefined, callback.state, 'state'),
    })),
  ]
}

const compareCallbacks = (
  { state, body, attempts }: CallbackLine,
  replayed: ReplayedCallback | undefined,
  { sanitizer }: Comparison,
): Difference[] => {
  // The recording does not say when a callback that was never sent was skipped; it may still be waiting.
  if (replayed === undefined) return state === 'skipped' ? [] : differences(state, undefined, 'state')
  const recorded = sanitizer.answer(body)
  const now = sanitizer.answer(replayed.body)
  return [
    ...differences(state, replayed.state, 'state'),
    ...differences(attempts.length, replayed.attempts.length, 'attempts'),
    ...(typeof recorded === 'string' ? textDifferences(recorded, now) : differences(recorded, now, 'body')),
  ]
}

// An on-poll clock is moved by the calls themselves.
const unlessPassed = (error: unknown): void => {
  if (!(error instanceof EmulatorError) || error.code !== 'time-runs-forward') throw error
}

const numbersAround = (count: number): number[] =>
  Array.from({ length: MAX_COUNTER_DISTANCE }, (_, distance) => [count + distance, count - distance])
    .flat()
    .filter((number) => number > 0)

const failureOf = async (action: string, run: () => Promise<unknown>): Promise<readonly Difference[]> => {
  try {
    await run()
    return []
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error
    return [{ path: action, recorded: 'done', now: error.sentence }]
  }
}
