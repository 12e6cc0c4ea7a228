import { kindOfOccasion } from './about.js'
import { refusedLook } from './look.js'
import type { Outcome } from './play.js'
import type { Playing } from './playing.js'
import { forgetRun } from './quiet.js'

/**
 * Takes back that a step acted, where it found nothing to act on: a call that was to make a task and was refused. The
 * occasion stays counted.
 */
export const takeBack = (playing: readonly Playing[], { cue, looks }: Outcome): Outcome => {
  if (cue === undefined) return { cue, looks }
  const refused = looks.map(refusedLook)
  const index = cue.step - 1
  for (const look of refused) {
    const { finding } = look
    const play = playing.find((one) => one.scenario === finding.scenario)
    if (play !== undefined) play.latest[kindOfOccasion(finding)] = look
    if (play?.scenario.name !== cue.scenario) continue
    play.acted[index] = (play.acted[index] ?? 1) - 1
    forgetRun(play)
  }
  return { cue: undefined, looks: refused }
}
