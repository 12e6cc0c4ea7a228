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

/** `seconds`: a whole number written as a string, or as an integer in its place (gap C8, E4). */
export const secondsField = (isAllowed: (seconds: number) => boolean, words: string) =>
  z
    .union([z.string(), z.int()], { error: words })
    .refine((seconds) => /^(-?[1-9]\d*)$/.test(String(seconds)) && isAllowed(Number(seconds)), {
      error: words,
    })
    .transform(Number)
