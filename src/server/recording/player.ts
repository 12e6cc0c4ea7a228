import { EmulatorError } from '../../core/emulator-error.js'
import type { Difference } from '../../core/recording/differences.js'
import type { AccountLine, ControlLine } from '../../core/recording/recording.js'
import type { CallbackNow } from './callback-check.js'
import type { Do } from './replay.js'

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

export interface PlayerParts {
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

export const createReplaySession = ({ tag, key, act, cast, scenarios }: PlayerParts): ReplaySession => {
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
