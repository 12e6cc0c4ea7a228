import { z } from 'zod'

/** Zod schema of a whole number from 1. One schema for all of them: each that is made adds to the time that importing the package takes. */
export const oneOrMore = z.int().min(1)

/** Setting of a number of things, with its default. */
export const quota = (many: number) => oneOrMore.default(many)

const MIB = 2 ** 20

/** Setting of a number of bytes, with its default in mebibytes. */
export const bytes = (mib: number) => quota(mib * MIB)

/** Setting of a list of texts that are not empty, with its default. */
export const texts = (...usual: string[]) => z.array(z.string().min(1)).default(usual)

/** Setting of a switch that is off by default. */
export const switchedOff = z.boolean().default(false)
