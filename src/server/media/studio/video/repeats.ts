import { ffmpegFailed } from '../ffmpeg-failed.js'
import { bits, bytesOf, createBitReader, golomb } from './bits.js'

/**
 * Writes pictures that repeat the one before them (ITU-T H.264, 7.3): a slice in which every block is skipped, in some
 * ten bytes. `number` is that of the picture since the last key picture. Where another one of the encoder's comes after
 * it, it must not be referred to, since that one has been numbered without it.
 */
export type WriteRepeat = (number: number, isReferredTo: boolean) => Buffer

/**
 * For pictures of one encoder.
 *
 * @throws EmulatorError where it used what it was told not to use
 */
export const repeatsFor = (sps: Buffer, pps: Buffer): WriteRepeat => {
  const { bitsOfNumber, blocks } = sequenceOf(sps)
  const { id, hasDeblockingControl } = pictureSetOf(pps)
  return (number, isReferredTo) => {
    const slice = [
      ...[golomb(0), golomb(ONLY_P), golomb(id), bits(bitsOfNumber, number % 2 ** bitsOfNumber)],
      // One picture to refer to, taken as it comes, and no different marks on it.
      ...['1', golomb(0), '0', isReferredTo ? '0' : ''],
      ...[SAME_QUANTISER, hasDeblockingControl ? golomb(NO_DEBLOCKING) : '', golomb(blocks)],
    ]
    // There are never so many zeros in a row that they would have to be told from the start of a unit.
    return Buffer.from([isReferredTo ? REFERRED_TO : NOT_REFERRED_TO, ...bytesOf(slice.join(''))])
  }
}

const ONLY_P = 5
const SAME_QUANTISER = golomb(0)
const NO_DEBLOCKING = 1
const REFERRED_TO = 0x61
const NOT_REFERRED_TO = 0x01

// Those whose sequences say nothing about colour planes and scaling. Without the finer tools, x264 writes the first.
const SIMPLE_PROFILES = [66, 77, 88]
/** Pictures come out in the order in which they are decoded, and nothing has to be written about it. */
const IN_ORDER = 2

const sequenceOf = (sps: Buffer): { bitsOfNumber: number; blocks: number } => {
  const read = createBitReader(unescaped(sps.subarray(1)))
  const profile = read.bits(8)
  // The constraints and the level.
  read.bits(16)
  read.golomb()
  const bitsOfNumber = read.golomb() + 4
  const order = read.golomb()
  // How many pictures are referred to, and whether numbers may be left out.
  read.golomb()
  read.bits(1)
  const blocks = (read.golomb() + 1) * (read.golomb() + 1)
  const isWhole = read.bits(1) === 1
  if (!SIMPLE_PROFILES.includes(profile) || order !== IN_ORDER || !isWhole) throw otherwiseWritten()
  return { bitsOfNumber, blocks }
}

const pictureSetOf = (pps: Buffer): { id: number; hasDeblockingControl: boolean } => {
  const read = createBitReader(unescaped(pps.subarray(1)))
  const id = read.golomb()
  read.golomb()
  const isArithmetic = read.bits(1)
  read.bits(1)
  const furtherGroups = read.golomb()
  // How many pictures are referred to where a slice does not say.
  read.golomb()
  read.golomb()
  const isWeighted = read.bits(1)
  // Weights of pictures from both sides, two quantisers and that of colour.
  read.bits(2)
  for (let count = 0; count < 3; count++) read.golomb()
  const hasDeblockingControl = read.bits(1) === 1
  read.bits(1)
  const isRedundant = read.bits(1)
  if (isArithmetic || furtherGroups > 0 || isWeighted || isRedundant) throw otherwiseWritten()
  return { id, hasDeblockingControl }
}

const otherwiseWritten = () => ffmpegFailed('ffmpeg wrote H.264 with tools that it was asked not to use.')

/** Within a unit, two zero bytes are never followed by one of less than four: there is a 3 between them. */
const unescaped = (bytes: Buffer): Buffer =>
  Buffer.from([...bytes].filter((byte, at) => byte !== 3 || bytes[at - 1] !== 0 || bytes[at - 2] !== 0))
