import { z } from 'zod'
import type { AnyTaskFamily } from '../contract.js'

/** Names that the interfaces of the service have for one thing. */
const synonyms: readonly (readonly string[])[] = [
  ['duration', 'seconds'],
  ['resolution', 'size'],
  ['content', 'media', 'input'],
  ['watermark', 'aigc_watermark'],
  ['image', 'images', 'subject_reference'],
]

/**
 * Hints for fields that a family ignores and that are another interface's name for one that it has: "duration was ignored: C
 * calls it seconds". Only names of interfaces stand in them, so that they may be logged.
 * @param ignored paths of unknown fields
 */
export const foreignNameHints = (family: AnyTaskFamily, ignored: readonly string[]): string[] => {
  const { own, parameters } = namesOf(family)
  return ignored.flatMap((field) => {
    const group = synonyms.find((names) => names.includes(field)) ?? [field]
    const meant =
      group.find((name) => own.includes(name)) ?? nested(group.find((name) => parameters.includes(name)))
    return meant === undefined ? [] : [`${field} was ignored: ${family.section} calls it ${meant}`]
  })
}

const nested = (name: string | undefined): string | undefined => name && `parameters.${name}`

/** The fields of a family's body, and those under its `parameters`. */
const namesOf = ({ schema }: AnyTaskFamily): { own: readonly string[]; parameters: readonly string[] } => {
  const shape = shapeOf(schema)
  return { own: Object.keys(shape), parameters: Object.keys(shapeOf(shape.parameters)) }
}

const shapeOf = (schema: unknown): Readonly<Record<string, unknown>> => {
  if (schema instanceof z.ZodDefault) return shapeOf(schema.unwrap())
  return schema instanceof z.ZodObject ? schema.shape : {}
}
