import { otherwiseWritten } from '../ffmpeg.js'
import { createBitReader } from './bits.js'
import type { ParameterSets } from './parameter-sets.js'
import { contentOf } from './units.js'

/** What a picture parameter set says (ITU-T H.264, 7.3.2.2). */
export const pictureSetOf = (pps: Buffer): Pick<ParameterSets, 'id' | 'hasDeblockingControl'> => {
  const read = createBitReader(contentOf(pps))
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
