import { z } from 'zod'

/** Whether a text is an HTTP or HTTPS URL as it stands: readers of URLs would take blanks around it, and add a host that is not there. */
export const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/\\](.*\S)?$/is.test(text) && URL.canParse(text)

/**
 * An integer within bounds. A refusal names both, whichever was passed, and also where the value is no integer; `error`
 * is what it says instead where there is more to say.
 */
export const wholeNumber = (least: number, most: number, error = `an integer from ${least} to ${most}`) =>
  z.int({ error }).min(least, { error }).max(most, { error })

const error = 'an HTTP or HTTPS URL'

/** Where callbacks go: a URL of the form that media URLs have to have (gap B17, F7). */
export const callbackUrl = z.string({ error }).refine(isHttpUrl, { error }).meta({ format: 'uri' }).optional()

/** Limits of a number of seconds, or of -1 for the service to choose, as JSON Schema says them. */
export const secondsOrAuto = (least: number, most: number) => ({
  ...{ minimum: -1, maximum: most },
  not: { minimum: 0, maximum: least - 1 },
})

/** `seconds`: a whole number written as a string, or as an integer in its place (gap C8, E4). `limits`: as JSON Schema says them. */
export const secondsField = (
  allowed: readonly number[],
  limits: Readonly<Record<string, unknown>>,
  words: string,
) => {
  const pattern = `^(${allowed.join('|')})$`
  return z
    .union([z.string().meta({ pattern }), z.int().meta(limits)], { error: words })
    .refine((seconds) => allowed.map(String).includes(String(seconds)), { error: words })
    .transform(Number)
}

/** Every whole number from one to another. */
export const wholeNumbers = (least: number, most: number): readonly number[] =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index)
