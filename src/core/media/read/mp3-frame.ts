import { lengthOf, type Span, spanOf, u32be } from './span.js'

/** One frame of MPEG-1, 2 or 2.5 sound, layer III, as its header of four bytes tells it. */
export interface Mp3Frame {
  /** Its length, header included. */
  readonly bytes: number
  readonly samples: number
  readonly samplesPerSecond: number
  /** Where a tag of the encoder begins in the first frame, if there is one: behind the side information. */
  readonly tagAt: number
  /** What stays the same in all frames of a file: version, layer and sample rate. */
  readonly stream: number
}

/** The frame that begins at a place, or `undefined` where none does. Never raises. */
export const frameAt = (file: Span, at: number): Mp3Frame | undefined => {
  if (at + 4 > lengthOf(file)) return undefined
  const header = u32be(file, at)
  const version = versions[(header >>> 19) & 3]
  const kilobits = version?.kilobits[(header >>> 12) & 15]
  const rate = SAMPLE_RATES[(header >>> 10) & 3]
  // Eleven ones, then the version, then the layer, of which III is written as 1.
  if ((header & 0xffe60000) >>> 0 !== 0xffe20000 || !version || !kilobits || !rate) return undefined
  const samplesPerSecond = rate / version.rateDivisor
  const padding = (header >>> 9) & 1
  return {
    bytes: Math.floor((version.samples * kilobits * 125) / samplesPerSecond) + padding,
    samples: version.samples,
    samplesPerSecond,
    tagAt: 4 + (((header >>> 6) & 3) === MONO ? version.monoSideBytes : version.stereoSideBytes),
    stream: (header & 0xfffe0c00) >>> 0,
  }
}

/** Whether some bytes begin with two frames of one stream. A single header is too easily found in anything. */
export const isMp3 = (bytes: Uint8Array): boolean => {
  const file = spanOf(bytes, 'MP3')
  const first = frameAt(file, 0)
  return first !== undefined && frameAt(file, first.bytes)?.stream === first.stream
}

const MONO = 3
const SAMPLE_RATES = [44100, 48000, 32000]

// A bit rate of 0 stands for one that the frames do not tell; nobody writes such files.
const MPEG_1_KILOBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG_2_KILOBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

const mpeg1 = {
  samples: 1152,
  kilobits: MPEG_1_KILOBITS,
  rateDivisor: 1,
  stereoSideBytes: 32,
  monoSideBytes: 17,
}
const mpeg2 = {
  samples: 576,
  kilobits: MPEG_2_KILOBITS,
  rateDivisor: 2,
  stereoSideBytes: 17,
  monoSideBytes: 9,
}

// By the two bits of the header: 2.5, reserved, 2, 1.
const versions = [{ ...mpeg2, rateDivisor: 4 }, undefined, mpeg2, mpeg1]
