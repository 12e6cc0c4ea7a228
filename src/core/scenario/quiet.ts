import type { Occasion } from './occasion.js'
import type { Plan } from './plan.js'
import type { Playing } from './play.js'
import { type Run, runAfter } from './run.js'
import { noNumbers } from './sheet.js'

/** All of an occasion that its steps ask about, but for the time: what those that are alike have in common. */
export interface Likeness {
  readonly plan: Plan
  /** Undefined as well where no step asks for it. */
  readonly prompt: string | undefined
  readonly status: NonNullable<Occasion['callback']>['status']
}

export const likenessOf = (plan: Plan, occasion: Occasion): Likeness => ({
  plan,
  prompt: plan.asksPrompt ? occasion.prompt() : undefined,
  status: occasion.callback?.status,
})

/** The latest occasion of a play, and what follows from it for those that are like it. */
interface Latest {
  readonly like: Likeness
  run: Run | undefined
}

/**
 * Kept beside what plays, which has to stay plain data. No run outlives what it follows from, which is the latest
 * occasion and what was `seen` and `acted` by then:
 * - `hold` (play.ts) writes to all three, and either goes on with the run or notes what has come in its place;
 * - `takeBack` writes to `acted`, perhaps some occasions later, and forgets the run;
 * - nobody else writes: what is copied, restored, read or begun anew is another object, and has no run yet.
 */
const latests = new WeakMap<Playing, Latest>()

/** Longer prompts are not worth the memory. */
const MOST_CHARACTERS = 10_000

/** The run that an occasion goes on with; undefined where it has to be held against every step. */
export const runAt = (play: Playing, like: Likeness, elapsed: number): Run | undefined => {
  const latest = latests.get(play)
  const run = latest?.run
  if (run === undefined || !isAlike(latest, like)) return undefined
  return run.left > 0 && elapsed >= run.from && elapsed < run.until ? run : undefined
}

/** Counts an occasion of a run for its steps, and gives the numbers of its look. */
export const countIn = (run: Run, { seen }: Playing): readonly number[] => {
  run.left -= 1
  for (const index of run.others) seen[index] = (seen[index] ?? 0) + 1
  if (run.numbered.length === 0) return noNumbers
  return run.numbered.map((index) => {
    const nth = (seen[index] ?? 0) + 1
    seen[index] = nth
    return nth
  })
}

/**
 * Notes an occasion that was held against every step. What follows is worked out after the second of two that are alike,
 * so that creates and queries in turns, or prompts that all differ, do not pay for runs that never come about.
 */
export const noteLatest = (play: Playing, like: Likeness): void => {
  const latest = latests.get(play)
  if (isAlike(latest, like)) latest.run = runAfter(like.plan, play.seen)
  else if (like.prompt !== undefined && like.prompt.length > MOST_CHARACTERS) latests.delete(play)
  else latests.set(play, { like, run: undefined })
}

/** The next occasion is held against every step. */
export const forgetRun = (play: Playing): void => {
  latests.delete(play)
}

const isAlike = (latest: Latest | undefined, { plan, prompt, status }: Likeness): latest is Latest =>
  latest !== undefined &&
  latest.like.plan === plan &&
  latest.like.prompt === prompt &&
  latest.like.status === status
