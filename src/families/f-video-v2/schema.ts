import { z } from 'zod'
import { callbackUrl } from '../shared/callback-url.js'
import { contentItemWithRole } from '../shared/content-items.js'
import { ratioOrAdaptive } from '../shared/ratios.js'
import { wholeNumber } from '../shared/whole-number.js'
import { differences, MAX_SECONDS, MIN_SECONDS, models, resolutions } from './models.js'

// The shorter of the two models' ranges is for a rule to keep, but whoever is refused here should not meet it next.
const durationWords = `an integer from ${MIN_SECONDS} to ${MAX_SECONDS}, for gamma-H3-Max from ${differences['gamma-H3-Max'].minSeconds}`

// The same of resolutions: those of one model are refused with the other.
const resolutionWords = `${differences['gamma-H3'].resolutions.join(' or ')}, for gamma-H3-Max ${differences['gamma-H3-Max'].resolutions.join(' or ')}`

/** A create request (§F, gap F7, F11). */
export const schema = z.object({
  model: z.enum(models),
  // May be empty here, since the rule on texts says better what is missing.
  content: z.array(contentItemWithRole),
  resolution: z.enum(resolutions, { error: resolutionWords }).default('768P'),
  /** Seconds; left out: 5, or refused by a rule where the setting strict is on. */
  duration: wholeNumber(MIN_SECONDS, MAX_SECONDS, durationWords).optional(),
  ratio: z.enum(ratioOrAdaptive).default('adaptive'),
  callback_url: callbackUrl,
})
export type VideoInput = z.output<typeof schema>

const USUAL_SECONDS = 5

/** The length asked for, or the default (§F duration, gap F11). */
export const secondsOf = ({ duration }: VideoInput): number => duration ?? USUAL_SECONDS
