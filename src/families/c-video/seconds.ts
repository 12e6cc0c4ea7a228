import { z } from 'zod'

/** `seconds`: a whole number written as a string, or as an integer in its place (gap C8, E4). */
export const secondsField = (isAllowed: (seconds: number) => boolean, words: string) =>
  z
    .union([z.string(), z.int()], { error: words })
    .refine((seconds) => /^(-?[1-9]\d*)$/.test(String(seconds)) && isAllowed(Number(seconds)), {
      error: words,
    })
    .transform(Number)
