import type { SeededRandom } from '../account/draw.js'
import type { Delay } from './then.js'

/** Milliseconds of a delay: fixed, even over a range, or log-normal about its median. */
export const delayMs = (delay: Delay, draw: SeededRandom): number => {
  if (typeof delay === 'number') return delay
  if ('from' in delay) return delay.from + draw.fraction('delay') * (delay.to - delay.from)
  return delay.median * Math.exp(delay.spread * normal(draw))
}

// Box and Muller's way from two even draws to one normal draw.
const normal = (draw: SeededRandom): number =>
  Math.sqrt(-2 * Math.log(1 - draw.fraction('delay-radius'))) *
  Math.cos(2 * Math.PI * draw.fraction('delay-angle'))
