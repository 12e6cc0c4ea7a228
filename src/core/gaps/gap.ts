/**
 * How sure an answer is. `spec`: follows from the specification. `seen`: what public services and client libraries of
 * this kind are known to use. `assumed`: documented by nobody, chosen by analogy.
 */
export type Grade = 'spec' | 'seen' | 'assumed'

/** A place where the specification is silent or contradicts itself, and what the emulator answers there. */
export interface Gap {
  readonly id: string
  readonly place: string
  readonly grade: Grade
  readonly answer: string
  /** The settings that change the answer; left out where none does. */
  readonly settings?: readonly string[]
}
