import { type Draw, drawFor } from '../account/draw.js'
import type { Instant } from '../time/timeline.js'
import { type Candidate, kindOfOccasion } from './about.js'
import type { Look, Verdict } from './look.js'
import type { Occasion } from './occasion.js'
import { type Plan, planFor } from './plan.js'
import { countIn, type Likeness, likenessOf, noteLatest, runAt } from './quiet.js'
import { misfit, reluctance } from './reasons.js'
import type { Scenario, Step } from './scenario.js'
import { numbersOf, type Sheet, textOf, write } from './sheet.js'

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
  readonly looks: readonly Looked[]
}

interface Looked {
  readonly scenario: Scenario
  readonly look: Look
}

/** An occasion once it has been held against one scenario. */
interface Held extends Looked {
  readonly cue: Cue | undefined
}

export const noOutcome: Outcome = { cue: undefined, looks: [] }

/**
 * Looks for the first step of all that are playing which acts on an occasion, and counts the occasion for every step
 * that is about such ones.
 */
export const cueFor = (playing: readonly Playing[], occasion: Occasion): Outcome => {
  let cue: Cue | undefined
  let looks: readonly Looked[] | undefined
  for (const play of playing) {
    const plan = planFor(play.scenario, occasion)
    if (plan === undefined) continue
    const held = hold(play, plan, occasion, cue !== undefined)
    play.latest[kindOfOccasion(occasion)] = held.look
    // The journal keeps one for each call: an array that is pushed to would have room for sixteen more.
    looks = looks === undefined ? [held] : [...looks, held]
    cue ??= held.cue
  }
  return looks === undefined ? noOutcome : { cue, looks }
}

/** Holds an occasion against one scenario. `isTaken`: a step of another one has acted. */
const hold = (play: Playing, plan: Plan, occasion: Occasion, isTaken: boolean): Held => {
  const { scenario } = play
  const elapsed = occasion.now - play.since
  const like = likenessOf(plan, occasion)
  const run = isTaken ? undefined : runAt(play, like, elapsed)
  if (run !== undefined)
    return { scenario, look: lookAt(occasion, elapsed, run.verdicts, countIn(run, play)), cue: undefined }
  const cue = ask(play, like, occasion.account, elapsed, isTaken)
  noteLatest(play, like)
  return { scenario, look: lookAt(occasion, elapsed, textOf(plan.sheet), numbersOf(plan.sheet)), cue }
}

const lookAt = (
  { operation, model, callback }: Occasion,
  elapsed: number,
  verdicts: string,
  numbers: readonly number[],
): Look => ({ operation, model, callback, elapsed, verdicts, numbers })

/** Asks every step, and notes on the sheet what came of it. */
const ask = (
  play: Playing,
  { plan: { open, sheet }, prompt, status }: Likeness,
  account: string,
  elapsed: number,
  isTaken: boolean,
): Cue | undefined => {
  let cue: Cue | undefined
  for (const candidate of open) {
    const other = misfit(candidate, prompt, status)
    const nth = other === undefined ? count(play, candidate) : 0
    const isEarlier = isTaken || cue !== undefined
    const verdict = other ?? (isEarlier ? 'earlier' : judge(play, candidate, sheet, account, nth, elapsed))
    if (verdict === 'acted') cue = act(play, candidate, account, nth)
    write(sheet, candidate.place, verdict)
  }
  return cue
}

const count = ({ seen }: Playing, { index }: Candidate): number => {
  const nth = (seen[index] ?? 0) + 1
  seen[index] = nth
  return nth
}

/** Whether a step acts on the nth occasion that fits it, and why not. A number that says why is noted on the sheet. */
const judge = (
  play: Playing,
  candidate: Candidate,
  { numbers }: Sheet,
  account: string,
  nth: number,
  elapsed: number,
): Verdict => {
  const reason = reluctance(candidate, nth, play.acted[candidate.index] ?? 0, elapsed)
  if (reason === 'count') numbers[candidate.place] = nth
  if (reason !== undefined) return reason
  if (candidate.probability === 1) return 'acted'
  const fraction = drawFrom(play, candidate, account, nth).fraction('scenario')
  if (fraction < candidate.probability) return 'acted'
  numbers[candidate.place] = fraction
  return 'chance'
}

const act = (play: Playing, candidate: Candidate, account: string, nth: number): Cue => {
  const { scenario, acted } = play
  const { index, step } = candidate
  acted[index] = (acted[index] ?? 0) + 1
  return {
    scenario: scenario.name,
    step: index + 1,
    says: step.says,
    does: step.then,
    draw: drawFrom(play, candidate, account, nth),
  }
}

/** One draw for each fitting occasion of each step: what happens at other steps changes nothing here. */
const drawFrom = ({ scenario, seed }: Playing, { index }: Candidate, account: string, nth: number): Draw =>
  drawFor(seed, account, `${scenario.name}|${index}|${nth}`)
