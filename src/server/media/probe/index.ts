import type { Probe } from '../../../core/media/facts.js'
import { unreadable } from '../../../core/media/read/damage.js'
import { foreignName } from '../../../core/media/read/foreign.js'
import { readMovie } from '../../../core/media/read/movie.js'
import { readMp3 } from '../../../core/media/read/mp3.js'
import { sniff } from '../../../core/media/read/sniff.js'
import { readWav } from '../../../core/media/read/wav.js'
import { readStandIn } from '../../../core/media/stand-in.js'
import { probePicture } from './picture.js'

export { sniff } from '../../../core/media/read/sniff.js'

export interface ProbeLimits {
  /** Pictures of more pixels are `too-large-to-read`. Left out: 268 million, which is a square of 16,383. */
  readonly maxPixels?: number
}

const MOST_PIXELS = 16_383 ** 2

/**
 * The facts of some bytes that a user sent, whatever they are called (§A content rule 4, §F media limits, gap A8, D7).
 * Never rejects over what is in the bytes: those that cannot be read come back as `unreadable`, with a sentence for the user.
 */
export const probe = async (bytes: Uint8Array, limits: ProbeLimits = {}): Promise<Probe> => {
  const format = sniff(bytes)
  switch (format) {
    case undefined:
      return readStandIn(bytes)?.probe ?? unknown(bytes)
    case 'mp4':
    case 'mov':
      return readMovie(bytes, format)
    case 'wav':
      return readWav(bytes)
    case 'mp3':
      return readMp3(bytes)
    default:
      return probePicture(bytes, format, limits.maxPixels ?? MOST_PIXELS)
  }
}

const unknown = (bytes: Uint8Array): Probe =>
  unreadable('unknown', `the file is ${foreignName(bytes)}, which is not a format that is read here`)
