import type { Probe } from '../input.js'
import { DamagedFile, Span, unlessDamaged } from './span.js'

/**
 * Facts of an MP3. The frames are counted rather than believed: a header may lie, and files without one are common.
 * The silence that the encoder says it has added does not count, so that fifteen seconds of sound are fifteen seconds.
 */
export const readMp3 = (bytes: Uint8Array): Probe =>
  unlessDamaged(() => {
    const file = new Span(bytes, 'MP3')
    const { first, frames, tag } = countFrames(file)
    if (first === undefined) throw new DamagedFile('the file begins like an MP3 but has no MP3 sound')
    // One frame less than announced is a way of counting; more are missing.
    if ((tag?.frames ?? 0) > frames + 1)
      throw new DamagedFile(`the MP3 ends after ${frames} of ${tag?.frames} frames`)
    const samples = Math.max(0, frames * first.samples - (tag?.silentSamples ?? 0))
    const seconds = samples / first.samplesPerSecond
    return { kind: 'audio', format: 'mp3', bytes: bytes.byteLength, seconds }
  })

interface Count {
  first?: Mp3Frame
  frames: number
  /** Undefined where the first frame holds sound. */
  tag?: EncoderTag
}

// Rubbish between frames is common; a file that is mostly that is no MP3. Tags, which say how long they are, do not
// count: a cover picture of some megabytes is no rubbish.
const MAX_OTHER_BYTES = 2 ** 20

const countFrames = (file: Span): Count => {
  const count: Count = { frames: 0 }
  const filledFrom = endWithoutZeros(file)
  let otherBytes = 0
  let isInSync = false
  for (let at = 0; at + 4 <= file.length; ) {
    const frame = frameOfStream(file, at, isInSync, count.first)
    const tagBytes = frame === undefined ? tagBytesAt(file, at) : 0
    isInSync = frame !== undefined
    if (!frame && at >= filledFrom) break
    if (frame) countFrame(count, file, at, frame)
    else if (tagBytes === 0) otherBytes++
    if (otherBytes > MAX_OTHER_BYTES)
      throw new DamagedFile(`the MP3 has more than ${MAX_OTHER_BYTES} bytes that are no sound`)
    at += frame?.bytes ?? (tagBytes || 1)
  }
  return count
}

// Zeros at the end are padding, and neither sound nor rubbish.
const endWithoutZeros = ({ bytes }: Span): number => {
  let end = bytes.length
  while (bytes[end - 1] === 0) end--
  return end
}

// Out of step, a frame must be followed by another one (or the end): four bytes that look like a header are not rare.
const frameOfStream = (file: Span, at: number, isInSync: boolean, first?: Mp3Frame): Mp3Frame | undefined => {
  const frame = frameAt(file, at)
  if (!frame || at + frame.bytes > file.length) return undefined
  if (first && frame.stream !== first.stream) return undefined
  const isFollowed = () => frameAt(file, at + frame.bytes)?.stream === frame.stream
  const isLast = first !== undefined && at + frame.bytes === file.length
  return isInSync || isLast || isFollowed() ? frame : undefined
}

const countFrame = (count: Count, file: Span, at: number, frame: Mp3Frame): void => {
  const isFirst = count.first === undefined
  count.first ??= frame
  const tag = isFirst ? encoderTagOf(file, at, frame) : undefined
  if (tag) count.tag = tag
  else count.frames++
}

