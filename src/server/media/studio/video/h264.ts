import { ffmpegFailed } from '../ffmpeg-failed.js'
import { u32 } from './boxes.js'

/** What an encoder wrote, taken apart. */
export interface H264 {
  readonly sps: Buffer
  readonly pps: Buffer
  /** One per frame, as MP4 wants it: each unit after its length in four bytes, nothing but slices. */
  readonly pictures: readonly Buffer[]
  /** For each picture, whether it can be decoded without others. */
  readonly isKey: readonly boolean[]
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
  const pictures: Buffer[][] = []
  for (const unit of units.filter((each) => [SLICE, KEY_SLICE].includes(typeOf(each)))) {
    if (isFirstOfPicture(unit)) pictures.push([unit])
    else pictures.at(-1)?.push(unit)
  }
  return {
    ...{ sps, pps },
    pictures: pictures.map((slices) => Buffer.concat(slices.map(withLength))),
    isKey: pictures.map(([slice]) => slice !== undefined && typeOf(slice) === KEY_SLICE),
  }
}

const typeOf = (unit: Buffer): number => (unit[0] ?? 0) & 0x1f

// A slice begins with the number of its first block, and 0 is written as a single 1 bit.
const isFirstOfPicture = (slice: Buffer): boolean => (slice[1] ?? 0) >= 0x80

/** A unit as MP4 wants it: after its length in four bytes. */
export const withLength = (unit: Buffer): Buffer => Buffer.concat([u32(unit.length), unit])

const START = Buffer.from([0, 0, 1])

const unitsOf = (stream: Buffer): Buffer[] => {
  const units: Buffer[] = []
  let at = stream.indexOf(START)
  while (at !== -1) {
    const next = stream.indexOf(START, at + START.length)
    const end = next === -1 ? stream.length : next
    // A start code may have a fourth zero before it, and a unit never ends in one.
    units.push(stream.subarray(at + START.length, stream[end - 1] === 0 ? end - 1 : end))
    at = next
  }
  return units
}
