import type { Account } from '../../core/account/account.js'
import type { ScenarioRun } from '../../core/scenario/playing.js'
import { resumeAccount } from '../../core/state/resume.js'
import type { StoredState } from '../../core/state/saved.js'
import { idOfScenario, playingNow } from '../../core/state/scenarios.js'
import { clockAt, readClock } from '../../core/time/clock.js'
import type { StateParts } from './open-state.js'
import type { ReadAccount } from './read-state.js'

/** An account of the file, ready to go on. */
export interface Revived {
  readonly account: Account
  /** Whether it is another than was written down. */
  readonly isChanged: boolean
}

/** `before`: the names of the scenarios that the settings gave when the account was written. */
export const restoreAccount = (
  { account, settledTo }: ReadAccount,
  before: readonly string[],
  { given, settings, wall }: StateParts,
): Revived => {
  // The machine's own clock may have been set back meanwhile; what has happened does not happen again.
  const clock =
    readClock(account.clock, wall()) < settledTo ? clockAt(account.clock, settledTo, wall()) : account.clock
  const now = readClock(clock, wall())
  const playing =
    given === undefined
      ? account.playing
      : playingNow(account.playing, { now: given, before }, settings.seed, now)
  const isChanged =
    playing.length !== account.playing.length ||
    playing.some((play, index) => play !== account.playing[index])
  return { account: resumeAccount({ ...account, clock, playing }, settledTo, now), isChanged }
}

/** Those of the file that somebody plays, and those that nobody does any more. */
export const scenariosOf = ({ scenarios }: StoredState, revived: readonly Revived[]) => {
  const played = new Set(
    revived.flatMap(({ account }) => playingIn(account)).map(({ scenario }) => idOfScenario(scenario)),
  )
  return {
    played: [...scenarios.keys()].filter((id) => played.has(id)),
    unused: [...scenarios.keys()].filter((id) => !played.has(id)),
  }
}

const playingIn = ({ playing, callbacks }: Account): ScenarioRun[] => [
  ...playing,
  ...[...callbacks.correspondences.values()].flatMap(({ guest }) => (guest === undefined ? [] : [guest])),
]