/** One frame of MPEG-1, 2 or 2.5 sound, layer III, as its header of four bytes tells it. */
interface Mp3Frame {
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
const frameAt = (file: Span, at: number): Mp3Frame | undefined => {
  if (at + 4 > file.length) return undefined
  const header = file.u32be(at)
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
  const file = new Span(bytes, 'MP3')
  const first = frameAt(file, 0)
  return first !== undefined && frameAt(file, first.bytes)?.stream === first.stream
}

/**
 * Where an MP3 begins behind zeros or other bytes, as recorders and downloads leave in front: where three frames of one stream
 * follow each other. Undefined where there is none near the beginning.
 */
export const beginOfMp3 = (bytes: Uint8Array): number | undefined => {
  const file = new Span(bytes, 'MP3')
  let begin = 0
  while (begin < MAX_OTHER_BYTES && bytes[begin] === 0) begin++
  for (let at = begin; at < begin + MAX_BYTES_IN_FRONT && at + 4 <= file.length; at++) {
    const first = bytes[at] === 0xff ? frameAt(file, at) : undefined
    const second = first && frameAt(file, at + first.bytes)
    if (second?.stream !== first?.stream || first === undefined || second === undefined) continue
    if (frameAt(file, at + first.bytes + second.bytes)?.stream === first.stream) return at
  }
  return undefined
}

const MAX_BYTES_IN_FRONT = 64 * 1024

const MONO = 3
const SAMPLE_RATES = [44100, 48000, 32000]

// A bit rate of 0 means free format; encoders do not write such files.
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

/** What the encoder wrote into the first frame instead of sound. */
interface EncoderTag {
  /** How many frames of sound there should be. Default: the tag does not say. */
  readonly frames?: number
  /** Samples of silence that the encoder added at both ends together. */
  readonly silentSamples: number
}

/** The tag in the first frame of an MP3 (Xing, Info or VBRI), or `undefined` where the frame holds sound. */
const encoderTagOf = (file: Span, at: number, frame: Mp3Frame): EncoderTag | undefined => {
  const content = file.slice(at, Math.min(at + frame.bytes, file.length))
  if (hasLetters(content, VBRI_AT, ['VBRI']) && content.length >= VBRI_AT + 18) {
    return { frames: content.u32be(VBRI_AT + 14), silentSamples: 0 }
  }
  if (!hasLetters(content, frame.tagAt, ['Xing', 'Info'])) return undefined
  return xingTag(content.slice(frame.tagAt))
}

const VBRI_AT = 36

// Four bits say which of the fields that follow are there: frames, bytes, table of contents, quality.
const FIELD_BYTES = [4, 4, 100, 4]

const xingTag = (tag: Span): EncoderTag => {
  if (tag.length < 12) return { silentSamples: 0 }
  const fields = tag.u8(7)
  const end = FIELD_BYTES.reduce((at, bytes, bit) => (fields & (1 << bit) ? at + bytes : at), 8)
  const silentSamples = silentSamplesAt(tag, end)
  return fields & 1 ? { frames: tag.u32be(8), silentSamples } : { silentSamples }
}

// LAME and the libraries that imitate it write twelve bits for the silence before and twelve for that behind.
const silentSamplesAt = (tag: Span, at: number): number => {
  if (!hasLetters(tag, at, ['LAME', 'Lavf', 'Lavc']) || tag.length < at + 24) return 0
  const both = tag.u24be(at + 21)
  return (both >>> 12) + (both & 0xfff)
}

const hasLetters = (span: Span, at: number, letters: readonly string[]): boolean =>
  span.length >= at + 4 && letters.includes(span.fourCC(at))

/** The bytes of a tag that begins at a place, as the tag says; 0 where none does, or none that fits its file. Never raises. */
const tagBytesAt = (file: Span, at: number): number => {
  const left = file.length - at
  // The first letter rules out nearly every place, and this is asked at many.
  const letter = file.u8(at)
  if (letter !== LETTER_I && letter !== LETTER_A) return 0
  const bytes = letter === LETTER_I ? id3Bytes(file, at, left) : apeBytes(file, at, left)
  return bytes <= left ? bytes : 0
}

const LETTER_I = 0x49
const LETTER_A = 0x41

// ID3v2, which stands in front or, seldom, behind. Its size is written with seven bits a byte.
const id3Bytes = (file: Span, at: number, left: number): number => {
  if (left < 10 || !file.fourCC(at).startsWith('ID3')) return 0
  const sizeBytes = [6, 7, 8, 9].map((place) => file.u8(at + place))
  // Sound that happens to hold the three letters has other bytes here.
  if (file.u8(at + 3) === 0xff || sizeBytes.some((byte) => byte > 127)) return 0
  const hasFooter = (file.u8(at + 5) & 0x10) !== 0
  return 10 + sizeBytes.reduce((sum, byte) => sum * 128 + byte, 0) + (hasFooter ? 10 : 0)
}

// APE tags stand behind, with a header of 32 bytes; their size counts everything but that.
const apeBytes = (file: Span, at: number, left: number): number => {
  if (left < 32 || file.fourCC(at) !== 'APET' || file.fourCC(at + 4) !== 'AGEX') return 0
  return 32 + file.u32le(at + 12)
}
