import { groupBy } from '../collections/group-by.js'
import type { JudgedCall, VerdictFacts } from './facts.js'
import type { Finding } from './kinds.js'

/** Judge of one kind of findings: what was seen, and the calls that it is about. */
export type Judge = (facts: VerdictFacts) => readonly Pick<Finding, 'message' | 'calls'>[]

export const idsOf = (calls: readonly JudgedCall[]): string[] => calls.map(({ entry }) => entry.id)

export const groupsOf = <T>(list: readonly T[], keyOf: (item: T) => string): T[][] => [
  ...groupBy(list, keyOf).values(),
]

/** Whether a call queries a task. */
export const isRead = ({ operation }: JudgedCall): boolean => operation?.endsWith('.read') === true
