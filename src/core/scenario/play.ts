import type { Draw } from '../account/draw.js'
import type { Instant } from '../time/timeline.js'
import { type About, type Candidate, stepsAbout } from './about.js'
import type { Look } from './look.js'
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
  /** By step: the latest occasion that it was about and did not act on; null where there was none. */
  readonly missed: (Look | null)[]
}

export const begin = (scenario: Scenario, seed: number, now: Instant): Playing => ({
  scenario,
  seed,
  since: now,
  seen: scenario.steps.map(() => 0),
  acted: scenario.steps.map(() => 0),
  missed: scenario.steps.map(() => null),
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
    const about = stepsAbout(play.scenario, occasion)
    if (about.candidates.length === 0) continue
    const look = lookAt(play, about, occasion, cue !== undefined)
    looks.push({ scenario: play.scenario, look })
    for (const { index } of about.candidates) if (index !== look.cue) play.missed[index] = look
    if (look.cue !== null) cue = act(play, look.cue, look)
  }
  return looks.length === 0 ? noOutcome : { cue, looks }
}

const lookAt = (play: Playing, about: About, occasion: Occasion, isTaken: boolean): Look => {
  const { operation, account, model, callback, now } = occasion
  const held = {
    operation,
    account,
    model,
    prompt: about.needsPrompt ? occasion.prompt : undefined,
    callback,
    now,
    elapsed: now - play.since,
    seed: play.seed,
    seen: play.seen,
    acted: play.acted.slice(),
    isTaken,
  }
  const cue = count(play, about.candidates, held)
  // The counts go on; what they were now is kept.
  return { ...held, seen: play.seen.slice(), cue }
}

/** Counts an occasion for the steps that it fits; the place of the one that acts, or null. */
const count = (
  { scenario, seen }: Playing,
  candidates: readonly Candidate[],
  held: Omit<Look, 'cue'>,
): number | null => {
  let cue: number | null = null
  for (const candidate of candidates) {
    if (misfit(candidate, held) !== undefined) continue
    const { index } = candidate
    seen[index] = (seen[index] ?? 0) + 1
    if (cue !== null || held.isTaken) continue
    if (reluctance(candidate, held, scenario.name) === undefined) cue = index
  }
  return cue
}

const act = ({ scenario, acted }: Playing, index: number, look: Look): Cue => {
  acted[index] = (acted[index] ?? 0) + 1
  const step = scenario.steps[index] as Step
  return {
    scenario: scenario.name,
    step: index + 1,
    says: step.says,
    does: step.then,
    draw: drawOf(scenario.name, index, look),
  }
}

/**
 * Takes back that a step acted, where it found nothing to act on: a call that was to make a task and was refused. The
 * occasion stays counted.
 */
export const takeBack = (playing: readonly Playing[], { looks }: Outcome): Outcome => {
  const refused = looks.map(({ scenario, look }) =>
    look.cue === null ? { scenario, look } : { scenario, look: { ...look, isRefused: true as const } },
  )
  for (const { scenario, look } of refused) {
    const play = playing.find((one) => one.scenario === scenario)
    if (play === undefined || look.cue === null) continue
    play.acted[look.cue] = (play.acted[look.cue] ?? 1) - 1
    play.missed[look.cue] = look
  }
  return { cue: undefined, looks: refused }
}
