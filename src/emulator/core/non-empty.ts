import type { z } from 'zod'

/**
 * Schema of objects that say something: one without any key is refused.
 * @param allowed what they can have, in words that follow "must be"
 */
export const nonEmpty = <T extends z.ZodType<object>>(schema: T, allowed: string) =>
  schema
    .refine((value) => Object.values(value).some((part) => part !== undefined), { error: allowed })
    .meta({ minProperties: 1 })

/** The same of an object with fixed keys, which the message names. */
export const nonEmptyRow = <T extends z.ZodObject>(schema: T) =>
  nonEmpty(schema, `an object with at least one of ${Object.keys(schema.shape).join(', ')}`)
