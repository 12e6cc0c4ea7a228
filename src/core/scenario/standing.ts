import { stepsAbout } from './about.js'
import { missesIn } from './look.js'
import type { ScenarioRun } from './playing.js'
import type { Step } from './scenario.js'
import { whyNot } from './words.js'

/** How a step that is playing stands. */
export interface StepStatus {
  readonly scenario: string
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** Fitting occasions so far, and those on which it acted. */
  readonly seen: number
  readonly acted: number
  /** How often it may act; null is without end. */
  readonly times: number | null
  readonly required: boolean
  /** Why it did not act on the latest occasion that it was about; null where it did, and where there was none. */
  readonly lastMiss: string | null
}

/** Every step of what plays, in the order in which they are asked. */
export const stepStatusesOf = (playing: readonly ScenarioRun[]): StepStatus[] =>
  playing.flatMap((play) => play.scenario.steps.map((step, index) => standing(play, step, index)))

const standing = (play: ScenarioRun, step: Step, index: number): StepStatus => ({
  scenario: play.scenario.name,
  step: index + 1,
  says: step.says ?? null,
  seen: play.seen[index] ?? 0,
  acted: play.acted[index] ?? 0,
  times: step.times ?? null,
  required: step.required,
  lastMiss: lastMiss(play, index),
})

const lastMiss = ({ latest }: ScenarioRun, index: number): string | null => {
  const traces = Object.values(latest).filter(({ finding }) =>
    stepsAbout(finding.scenario, finding).some((candidate) => candidate.index === index),
  )
  const last = traces.sort((a, b) => a.elapsed - b.elapsed).at(-1)
  const miss = last && missesIn(last).find((one) => one.index === index)
  return last === undefined || miss === undefined ? null : whyNot(last, miss)
}

/** Steps that must act and have not. */
export const unusedStepsOf = (playing: readonly ScenarioRun[]): StepStatus[] =>
  stepStatusesOf(playing).filter(({ required, acted }) => required && acted === 0)
