import { z } from 'zod'

/** An integer within bounds. A refusal names both, whichever was passed, and also where the value is no integer. */
export const wholeNumber = (least: number, most: number) => {
  const error = `an integer from ${least} to ${most}`
  return z.int({ error }).min(least, { error }).max(most, { error })
}
