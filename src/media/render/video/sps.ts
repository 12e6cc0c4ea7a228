import type { VideoSpec } from '../../../core/media/spec.js'
import { otherwiseWritten } from '../ffmpeg.js'
import { bits, createBitReader, followedBy, golomb } from './bits.js'
import { BLOCK, blocksOver } from './blocks.js'
import { levelFor } from './levels.js'
import { contentOf, unitOf } from './units.js'

// Those whose sequences say nothing about colour planes and scaling. Without the finer tools, x264 writes the first.
const SIMPLE_PROFILES = [66, 77, 88]
/** Pictures come out in the order in which they are decoded, and nothing has to be written about it. */
const IN_ORDER = 2

/** How many bits the number of a picture has (ITU-T H.264, 7.3.2.1). */
export const bitsOfNumberOf = (sps: Buffer): number => {
  const read = createBitReader(contentOf(sps))
  const profile = read.bits(8)
  // The constraints and the level.
  read.bits(16)
  read.golomb()
  const bitsOfNumber = read.golomb() + 4
  const order = read.golomb()
  const references = read.golomb()
  if (!SIMPLE_PROFILES.includes(profile) || order !== IN_ORDER || references === 0) throw otherwiseWritten()
  return bitsOfNumber
}

/**
 * The sequence parameters of an encoder as those of pictures of another size.
 *
 * @throws EmulatorError where the encoder used what it was told not to use
 */
export const spsFor = (
  { width, height, framesPerSecond }: Pick<VideoSpec, 'width' | 'height' | 'framesPerSecond'>,
  sps: Buffer,
): Buffer => {
  const content = contentOf(sps)
  const read = createBitReader(content)
  const profile = bits(16, read.bits(16))
  read.bits(8)
  const copied = [read.golomb(), read.golomb(), read.golomb(), read.golomb()].map(golomb).join('')
  const mayLeaveOut = bits(1, read.bits(1))
  // The size that it saw.
  read.golomb()
  read.golomb()
  const isWhole = read.bits(1) === 1
  const flags = `1${read.bits(1)}`
  if (read.bits(1) === 1) for (let edge = 0; edge < 4; edge++) read.golomb()
  if (!isWhole) throw otherwiseWritten()
  const [columns, rows] = [blocksOver(width), blocksOver(height)]
  const written = [
    ...[profile, bits(8, levelFor(columns * rows, framesPerSecond)), copied, mayLeaveOut],
    ...[
      golomb(columns - 1),
      golomb(rows - 1),
      flags,
      cropping(columns * BLOCK - width, rows * BLOCK - height),
    ],
  ]
  return unitOf(sps[0] ?? 0, followedBy(written.join(''), content, read.at()))
}

/** What is not seen at the right and at the lower edge, in pixels of colour, which are two wide and two high. */
const cropping = (right: number, bottom: number): string =>
  right + bottom === 0 ? '0' : ['1', golomb(0), golomb(right / 2), golomb(0), golomb(bottom / 2)].join('')
