import { z } from 'zod'
import type { FileSpec } from '../../media/spec.js'
import * as list from '../effect-list.js'
import type { Broken, Effect, FileContext, Part, Parts, Values } from './effect.js'

type Listed = (typeof list)[keyof typeof list]

// biome-ignore lint/suspicious/noExplicitAny: each part has its own subject and context
interface AnyEffect extends Effect<z.ZodType, any, any> {
  readonly part: Part
  readonly key: string
}

// The effects of a part are exported as `PARTEffects`; an export of any other name is an effect in a file of its own.
const hasOwnFile = ([name, { part }]: [string, Listed]): boolean => name !== `${part}Effects`

/** All effects. Of one part, those in the file of the part apply first and in their order, then those in files of their own. */
export const effects: readonly AnyEffect[] = Object.entries(list)
  .sort((one, other) => Number(hasOwnFile(one)) - Number(hasOwnFile(other)))
  .flatMap(([, { part, effects }]) =>
    Object.entries(effects).map(([key, effect]) => ({ part, key, ...effect })),
  )

/** The effects of a part, in the order in which they apply. */
export const effectsOf = (part: Part): readonly AnyEffect[] =>
  effects.filter((effect) => effect.part === part)

/** Whether one of some effects (`result.cutAt`), which acted on something, breaks it. */
export const breaks = (acted: readonly string[], what: Broken): boolean =>
  effects.some((effect) => effect.breaks === what && acted.includes(`${effect.part}.${effect.key}`))

type Intersection<Union> = (Union extends Union ? (of: Union) => void : never) extends (of: infer I) => void
  ? I
  : never
type EffectsOf<P extends Part> = Intersection<Extract<Listed, { readonly part: P }>['effects']>
type ShapeOf<Effects> = {
  readonly [Key in keyof Effects]: Effects[Key] extends { readonly schema: infer S extends z.ZodType }
    ? z.ZodOptional<S>
    : never
}

/** Schema of a part of `then`, put together from its effects: `Object.assign` leaves it to the type which keys it makes. */
const schemaOf = <P extends Part>(part: P, description: string) => {
  const shape: ShapeOf<EffectsOf<P>> = Object.assign(
    {},
    ...effectsOf(part).map(({ key, schema, description }) => ({
      [key]: schema.optional().describe(description),
    })),
  )
  return z.strictObject(shape).optional().describe(description)
}

/** Zod schema of `then`: what a step does. Parts may stand together where they make sense for the call. */
export const thenSchema = z
  .strictObject({
    answer: schemaOf(
      'answer',
      'an error of the family by its name, or whatever a proxy in between might say',
    ),
    transport: schemaOf('transport', 'how the answer goes over its connection'),
    task: schemaOf('task', 'another timeline of the new task'),
    asset: schemaOf('asset', 'another timeline of the new asset'),
    result: schemaOf('result', 'the file of a result, and what is said of it'),
    callback: schemaOf('callback', 'a message to a receiver'),
    account: schemaOf('account', 'changed before the call is decided'),
    clock: schemaOf('clock', 'moved before the call is decided'),
  })
  .refine((then) => Object.keys(then).length > 0, { error: 'an object with at least one thing to do' })

export type StepEffects = z.output<typeof thenSchema>

/** Applies the effects of one part: a value from a value, for each key that the step has. */
export const applyEffectsOf = <P extends Part>(
  part: P,
  then: StepEffects | undefined,
  subject: Parts[P]['subject'],
  context: Parts[P]['context'],
): Parts[P]['subject'] => {
  const values: Values = then?.[part] ?? {}
  let changed = subject
  for (const { key, apply } of effectsOf(part))
    if (values[key] !== undefined && apply !== undefined) changed = apply(changed, values[key], context)
  return changed
}

/** The effects without those that change fields of an answer: what the journal keeps. Themselves where there are none. */
export const withoutFieldEffects = (then: StepEffects): StepEffects => {
  const { answer = {}, ...others } = then
  const changing = effects.filter(({ part, changesFields }) => part === 'answer' && changesFields)
  const kept = Object.entries(answer).filter(([name]) => !changing.some(({ key }) => key === name))
  if (kept.length === Object.keys(answer).length) return then
  return kept.length === 0 ? others : { ...others, answer: Object.fromEntries(kept) }
}

/** Whether a file is sent whole under the effects of a step, since it is another one, or shorter. */
export const sendsFileWhole = ({ result, answer = {} }: StepEffects): boolean => {
  const values: Values = answer
  const acts = ({ key, sendsFileWhole }: AnyEffect) => sendsFileWhole === true && values[key] !== undefined
  return result !== undefined || effectsOf('answer').some(acts)
}

/** The file of a result as effects have it, and those of them that find nothing to act on, by their keys. */
export const fileUnder = (
  file: FileSpec,
  { result = {} }: StepEffects,
  context: FileContext,
): { readonly file: FileSpec; readonly idle: readonly string[] } => {
  const values: Values = result
  let changed = file
  const idle: string[] = []
  for (const { key, fits = kindOf(file), onFile } of effectsOf('result')) {
    if (values[key] === undefined) continue
    const next = onFile === undefined ? changed : onFile(changed, values[key], context)
    if (fits !== kindOf(file) || (onFile !== undefined && next === changed)) idle.push(key)
    changed = next
  }
  return { file: changed, idle }
}

// The last frame of a video is a picture.
const kindOf = ({ kind }: FileSpec): 'picture' | 'video' => (kind === 'video' ? 'video' : 'picture')

/** The values of `then.callback`, kept with a callback until it is sent. */
export type CallbackFault = NonNullable<StepEffects['callback']>

/** Callback body as its step has it sent; a string is sent as it stands. */
export const callbackBody = (message: unknown, fault: CallbackFault = {}): unknown => {
  const values: Values = fault
  let body = message
  for (const { key, onBody } of effectsOf('callback'))
    if (values[key] !== undefined && onBody !== undefined) body = onBody(body, values[key])
  return body
}
