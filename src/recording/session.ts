import { EmulatorError } from '../core/errors.js'
import { type Comparing, type Difference, differences } from './diff.js'
import type { AccountLine, CallbackLine, ControlLine, Placed, Recording } from './format.js'
import { replayKeys, withAccounts } from './keys.js'
import type { Do, Target } from './replay.js'

/** Plays one account of a recording: a key that stands in for the recorded one, and what is done to its account. */
export interface ReplaySession {
  /** Of the recorded account, and of its own. */
  readonly tag: string
  readonly key: string
  /** The account begins as it began then. */
  open(line: AccountLine): Promise<void>
  /** Moves its clock to an ISO time; one that has passed already is left. */
  goTo(at: string): Promise<void>
  /** Sees to it that the next call has the number for which this is true, where there is one. */
  countTo(isNext: (count: number) => boolean): Promise<void>
  control(line: ControlLine): Promise<readonly Difference[]>
  /** Its callback log, newest first. */
  callbacks(): Promise<readonly CallbackNow[]>
  /** The account is forgotten, as it was then. */
  leave(): Promise<void>
}

interface PlayerParts {
  readonly tag: string
  readonly key: string
  /** Does something to its account. */
  readonly act: Do
  /** A scenario's document with the accounts that it names as they are called here. */
  readonly cast: (document: unknown) => Record<string, unknown>
  /** What plays for it from its start; left out where that is so by itself. */
  readonly scenarios?: readonly unknown[]
}

// Calls that overlapped were not decided in the order in which they were counted; further apart they never are.
const MOST_APART = 2_000
const MOST_CALLBACKS = 1_000_000

const createReplaySession = ({ tag, key, act, cast, scenarios }: PlayerParts): ReplaySession => {
  let now = 0
  let count = 0

  const goTo = async (at: string): Promise<void> => {
    const target = Date.parse(at)
    if (target <= now) return
    now = target
    await act('clock.advance', { to: at }).catch(unlessPassed)
  }

  const begin = async (at: string): Promise<void> => {
    await act('clock.change', { now: at })
    now = Date.parse(at)
  }

  // What moved a live clock was the time that passed; the other modes move as they did.
  const setMode = (mode: unknown) => act('clock.change', { mode: mode === 'live' ? 'paused' : mode })

  const changeClock = async (at: string, { mode, now: begins }: ControlLine['input']): Promise<void> => {
    if (typeof begins === 'string') await begin(begins)
    else await goTo(at)
    if (mode !== undefined) await setMode(mode)
  }

  // What is played later is asked first.
  const play = async (documents: readonly unknown[]): Promise<void> => {
    await act('scenario.stop', {})
    for (const document of [...documents].reverse()) await act('scenario.play', cast(document))
  }

  return {
    tag,
    key,
    goTo,
    open: async ({ at, clock, balance, agreementAccepted, limits }) => {
      await act('reset', {})
      await setMode(clock)
      await begin(at)
      await act('account.change', { balance, agreementAccepted, limits })
      if (scenarios !== undefined) await play(scenarios)
      count = 0
    },
    countTo: async (isNext) => {
      count += 1
      if (isNext(count)) return
      const found = numbersAround(count).find(isNext)
      if (found === undefined) return
      await act('account.change', { requests: found - 1 })
      count = found
    },
    control: async ({ at, action, input }) => {
      if (action === 'clock.change') return failure(action, () => changeClock(at, input))
      await goTo(at)
      if (action === 'clock.advance') return []
      return failure(action, () => act(action, cast(input)))
    },
    callbacks: async () =>
      ((await act('callbacks.list', { limit: MOST_CALLBACKS })) as { items: CallbackNow[] }).items,
    leave: async () => {
      await act('reset', {})
      count = 0
    },
  }
}

// An on-poll clock is moved by the calls themselves.
const unlessPassed = (error: unknown): void => {
  if (!(error instanceof EmulatorError) || error.code !== 'time-runs-forward') throw error
}

