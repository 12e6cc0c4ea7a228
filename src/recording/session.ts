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
    [...keys].map(([id, key]) => [id, createReplaySession(target, key, rename, scenarios)]),
  )
  return {
    /** @throws EmulatorError `bad-recording` where no line says how the account opened */
    of: (accountId: string, line: number) => {
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
const createReplaySession = (
  { as, isOwn, readMedium }: SessionTarget,
  key: string,
  rename: Rename,
  scenarios: readonly unknown[],
) => {
  const act = as(key)
  const expected = new Map<string, NumberedLine<CallbackLine>>()
  let now = 0
  let count = 0
  let isCountKnown = true
  // The first callbacks of an account whose first calls are missing are missing too, or some of its callbacks alone.
  let isComplete = true
  let settledBefore: ReadonlySet<string> = new Set()

  const goTo = async (at: string): Promise<void> => {
    const target = Date.parse(at)
    if (target <= now) return
    now = target
    await act('clock.advance', { to: at }).catch(unlessPassed)
  }

  const startAt = async (at: string): Promise<void> => {
    await act('clock.change', { now: at })
    now = Date.parse(at)
  }

  // A live clock was moved by the time that passed; the other modes move as they did.
  const setMode = (mode: unknown) => act('clock.change', { mode: mode === 'live' ? 'paused' : mode })

  const changeClock = async (at: string, { mode, now: start }: ControlLine['input']): Promise<void> => {
    if (typeof start === 'string') await startAt(start)
    else await goTo(at)
    if (mode !== undefined) await setMode(mode)
  }

  // The scenario that is played last is matched first.
  const play = async (): Promise<void> => {
    await act('scenario.stop', {})
    for (const document of [...scenarios].reverse()) await act('scenario.play', rename(document))
  }

  const listCallbacks = async () =>
    ((await act('callbacks.list', { limit: MAX_CALLBACKS })) as { items: ReplayedCallback[] }).items

  return {
    key,
    open: async (line: AccountLine): Promise<void> => {
      const { at, state, requests = 0, lacks, lacksCallbacks } = line
      await act('reset', {})
      if (state === undefined) {
        const { clock, balance, agreementAccepted, limits } = line
        await setMode(clock)
        await startAt(at)
        await act('account.change', { balance, agreementAccepted, limits })
        if (!isOwn) await play()
      } else {
        const media = await mediaOfState(line, readMedium)
        await act('state.write', { ...withKey(state, key, rename), media })
        now = Date.parse(at)
      }
      const before = state === undefined ? [] : await listCallbacks()
      settledBefore = new Set(before.filter(isSent).map(({ id }) => id))
      count = requests
      isComplete = lacks === undefined && lacksCallbacks === undefined
    },
    /** Moves the clock to an ISO time, and the call counter so that `isNext` is true for the next call, where it can be. */
    setTo: async (at: string, isNext: (count: number) => boolean): Promise<void> => {
      await goTo(at)
      count += 1
      const next = isNext(count) ? count : numbersAround(count).find(isNext)
      if (next !== undefined && (next !== count || !isCountKnown))
        await act('account.change', { requests: next - 1 })
      count = next ?? count
      isCountKnown = true
    },
    /** Says that another account may have counted the last call. */
    forgetCount: () => {
      isCountKnown = false
    },
    control: async ({ at, action, input }: ControlLine): Promise<readonly Difference[]> => {
      if (action === 'clock.change') return failureOf(action, () => changeClock(at, input))
      await goTo(at)
      if (action === 'clock.advance') return []
      // An advance waits for the deliveries that are on their way, as the recorded one had arrived.
      if (action === 'callbacks.redeliver') await act('clock.advance', { by: '0s' })
      return failureOf(action, () => act(action, rename(input)))
    },
    // A callback that was sent again has a line for each time; the last one has the final state.
    expectCallback: (place: NumberedLine<CallbackLine>) => void expected.set(place.line.id, place),
    /** Compares the callbacks of the account with the expected ones, and expects none afterwards. */
    checkCallbacks: async (comparison: Comparison) => {
      const known = new Set([...expected.keys(), ...settledBefore])
      const settled = [...expected.values()].filter(({ line }) => line.state !== 'waiting')
      expected.clear()
      const attempts = settled.flatMap(({ line }) => line.attempts.map(({ at }) => at))
      const lastAttempt = attempts.sort().at(-1)
      if (lastAttempt !== undefined) await goTo(lastAttempt)
      const replayed = await listCallbacks()
      const extra = isComplete
        ? replayed.filter((callback) => isSent(callback) && !known.has(callback.id))
        : []
      return {
        compared: settled.length,
        mismatches: callbackMismatches(settled, replayed, extra, comparison),
      }
    },
    reset: async (): Promise<void> => {
      await act('reset', {})
      count = 0
    },
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
