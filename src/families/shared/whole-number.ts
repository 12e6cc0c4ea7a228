import { z } from 'zod'

/**
 * An integer within bounds. A refusal names both, whichever was passed, and also where the value is no integer; `error`
 * is what it says instead where there is more to say.
 */
export const wholeNumber = (least: number, most: number, error = `an integer from ${least} to ${most}`) =>
  z.int({ error }).min(least, { error }).max(most, { error })
