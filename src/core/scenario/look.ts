import type { Instant } from '../time/timeline.js'
import { stepsAbout } from './about.js'
import type { Occasion } from './occasion.js'
import { misfit, type Reason, reluctance } from './reasons.js'
import type { Scenario } from './scenario.js'

/**
 * An occasion as it was held against the steps of a scenario: all that is needed to say later what each of them had
 * against it. Plain data, and little of it, since there is one for every call.
 */
export interface Look {
  readonly operation: string
  readonly account: string
  readonly model: string | undefined
  /** Undefined also where no step asks for it. */
  readonly prompt: string | undefined
  readonly callback: Occasion['callback']
  readonly now: Instant
  /** Milliseconds since the scenario began. */
  readonly elapsed: number
  readonly seed: number
  /** By step: which fitting occasion it was, from 1, or how many there have been where it did not fit. */
  readonly seen: readonly number[]
  /** By step: how often it had acted before. */
  readonly acted: readonly number[]
  /** A step of a scenario that is asked before this one had acted. */
  readonly isTaken: boolean
  /** The place of the step that acted, from 0; null where none did. */
  readonly cue: number | null
  /** What the step was to act on did not come about, so that it has not acted. */
  readonly isRefused?: true
}

/** What kept a step from acting; undefined for the one that acted, and for those that were not about the occasion. */
export const reasonFor = (scenario: Scenario, look: Look, index: number): Reason | undefined => {
  const candidate = stepsAbout(scenario, look).candidates.find((one) => one.index === index)
  if (candidate === undefined) return undefined
  if (look.cue === index) return look.isRefused ? 'refused' : undefined
  const other = misfit(candidate, look)
  if (other !== undefined) return other
  const isLater = look.isTaken || (look.cue !== null && look.cue < index)
  return isLater ? 'earlier' : reluctance(candidate, look, scenario.name)
}
