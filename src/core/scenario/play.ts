import { drawFor } from '../account/draw.js'
import { formatDuration } from '../time/duration.js'
import type { Instant } from '../time/timeline.js'
import { miscount, misfit } from './match.js'
import type { Occasion } from './occasion.js'
import type { Scenario, Step } from './scenario.js'

/** How a scenario stands with one account. Plain data, so that it survives with the account. */
export interface Playing {
  readonly scenario: Scenario
  /** When it began on the account's clock. */
  readonly since: Instant
  /** By step: how many fitting occasions there were, and on how many it acted. */
  readonly seen: number[]
  readonly acted: number[]
}

export const begin = (scenario: Scenario, now: Instant): Playing => ({
  scenario,
  since: now,
  seen: scenario.steps.map(() => 0),
  acted: scenario.steps.map(() => 0),
})

/** The step that acts on an occasion, named so that an explanation can point at it. */
export interface Cue {
  readonly scenario: string
  /** From 1, as people count. */
  readonly step: number
  readonly says: string | undefined
  readonly does: Step['then']
}

/** A step that was about such occasions and did not act on this one, with the reason. */
export interface NearMiss {
  readonly scenario: string
  readonly step: number
  readonly why: string
}

export interface Outcome {
  readonly cue: Cue | undefined
  readonly nearMisses: readonly NearMiss[]
}

const noOutcome: Outcome = { cue: undefined, nearMisses: [] }

/**
 * Looks for the first step of all that are playing which acts on an occasion, and counts the occasion for every step
 * that is about such ones.
 */
export const cueFor = (playing: readonly Playing[], occasion: Occasion, seed: number): Outcome => {
  if (playing.length === 0) return noOutcome
  let cue: Cue | undefined
  const nearMisses: NearMiss[] = []
  for (const play of playing)
    play.scenario.steps.forEach((step, index) => {
      if (misfit(step.when, occasion) !== undefined) return
      const nth = (play.seen[index] ?? 0) + 1
      play.seen[index] = nth
      const about = { scenario: play.scenario.name, step: index + 1 }
      const why =
        cue === undefined ? reluctance(play, step, index, nth, occasion, seed) : 'an earlier step acted'
      if (why !== undefined) nearMisses.push({ ...about, why })
      else {
        play.acted[index] = (play.acted[index] ?? 0) + 1
        cue = { ...about, says: step.says, does: step.then }
      }
    })
  return { cue, nearMisses }
}

const reluctance = (
  { scenario, since, acted }: Playing,
  { when, times }: Step,
  index: number,
  nth: number,
  occasion: Occasion,
  seed: number,
): string | undefined => {
  const elapsed = occasion.now - since
  if (times !== undefined && (acted[index] ?? 0) >= times)
    return `has acted ${times} times, which is all it may`
  const count = miscount(when, nth)
  if (count !== undefined) return count
  if (when.from !== undefined && elapsed < when.from)
    return `begins ${formatDuration(when.from)} after the start; this was at ${formatDuration(elapsed)}`
  if (when.until !== undefined && elapsed >= when.until)
    return `ends ${formatDuration(when.until)} after the start; this was at ${formatDuration(elapsed)}`
  if (when.probability === undefined) return undefined
  const fraction = drawFor(seed, occasion.account, `${scenario.name}|${index}|${nth}`).fraction('scenario')
  return fraction < when.probability
    ? undefined
    : `acts with probability ${when.probability}; the draw was ${fraction.toFixed(3)}`
}

/** Steps that must act and have not. */
export const unusedSteps = (
  playing: readonly Playing[],
): { scenario: string; step: number; says: string | undefined }[] =>
  playing.flatMap(({ scenario, acted }) =>
    scenario.steps.flatMap(({ required, says }, index) =>
      required && acted[index] === 0 ? [{ scenario: scenario.name, step: index + 1, says }] : [],
    ),
  )
