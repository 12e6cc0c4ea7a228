import { type SeededRandom, seededRandom } from '../account/draw.js'
import type { Candidate } from './about.js'
import type { Verdict } from './look.js'
import type { MatchInput } from './occasion.js'
import type { Plan } from './plan.js'
import type { ScenarioRun } from './playing.js'
import { misfit, reluctance } from './reasons.js'
import type { Step } from './scenario.js'
import { type Sheet, write } from './sheet.js'

/** The step that acts on an occasion, named so that an explanation can point at it. */
export interface MatchedStep {
  readonly scenario: string
  /** From 1, as people count. */
  readonly step: number
  readonly says: string | undefined
  readonly does: Step['then']
  /** What its delays are drawn from. */
  readonly draw: SeededRandom
}

/** Asks every step, and notes on the sheet what came of it. */
export const ask = (
  play: ScenarioRun,
  { open, sheet }: Plan,
  { account, callback, now }: MatchInput,
  prompt: string | undefined,
  isTaken: boolean,
): MatchedStep | undefined => {
  const elapsed = now - play.since
  let matchedStep: MatchedStep | undefined
  for (const candidate of open) {
    const other = misfit(candidate, prompt, callback?.status)
    const nth = other === undefined ? count(play, candidate) : 0
    const isEarlier = isTaken || matchedStep !== undefined
    const verdict = other ?? (isEarlier ? 'earlier' : judge(play, candidate, sheet, account, nth, elapsed))
    if (verdict === 'acted') matchedStep = act(play, candidate, account, nth)
    write(sheet, candidate.place, verdict)
  }
  return matchedStep
}

const count = ({ seen }: ScenarioRun, { index }: Candidate): number => {
  const nth = (seen[index] ?? 0) + 1
  seen[index] = nth
  return nth
}

/** Whether a step acts on the nth occasion that fits it, and why not. A number that says why is noted on the sheet. */
const judge = (
  play: ScenarioRun,
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

const act = (play: ScenarioRun, candidate: Candidate, account: string, nth: number): MatchedStep => {
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
const drawFrom = (
  { scenario, seed }: ScenarioRun,
  { index }: Candidate,
  account: string,
  nth: number,
): SeededRandom => seededRandom(seed, account, `${scenario.name}|${index}|${nth}`)
