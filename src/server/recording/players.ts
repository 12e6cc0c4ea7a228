import { EmulatorError } from '../../core/emulator-error.js'
import type { Recording } from '../../core/recording/recording.js'
import { withAccounts } from '../../core/recording/scenario-accounts.js'
import { replayKeys } from '../../core/recording/stand-in-keys.js'
import { createReplaySession, type ReplaySession } from './player.js'
import type { Target } from './replay.js'

/** Those who play the accounts of a recording. */
export interface ReplaySessions {
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
