import { z } from 'zod'
import { isRecord } from '../../request/ignored-fields.js'
import { valueAt } from '../../request/path.js'
import type { Step } from '../scenario.js'
import { type Then, thenSchema } from '../then.js'
import { type When, whenSchema } from '../when.js'
import { type Path, suggest } from './complaint.js'

/** A step as far as its parts have their shape: those that have not are left out. */
export interface StepParts {
  readonly when: When
  readonly then: Then
  /** Whether nothing is left out that says which calls the step is about. */
  readonly isAboutKnown: boolean
  /** The errors that it names, each with its path in the step. */
  readonly errors: readonly { readonly path: Path; readonly name: string }[]
}

export const partsOfStep = ({ when, then }: Step): StepParts => ({
  when,
  then,
  isAboutKnown: true,
  errors: errorsIn({ then }),
})

/** What can be understood of something that should be a step and is none. */
export const partsIn = (step: unknown): StepParts => {
  const { when = {}, then = {} } = isRecord(step) ? step : {}
  const { part, lost } = goodPart(whenSchema, when)
  return {
    when: part,
    // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
    then: goodPart(looseThen, then).part,
    isAboutKnown: isRecord(step) && isRecord(when) && !lost.some(saysWhatItIsAbout),
    errors: errorsIn(step),
  }
}

// Without the rule that something is done.
const looseThen = z.strictObject(thenSchema.shape)

/** What is left of a value without the keys that a schema has something against, and those keys. */
const goodPart = <T extends z.ZodType>(schema: T, value: unknown): { part: z.output<T>; lost: string[] } => {
  const record = isRecord(value) ? value : {}
  const lost = (schema.safeParse(record).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0
      ? issue.keys
      : issue.path.slice(0, 1).map(String),
  )
  const rest = Object.entries(record).filter(([key]) => !lost.includes(key))
  return { part: schema.parse(Object.fromEntries(rest)), lost }
}

const whenKeys = Object.keys(whenSchema.shape)
const selectors = ['operation', 'family', 'model', 'callback']

// A misspelt key stands for the one that was meant, and might be any where none is near.
const saysWhatItIsAbout = (key: string): boolean => {
  const meant = suggest(key, whenKeys)
  return meant === undefined || selectors.includes(meant)
}

const errorPaths = [
  ['then', 'answer', 'error'],
  ['then', 'task', 'fails', 'error'],
] as const

const errorsIn = (step: unknown): StepParts['errors'] =>
  errorPaths.flatMap((path) => {
    const name = valueAt(step, path)
    return typeof name === 'string' && name !== '' ? [{ path, name }] : []
  })
