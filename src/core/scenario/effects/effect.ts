import type { z } from 'zod'
import type { CatalogueFamily, Selector } from '../selector.js'

/**
 * Scenario effect: one key of a step's `then` with everything that is known of it. The list of them (index.ts) is the
 * source of the schema of `then`, of the published types, of what the checks say and of what happens to a call.
 */
export interface Effect<Part extends string, Key extends string, Schema extends z.ZodType, Subject, Context> {
  /** The part of `then` that it stands in. */
  readonly part: Part
  readonly key: Key
  readonly schema: Schema
  /** For editors and for the published types: a phrase without a full stop. */
  readonly description: string
  /** Keys of the same part that cannot stand beside it, each with the reason. */
  readonly conflicts?: Readonly<Record<string, string>>
  /** What else makes no sense with this value, as sentences without a full stop. */
  readonly problems?: (value: z.output<Schema>, step: CheckedStep) => readonly (string | false)[]
  /** Where in the value the name of one of the family's errors stands. Undefined: nowhere. */
  readonly errorName?: readonly string[]
  /** What it does, as a value from a value: nothing is sent or changed by it. Default: the subject, and others ask for the key. */
  readonly apply?: (subject: Subject, value: z.output<Schema>, context: Context) => Subject
  /** What it does to the body of a callback when that is sent; a string is sent as it stands. Default: nothing. */
  readonly onBody?: (body: unknown, value: z.output<Schema>) => unknown
}

/** The values of one part: `{ status: 503, text: '' }`. */
export type Values = Readonly<Record<string, unknown>>

/** A step as the checks of an effect see it. */
export interface CheckedStep {
  readonly when: Selector
  /** The values beside this one in its part. */
  readonly values: Values
  /** The families of video tasks that the step is about; empty where it is unknown what it is about. */
  readonly families: readonly CatalogueFamily[]
}

/** Makes the constructor of a part's effects, which knows what they change and what they are told. */
export const effectsOn =
  <Part extends string, Subject, Context = undefined>(part: Part) =>
  <Key extends string, Schema extends z.ZodType>(
    effect: Omit<Effect<Part, Key, Schema, Subject, Context>, 'part'> & { readonly key: Key },
  ): Effect<Part, Key, Schema, Subject, Context> => ({ part, ...effect })
