import { kindOfOccasion } from './about.js'
import { refusedLook } from './look.js'
import type { ScenarioMatch } from './play.js'
import type { ScenarioRun } from './playing.js'
import { forgetRun } from './quiet.js'

/**
 * Takes back that a step acted, where it found nothing to act on: a call that was to make a task and was refused. The
 * occasion stays counted.
 */
export const takeBack = (
  playing: readonly ScenarioRun[],
  { matchedStep, traces }: ScenarioMatch,
): ScenarioMatch => {
  if (matchedStep === undefined) return { matchedStep, traces }
  const refused = traces.map(refusedLook)
  const index = matchedStep.step - 1
  for (const look of refused) {
    const { finding } = look
    const play = playing.find((one) => one.scenario === finding.scenario)
    if (play !== undefined) play.latest[kindOfOccasion(finding)] = look
    if (play?.scenario.name !== matchedStep.scenario) continue
    play.acted[index] = (play.acted[index] ?? 1) - 1
    forgetRun(play)
  }
  return { matchedStep: undefined, traces: refused }
}
