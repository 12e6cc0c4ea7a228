import type { Draw } from '../account/draw.js'
import type { Instant } from '../time/timeline.js'
import { type Candidate, kindOfOccasion, stepsAbout } from './about.js'
import { type Look, letterOf, type Verdict } from './look.js'
import type { Occasion } from './occasion.js'
import { drawOf, misfit, reluctance } from './reasons.js'
import type { Scenario, Step } from './scenario.js'

/** How a scenario stands with one account. Plain data, so that it survives with the account. */
export interface Playing {
  readonly scenario: Scenario
  readonly seed: number
  /** When it began on the account's clock. */
  readonly since: Instant
  /** By step: how many fitting occasions there were, and on how many it acted. */
  readonly seen: number[]
  readonly acted: number[]
  /** The latest occasion of each kind that steps are about. */
  readonly latest: Record<string, Look>
}

export const begin = (scenario: Scenario, seed: number, now: Instant): Playing => ({
  scenario,
  seed,
  since: now,
  seen: scenario.steps.map(() => 0),
  acted: scenario.steps.map(() => 0),
  latest: {},
})

/** The step that acts on an occasion, named so that an explanation can point at it. */
export interface Cue {
  readonly scenario: string
  /** From 1, as people count. */
  readonly step: number
  readonly says: string | undefined
  readonly does: Step['then']
  /** What its delays are drawn from. */
  readonly draw: Draw
}

/** What came of holding an occasion against what plays. */
export interface Outcome {
  readonly cue: Cue | undefined
  /** Those scenarios that have steps about such occasions. */
  readonly looks: readonly { readonly scenario: Scenario; readonly look: Look }[]
}

export const noOutcome: Outcome = { cue: undefined, looks: [] }

/**
 * Looks for the first step of all that are playing which acts on an occasion, and counts the occasion for every step
 * that is about such ones.
 */
export const cueFor = (playing: readonly Playing[], occasion: Occasion): Outcome => {
  let cue: Cue | undefined
  const looks: { scenario: Scenario; look: Look }[] = []
  for (const play of playing) {
    const candidates = stepsAbout(play.scenario, occasion)
    if (candidates.length === 0) continue
    const held = hold(play, candidates, occasion, cue !== undefined)
    play.latest[kindOfOccasion(occasion)] = held.look
    looks.push({ scenario: play.scenario, look: held.look })
    cue ??= held.cue
  }
  return looks.length === 0 ? noOutcome : { cue, looks }
}

/** Holds an occasion against the steps of one scenario. `isTaken`: a step of another one has acted. */
const hold = (
  play: Playing,
  candidates: readonly Candidate[],
  occasion: Occasion,
  isTaken: boolean,
): { readonly look: Look; readonly cue: Cue | undefined } => {
  const { operation, model, callback, now } = occasion
  const elapsed = now - play.since
  let cue: Cue | undefined
  const numbers: number[] = []
  const verdicts = candidates.map((candidate) => {
    const other = misfit(candidate, occasion)
    if (other !== undefined) return letterOf(other)
    const nth = count(play, candidate)
    if (isTaken || cue !== undefined) return letterOf('earlier')
    const verdict = judge(play, candidate, occasion, nth, elapsed)
    if (verdict === 'acted') cue = act(play, candidate, occasion, nth)
    if (verdict === 'count') numbers.push(nth)
    if (verdict === 'chance') numbers.push(fractionOf(play, candidate, occasion, nth))
    return letterOf(verdict)
  })
  return { look: { operation, model, callback, elapsed, verdicts: verdicts.join(''), numbers }, cue }
}

const count = ({ seen }: Playing, { index }: Candidate): number => {
  const nth = (seen[index] ?? 0) + 1
  seen[index] = nth
  return nth
}

/** Whether a step acts on the nth occasion that fits it, and why not. */
const judge = (
  play: Playing,
  candidate: Candidate,
  occasion: Occasion,
  nth: number,
  elapsed: number,
): Verdict => {
  const reason = reluctance(candidate, nth, play.acted[candidate.index] ?? 0, elapsed)
  if (reason !== undefined) return reason
  const { probability } = candidate
  return probability === 1 || fractionOf(play, candidate, occasion, nth) < probability ? 'acted' : 'chance'
}

const fractionOf = (
  { scenario, seed }: Playing,
  { index }: Candidate,
  { account }: Occasion,
  nth: number,
): number => drawOf(seed, account, scenario.name, index, nth).fraction('scenario')

const act = (
  { scenario, seed, acted }: Playing,
  { index, step }: Candidate,
  { account }: Occasion,
  nth: number,
): Cue => {
  acted[index] = (acted[index] ?? 0) + 1
  return {
    scenario: scenario.name,
    step: index + 1,
    says: step.says,
    does: step.then,
    draw: drawOf(seed, account, scenario.name, index, nth),
  }
}
