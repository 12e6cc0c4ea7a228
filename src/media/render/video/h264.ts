import { ffmpegFailed } from '../ffmpeg.js'
import { type ParameterSets, parameterSetsOf } from './parameter-sets.js'
import { typeOf, unitsOf } from './units.js'

/** What an encoder wrote, taken apart. */
export interface H264 {
  readonly sps: Buffer
  readonly pps: Buffer
  readonly sets: ParameterSets
  /** Units of all slices, in their order. */
  readonly slices: readonly Buffer[]
}

const SLICE = 1
const KEY_SLICE = 5
const SPS = 7
const PPS = 8

/** Takes a byte stream of H.264 (Annex B) apart. It must be of one encoder, so that one pair of parameter sets holds for all of it. */
export const readH264 = (stream: Buffer): H264 => {
  const units = unitsOf(stream)
  const ofType = (type: number) => units.find((unit) => typeOf(unit) === type)
  const [sps, pps] = [ofType(SPS), ofType(PPS)]
  if (!sps || !pps) throw ffmpegFailed('ffmpeg wrote a video without its parameter sets.')
  const slices = units.filter((unit) => [SLICE, KEY_SLICE].includes(typeOf(unit)))
  return { sps, pps, sets: parameterSetsOf(sps, pps), slices }
}

/** A unit as MP4 wants it: after its length in four bytes. */
export const withLength = (unit: Buffer): Buffer[] => {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(unit.length)
  return [length, unit]
}
