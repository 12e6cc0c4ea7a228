import type { Draw } from '../account/draw.js'
import { drawFor } from '../account/draw.js'
import type { Instant } from '../time/timeline.js'
import { type Candidate, candidatesFor } from './about.js'
import { type Miss, misfit, reluctance } from './miss.js'
import type { Occasion } from './occasion.js'
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
  /** By step: why it did not act on the latest occasion that it could have acted on; null where there was none. */
  readonly missed: (Miss | null)[]
}

export const begin = (scenario: Scenario, seed: number, now: Instant): Playing => ({
  scenario,
  seed,
  since: now,
  seen: scenario.steps.map(() => 0),
  acted: scenario.steps.map(() => 0),
  missed: scenario.steps.map(() => null),
})

/** A step by name, so that an explanation can point at it. */
export interface StepName {
  readonly scenario: string
  /** From 1, as people count. */
  readonly step: number
  readonly says: string | undefined
}

/** The step that acts on an occasion. */
export interface Cue extends StepName {
  readonly does: Step['then']
  /** What its delays are drawn from. */
  readonly draw: Draw
}

/** A step that was about such occasions and did not act on this one. */
export interface NearMiss {
  readonly scenario: Scenario
  /** From 0. */
  readonly index: number
  readonly miss: Miss
}

export interface Outcome {
  readonly cue: Cue | undefined
  readonly nearMisses: readonly NearMiss[]
}

export const noOutcome: Outcome = { cue: undefined, nearMisses: [] }

/**
 * Looks for the first step of all that are playing which acts on an occasion, and counts the occasion for every step
 * that is about such ones.
 */
export const cueFor = (playing: readonly Playing[], occasion: Occasion): Outcome => {
  if (playing.length === 0) return noOutcome
  let cue: Cue | undefined
  const nearMisses: NearMiss[] = []
  for (const play of playing)
    for (const candidate of candidatesFor(play.scenario, occasion)) {
      const miss = hold(play, candidate, occasion, cue !== undefined)
      if (miss === undefined) cue = act(play, candidate, occasion)
      else {
        nearMisses.push({ scenario: play.scenario, index: candidate.index, miss })
        play.missed[candidate.index] = miss
      }
    }
  return cue === undefined && nearMisses.length === 0 ? noOutcome : { cue, nearMisses }
}

/** Holds an occasion against a step and counts it; why the step does not act, or undefined when it does. */
const hold = (
  play: Playing,
  candidate: Candidate,
  occasion: Occasion,
  isTaken: boolean,
): Miss | undefined => {
  const other = misfit(candidate, occasion)
  if (other !== undefined) return other
  const { index } = candidate
  const nth = (play.seen[index] ?? 0) + 1
  play.seen[index] = nth
  if (isTaken) return { reason: 'earlier', nth }
  const draw = { seed: play.seed, account: occasion.account, label: labelOf(play, index) }
  return reluctance(candidate, {
    nth,
    elapsed: occasion.now - play.since,
    acted: play.acted[index] ?? 0,
    draw,
  })
}

const act = (play: Playing, { index, step }: Candidate, { account }: Occasion): Cue => {
  play.acted[index] = (play.acted[index] ?? 0) + 1
  return {
    scenario: play.scenario.name,
    step: index + 1,
    says: step.says,
    does: step.then,
    draw: drawFor(play.seed, account, labelOf(play, index)),
  }
}

const labelOf = ({ scenario, seen }: Playing, index: number): string =>
  `${scenario.name}|${index}|${seen[index] ?? 0}`

/**
 * Takes back that a step acted, where it found nothing to act on: a call that was to make a task and was refused. The
 * occasion stays counted.
 */
export const takeBack = (playing: readonly Playing[], { cue, nearMisses }: Outcome): Outcome => {
  const play = playing.find(({ scenario }) => scenario.name === cue?.scenario)
  if (cue === undefined || play === undefined) return { cue: undefined, nearMisses }
  const index = cue.step - 1
  const miss: Miss = { reason: 'refused', nth: play.seen[index] ?? 0 }
  play.acted[index] = (play.acted[index] ?? 1) - 1
  play.missed[index] = miss
  return { cue: undefined, nearMisses: [...nearMisses, { scenario: play.scenario, index, miss }] }
}