const numbersAround = (count: number): number[] =>
  Array.from({ length: MOST_APART }, (_, distance) => [count + distance, count - distance])
    .flat()
    .filter((number) => number > 0)

const failure = async (action: string, run: () => Promise<unknown>): Promise<readonly Difference[]> => {
  try {
    await run()
    return []
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error
    return [{ path: action, recorded: 'done', now: error.message }]
  }
}

/** Those who play the accounts of a recording. */
interface ReplaySessions {
  /** @throws EmulatorError `bad-recording` where no line says how the account opened */
  of(tag: string, line: number): ReplaySession
  readonly all: readonly ReplaySession[]
}

export const createReplaySessions = ({ head, lines }: Recording, { as, isOwn }: Target): ReplaySessions => {
  const keys = replayKeys(lines, isOwn)
  const cast = (document: unknown) =>
    withAccounts(document, (tag) => keys.get(tag) ?? tag) as Record<string, unknown>
  const scenarios = isOwn ? {} : { scenarios: head.scenarios ?? [] }
  const players = new Map(
    [...keys].map(([tag, key]) => [tag, createReplaySession({ tag, key, act: as(key), cast, ...scenarios })]),
  )
  return {
    of: (tag, line) => {
      const player = players.get(tag)
      if (player === undefined) throw notIntroduced(tag, line)
      return player
    },
    all: [...players.values()],
  }
}

const notIntroduced = (tag: string, line: number) =>
  new EmulatorError(`Line ${line} is about the account ${tag}, and no line says how that one opened.`, {
    code: 'bad-recording',
    hint: 'A recording has a line of the kind account for each account; it must not be cut out.',
  })

/** Holds what became of callbacks against what was recorded of them. */
interface CallbackCheck {
  expect(place: Placed<CallbackLine>): void
  /** Compares what is expected of a player's account, and expects nothing more of it. */
  check(player: ReplaySession, comparing: Comparing): Promise<Mismatch[]>
  /** How many have been compared. */
  count(): number
}

interface Mismatch {
  readonly place: Placed<CallbackLine>
  readonly differences: readonly Difference[]
}

export const createCallbackCheck = (): CallbackCheck => {
  const expected = new Map<string, Map<string, Placed<CallbackLine>>>()
  let compared = 0
  return {
    // One that was sent again has a line for each time; the last says what became of it.
    expect: (place) => {
      const known = expected.get(place.line.account) ?? new Map()
      expected.set(place.line.account, known.set(place.line.id, place))
    },
    check: async (player, comparing) => {
      const places = [...(expected.get(player.tag)?.values() ?? [])].filter(
        ({ line }) => line.state !== 'waiting',
      )
      expected.delete(player.tag)
      if (places.length === 0) return []
      compared += places.length
      const last = lastOf(places)
      if (last !== undefined) await player.goTo(last)
      const now = new Map((await player.callbacks()).map((callback) => [callback.id, callback]))
      return places.map((place) => ({
        place,
        differences: compare(place.line, now.get(place.line.id), comparing),
      }))
    },
    count: () => compared,
  }
}

const lastOf = (places: readonly Placed<CallbackLine>[]): string | undefined =>
  places
    .flatMap(({ line }) => line.attempts.map(({ at }) => at))
    .sort()
    .at(-1)

/** What the callback log shows of a callback, as far as it is compared. */
interface CallbackNow {
  readonly id: string
  readonly state: string
  readonly body: unknown
  readonly attempts: readonly unknown[]
}

const compare = (
  { state, body, attempts }: CallbackLine,
  now: CallbackNow | undefined,
  { sanitizer, source }: Comparing,
): Difference[] => {
  // When a callback that was never sent was skipped is not recorded, and may be still to come.
  if (now === undefined) return state === 'skipped' ? [] : differences(state, undefined, 'state')
  return [
    ...differences(state, now.state, 'state'),
    ...differences(attempts.length, now.attempts.length, 'attempts'),
    ...differences(body, sanitizer.answer(now.body, source), 'body'),
  ]
}
