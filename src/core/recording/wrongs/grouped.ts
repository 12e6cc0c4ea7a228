import type { ScenarioInput } from '../../scenario/scenario.js'

export type StepInput = ScenarioInput['steps'][number]
export type When = NonNullable<StepInput['when']>
export type Then = StepInput['then']

/** Something that went wrong, as a step that does it again. */
export interface Failure {
  readonly at: number
  /** The place of the call that it is about among all calls; behind them where it is about a message. */
  readonly place: number
  readonly when: Omit<When, 'nth'>
  readonly nth: number
  readonly does: Then
  /** What it was, in a few words: "answered with 429". */
  readonly says: string
}

/** What went wrong in the same way, with the number of every call to which it happened. */
export type Group = Failure & { readonly all: readonly number[] }

export const grouped = (wrongs: readonly Failure[]): Group[] => {
  const groups = new Map<string, Failure & { readonly all: number[] }>()
  for (const wrong of wrongs) {
    const name = JSON.stringify([wrong.when, wrong.does])
    const known = groups.get(name) ?? { ...wrong, all: [] }
    groups.set(name, known)
    if (!known.all.includes(wrong.nth)) known.all.push(wrong.nth)
  }
  return [...groups.values()]
}

/** A step that does it to all of them again. */
export const stepOf = ({ when, does, says, all }: Group): StepInput => ({
  says: `${String(when.operation)}, ${all.length === 1 ? 'number' : 'numbers'} ${all.join(', ')}: ${says}`,
  when: { ...when, ...countsOf([...all].sort((a, b) => a - b)) },
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
  then: does,
  required: true,
})

/** The shortest way to name these calls, which are in order. */
const countsOf = (all: readonly number[]): Pick<When, 'nth' | 'first' | 'after'> => {
  const [first = 1, last = first] = [all[0], all.at(-1)]
  if (all.length === 1) return { nth: first }
  const isRow = last - first + 1 === all.length
  if (!isRow || all.length === 2) return { nth: [...all] }
  return first === 1 ? { first: last } : { first: last, after: first - 1 }
}
