import { type Draw, drawFor } from '../account/draw.js'
import type { Candidate } from './about.js'
import type { Verdict } from './look.js'
import type { Occasion } from './occasion.js'
import type { Plan } from './plan.js'
import type { Playing } from './playing.js'
import { misfit, reluctance } from './reasons.js'
import type { Step } from './scenario.js'
import { type Sheet, write } from './sheet.js'

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

/** Asks every step, and notes on the sheet what came of it. */
export const ask = (
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
