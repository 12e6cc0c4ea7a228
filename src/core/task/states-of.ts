import type { AnyTaskFamily } from './family.js'
import { type State, states } from './phase.js'

/** The states that tasks of a family can be in (§States and transitions). */
export const statesOf = ({
  states: own,
  deadline,
}: Pick<AnyTaskFamily, 'states' | 'deadline'>): readonly State[] =>
  own ?? states.filter((state) => state !== 'pending' && (state !== 'expired' || deadline !== undefined))
