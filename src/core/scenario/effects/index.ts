import { z } from 'zod'
import * as list from '../effect-list.js'
import type { Effect, Values } from './effect.js'

type EffectsOf<T> = T extends readonly (infer E)[] ? E : T
type Listed = EffectsOf<(typeof list)[keyof typeof list]>

const entries: readonly unknown[] = Object.values(list)

/** All effects. Of one part, its own list applies first and in its order, then those that have files of their own. */
export const effects: readonly AnyEffect[] = [
  ...entries.filter((entry) => Array.isArray(entry)).flat(),
  ...entries.filter((entry) => !Array.isArray(entry)),
] as never

export type Part = Listed['part']
type EffectOf<P extends Part> = Extract<Listed, { readonly part: P }>

/** The parts of `then`, each with its sentence for editors and published types. */
const parts: Readonly<Record<Part, string>> = {
  answer: 'an error of the family by its name, or whatever a proxy in between might say',
  transport: 'how the answer goes over its connection',
  task: 'another timeline of the new task',
  asset: 'another timeline of the new asset',
  result: 'the file of a result, and what is said of it',
  callback: 'a message to a receiver',
  account: 'changed before the call is decided',
  clock: 'moved before the call is decided',
}

type PartShape<P extends Part> = { readonly [E in EffectOf<P> as E['key']]: z.ZodOptional<E['schema']> }
type PartSchema<P extends Part> = z.ZodObject<PartShape<P>, z.core.$strict>

/** Schema of a part of `then`, put together from its effects. */
const partSchema = <P extends Part>(part: P): PartSchema<P> => {
  const shape = effectsOf(part).map(({ key, schema, description }) => [
    key,
    schema.optional().describe(description),
  ])
  return z.strictObject(Object.fromEntries(shape)) as unknown as PartSchema<P>
}

/** An effect whose subject and value are not known one by one. */
type AnyEffect = Effect<Part, string, z.ZodType, unknown, unknown>

/** The effects of a part, in the order in which they apply. */
export const effectsOf = (part: Part): readonly AnyEffect[] =>
  effects.filter((effect) => effect.part === part)

type ThenShape = { readonly [P in Part]: z.ZodOptional<PartSchema<P>> }

/** Zod schema of `then`: what a step does. Parts may stand together where they make sense for the call. */
export const thenSchema = z
  .strictObject(
    Object.fromEntries(
      Object.entries(parts).map(([part, says]) => [
        part,
        partSchema(part as Part)
          .optional()
          .describe(says),
      ]),
    ) as unknown as ThenShape,
  )
  .refine((then) => Object.keys(then).length > 0, { error: 'an object with at least one thing to do' })

export type StepEffects = z.output<typeof thenSchema>

type Apply<P extends Part> = NonNullable<EffectOf<P>['apply']>
type SubjectOf<P extends Part> = Parameters<Apply<P>>[0]
type ContextOf<P extends Part> = Parameters<Apply<P>>[2]

/** Applies the effects of one part: a value from a value, for each key that the step has. */
export const applyEffectsOf = <P extends Part>(
  part: P,
  then: StepEffects | undefined,
  subject: SubjectOf<P>,
  context: ContextOf<P>,
): SubjectOf<P> => {
  const values = then?.[part] as Values | undefined
  if (values === undefined) return subject
  return effectsOf(part).reduce<unknown>((changed, { key, apply }) => {
    const value = values[key]
    return value === undefined || apply === undefined ? changed : apply(changed, value, context)
  }, subject) as SubjectOf<P>
}

/** The values of `then.callback`, kept with a callback until it is sent. */
export type CallbackFault = NonNullable<StepEffects['callback']>

/** Callback body as its step has it sent; a string is sent as it stands. */
export const callbackBody = (message: unknown, fault: CallbackFault = {}): unknown =>
  effectsOf('callback').reduce<unknown>((body, { key, onBody }) => {
    const value = (fault as Values)[key]
    return value === undefined || onBody === undefined ? body : onBody(body, value as never)
  }, message)
