import type { Look, MatchTrace } from './look.js'
import type { MatchInput } from './occasion.js'
import type { Plan } from './plan.js'
import type { ScenarioRun } from './playing.js'
import { type Run, runAfter } from './run.js'

/** An occasion that was held against every step. */
interface Asked {
  readonly finding: MatchTrace
  readonly account: string
  /** Undefined as well where no step asks for it. */
  readonly prompt: string | undefined
}

/** The latest of a play, and what follows from it for those that are like it. */
interface Latest extends Asked {
  readonly asksPrompt: boolean
  readonly run: Run | undefined
  /** How many occasions of the run there have been. */
  passed: number
}

/**
 * Kept beside what plays, which has to stay plain data. No run outlives what it follows from, which is the latest
 * occasion and what was `seen` and `acted` by then:
 * - `hold` (play.ts) writes to all three, and either goes on with the run or notes what has come in its place;
 * - `takeBack` writes to `acted`, perhaps some occasions later, and forgets the run;
 * - nobody else writes: what is copied, restored, read or begun anew is another object, and has no run yet.
 */
const latests = new WeakMap<ScenarioRun, Latest>()

/** Longer prompts are not worth the memory. */
const MOST_CHARACTERS = 10_000

/** Counts an occasion that goes on with a run; undefined for one that has to be held against every step. */
export const countedQuietly = (play: ScenarioRun, occasion: MatchInput): Look | undefined => {
  const latest = latests.get(play)
  const run = latest?.run
  if (run === undefined || latest === undefined || latest.passed >= run.length) return undefined
  const elapsed = occasion.now - play.since
  if (elapsed < run.from || elapsed >= run.until || !isLike(latest, occasion)) return undefined
  for (const index of run.counting) play.seen[index] = (play.seen[index] ?? 0) + 1
  latest.passed += 1
  return { finding: latest.finding, elapsed, later: latest.passed }
}

/**
 * Notes an occasion that was held against every step. What follows is worked out after the second of two that are alike,
 * so that creates and queries in turns, or prompts that all differ, do not pay for runs that never come about.
 */
export const noteLatest = (play: ScenarioRun, plan: Plan, { finding, account, prompt }: Asked): void => {
  const { asksPrompt } = plan
  const before = latests.get(play)
  const isSecond =
    before?.account === account && before.prompt === prompt && isSameKind(before.finding, finding)
  const run = isSecond ? runAfter(plan, play.seen) : undefined
  if (prompt !== undefined && prompt.length > MOST_CHARACTERS) latests.delete(play)
  else latests.set(play, { finding, account, asksPrompt, prompt, run, passed: 0 })
}

/** The next occasion is held against every step. */
export const forgetRun = (play: ScenarioRun): void => {
  latests.delete(play)
}

/** Whether an occasion has all in common with the latest one that its steps ask about, but for the time. */
const isLike = ({ finding, account, asksPrompt, prompt }: Latest, occasion: MatchInput): boolean =>
  account === occasion.account &&
  isSameKind(finding, occasion) &&
  (!asksPrompt || prompt === occasion.prompt())

type Told = Pick<MatchInput, 'operation' | 'model' | 'callback'>

const isSameKind = (a: Told, b: Told): boolean =>
  a.operation === b.operation &&
  a.model === b.model &&
  a.callback?.kind === b.callback?.kind &&
  a.callback?.status === b.callback?.status
