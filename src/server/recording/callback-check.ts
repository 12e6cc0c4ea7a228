import type { Comparing } from '../../core/recording/compared.js'
import { type Difference, differences } from '../../core/recording/differences.js'
import type { CallbackLine, Placed } from '../../core/recording/recording.js'
import type { ReplaySession } from './player.js'

/** Holds what became of callbacks against what was recorded of them. */
export interface CallbackCheck {
  expect(place: Placed<CallbackLine>): void
  /** Compares what is expected of a player's account, and expects nothing more of it. */
  check(player: ReplaySession, comparing: Comparing): Promise<Mismatch[]>
  /** How many have been compared. */
  count(): number
}

export interface Mismatch {
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
export interface CallbackNow {
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
