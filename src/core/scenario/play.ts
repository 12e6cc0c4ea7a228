import { kindOfOccasion } from './about.js'
import { ask, type MatchedStep } from './ask.js'
import type { Look, MatchTrace } from './look.js'
import type { MatchInput } from './occasion.js'
import { planFor } from './plan.js'
import type { ScenarioRun } from './playing.js'
import { countedQuietly, noteLatest } from './quiet.js'
import type { Scenario } from './scenario.js'
import { numbersOf, type Sheet, textOf } from './sheet.js'

/** What came of holding an occasion against what plays. */
export interface ScenarioMatch {
  readonly matchedStep: MatchedStep | undefined
  /** Those scenarios that have steps about such occasions. */
  readonly traces: readonly Look[]
}

/** An occasion once it has been held against one scenario. */
interface Held {
  readonly look: Look
  readonly matchedStep: MatchedStep | undefined
}

export const noMatch: ScenarioMatch = { matchedStep: undefined, traces: [] }

/**
 * Looks for the first step of all that are playing which acts on an occasion, and counts the occasion for every step
 * that is about such ones.
 */
export const matchStep = (playing: readonly ScenarioRun[], occasion: MatchInput): ScenarioMatch => {
  let matchedStep: MatchedStep | undefined
  let traces: readonly Look[] | undefined
  for (const play of playing) {
    const held = hold(play, occasion, matchedStep !== undefined)
    if (held === undefined) continue
    play.latest[kindOfOccasion(occasion)] = held.look
    // The journal keeps one for each call: an array that is pushed to would have room for sixteen more.
    traces = traces === undefined ? [held.look] : [...traces, held.look]
    matchedStep ??= held.matchedStep
  }
  return traces === undefined ? noMatch : { matchedStep, traces }
}

/**
 * Holds an occasion against one scenario; undefined where no step is about such ones. `isTaken`: a step of another
 * scenario has acted.
 */
const hold = (play: ScenarioRun, occasion: MatchInput, isTaken: boolean): Held | undefined => {
  const quiet = isTaken ? undefined : countedQuietly(play, occasion)
  if (quiet !== undefined) return { look: quiet, matchedStep: undefined }
  const plan = planFor(play.scenario, occasion)
  if (plan === undefined) return undefined
  const prompt = plan.asksPrompt ? occasion.prompt() : undefined
  const matchedStep = ask(play, plan, occasion, prompt, isTaken)
  const finding = findingOn(play.scenario, plan.sheet, occasion)
  noteLatest(play, plan, { finding, account: occasion.account, prompt })
  return { look: { finding, elapsed: occasion.now - play.since, later: 0 }, matchedStep }
}

const findingOn = (
  scenario: Scenario,
  sheet: Sheet,
  { operation, model, callback }: MatchInput,
): MatchTrace => ({
  scenario,
  operation,
  model,
  callback,
  verdicts: textOf(sheet),
  numbers: numbersOf(sheet),
})
