import type { SeededRandom } from '../../account/random.js'
import type { Delay, Then } from '../schema.js'
import { onlyOne } from './effect.js'

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

/** What cannot be together on the way. */
export const transportComplaints = (transport: Then['transport']): string[] => {
  if (transport === undefined) return []
  const { delay } = transport
  return [
    ...(Object.keys(transport).length === 0
      ? ['transport names delay, hang, reset, closeAfterBytes or bytesPerSecond']
      : []),
    ...onlyOne(transport, ['hang', 'delay', 'closeAfterBytes', 'bytesPerSecond'], 'nothing is ever sent'),
    ...onlyOne(transport, ['hang', 'reset'], 'the connection either stays or goes'),
    ...onlyOne(transport, ['reset', 'closeAfterBytes', 'bytesPerSecond'], 'nothing is sent before a reset'),
    ...(typeof delay === 'object' && 'from' in delay && delay.to < delay.from
      ? ['delay.to is less than delay.from']
      : []),
  ]
}

/** What cannot be together in a result file. */
export const resultComplaints = ({ result }: Then): string[] => {
  if (result === undefined) return []
  return [
    ...(Object.keys(result).length === 0
      ? ['result names expired, missing, lengthOffBy, cutAt, corrupt or contentType']
      : []),
    ...['lengthOffBy', 'cutAt', 'corrupt', 'contentType', 'missing'].flatMap((other) =>
      onlyOne(result, ['expired', other], 'an expired result has no bytes'),
    ),
    ...['lengthOffBy', 'cutAt', 'corrupt', 'contentType'].flatMap((other) =>
      onlyOne(result, ['missing', other], 'a missing result has no bytes'),
    ),
    ...onlyOne(result, ['cutAt', 'lengthOffBy'], 'what is cut says its own length'),
  ]
}
