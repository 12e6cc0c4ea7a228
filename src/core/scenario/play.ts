import { type Draw, drawFor } from '../account/draw.js'
import type { Instant } from '../time/timeline.js'
import { type Candidate, kindOfOccasion } from './about.js'
import type { Finding, Look, Verdict } from './look.js'
import type { Occasion } from './occasion.js'
import { type Plan, planFor } from './plan.js'
import { noteLatest, quietLook } from './quiet.js'
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
  const quiet = isTaken ? undefined : quietLook(play, occasion)
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

/** Asks every step, and notes on the sheet what came of it. */
const ask = (
  play: Playing,
  { open, sheet }: Plan,
  { account, callback, now }: Occasion,
  prompt: string | undefined,
  isTaken: boolean,
): Cue | undefined => {
  const elapsed = now - play.since
  let cue: Cue | undefined
  for (const candidate of open) {
    const other = misfit(candidate, prompt, callback?.status)
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
