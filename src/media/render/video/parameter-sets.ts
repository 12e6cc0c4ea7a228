import { pictureSetOf } from './pps.js'
import { bitsOfNumberOf } from './sps.js'

/** What the pictures of an encoder have in common, as far as slices are written by it. */
export interface ParameterSets {
  /** As many bits has the number of a picture. */
  readonly bitsOfNumber: number
  /** The set of parameters that slices name. */
  readonly id: number
  readonly hasDeblockingControl: boolean
}

/** @throws EmulatorError where the encoder used what it was told not to use */
export const parameterSetsOf = (sps: Buffer, pps: Buffer): ParameterSets => ({
  bitsOfNumber: bitsOfNumberOf(sps),
  ...pictureSetOf(pps),
})
