import { kindOfOccasion } from './about.js'
import { ask, type Cue } from './ask.js'
import type { Finding, Look } from './look.js'
import type { Occasion } from './occasion.js'
import { planFor } from './plan.js'
import type { Playing } from './playing.js'
import { countedQuietly, noteLatest } from './quiet.js'
import type { Scenario } from './scenario.js'
import { numbersOf, type Sheet, textOf } from './sheet.js'

/** What came of holding an occasion against what plays. */
export interface Outcome {
  readonly cue: Cue | undefined
  /** Those scenarios that have steps about such occasions. */
  readonly looks: readonly Look[]
}

/** An occasion once it has been held against one scenario. */
interface Held {
  readonly look: Look
  readonly cue: Cue | undefined
}

export const noOutcome: Outcome = { cue: undefined, looks: [] }

/**
 * Looks for the first step of all that are playing which acts on an occasion, and counts the occasion for every step
 * that is about such ones.
 */
export const cueFor = (playing: readonly Playing[], occasion: Occasion): Outcome => {
  let cue: Cue | undefined
  let looks: readonly Look[] | undefined
  for (const play of playing) {
    const held = hold(play, occasion, cue !== undefined)
    if (held === undefined) continue
    play.latest[kindOfOccasion(occasion)] = held.look
    // The journal keeps one for each call: an array that is pushed to would have room for sixteen more.
    looks = looks === undefined ? [held.look] : [...looks, held.look]
    cue ??= held.cue
  }
  return looks === undefined ? noOutcome : { cue, looks }
}

/**
 * Holds an occasion against one scenario; undefined where no step is about such ones. `isTaken`: a step of another
 * scenario has acted.
 */
const hold = (play: Playing, occasion: Occasion, isTaken: boolean): Held | undefined => {
  const quiet = isTaken ? undefined : countedQuietly(play, occasion)
  if (quiet !== undefined) return { look: quiet, cue: undefined }
  const plan = planFor(play.scenario, occasion)
  if (plan === undefined) return undefined
  const prompt = plan.asksPrompt ? occasion.prompt() : undefined
  const cue = ask(play, plan, occasion, prompt, isTaken)
  const finding = findingOn(play.scenario, plan.sheet, occasion)
  noteLatest(play, plan, { finding, account: occasion.account, prompt })
  return { look: { finding, elapsed: occasion.now - play.since, later: 0 }, cue }
}

const findingOn = (scenario: Scenario, sheet: Sheet, { operation, model, callback }: Occasion): Finding => ({
  scenario,
  operation,
  model,
  callback,
  verdicts: textOf(sheet),
  numbers: numbersOf(sheet),
})
