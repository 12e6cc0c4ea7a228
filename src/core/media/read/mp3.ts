import type { Probe } from '../facts.js'
import { Damage, factsOrDamage } from './damage.js'
import { frameAt, type Mp3Frame } from './mp3-frame.js'
import { type EncoderTag, encoderTagOf } from './mp3-tag.js'
import { lengthOf, type Span, spanOf } from './span.js'
import { tagBytesAt } from './tags.js'

/**
 * Facts of an MP3. The frames are counted rather than believed: a header may lie, and files without one are common.
 * The silence that the encoder says it has added does not count, so that fifteen seconds of sound are fifteen seconds.
 */
export const readMp3 = (bytes: Uint8Array): Probe =>
  factsOrDamage(() => {
    const file = spanOf(bytes, 'MP3')
    const { first, frames, tag } = countFrames(file)
    if (first === undefined) throw new Damage('the file begins like an MP3 but has no MP3 sound')
    // One frame less than announced is a way of counting; more are missing.
    if ((tag?.frames ?? 0) > frames + 1) {
      throw new Damage(`the MP3 ends after ${frames} of ${tag?.frames} frames`)
    }
    const samples = Math.max(0, frames * first.samples - (tag?.silentSamples ?? 0))
    return {
      kind: 'audio',
      format: 'mp3',
      bytes: bytes.byteLength,
      seconds: samples / first.samplesPerSecond,
    }
  })

interface Count {
  first?: Mp3Frame
  frames: number
  /** Left out where the first frame holds sound. */
  tag?: EncoderTag
}

// Rubbish between frames is common; a file that is mostly that is no MP3. Tags, which say how long they are, do not
// count: a cover picture of some megabytes is no rubbish.
const MOST_OTHER_BYTES = 2 ** 20

const countFrames = (file: Span): Count => {
  const count: Count = { frames: 0 }
  const filledFrom = endWithoutZeros(file)
  let otherBytes = 0
  let isInStep = false
  for (let at = 0; at + 4 <= lengthOf(file); ) {
    const frame = frameOfStream(file, at, isInStep, count.first)
    const tagBytes = frame === undefined ? tagBytesAt(file, at) : 0
    isInStep = frame !== undefined
    if (!frame && at >= filledFrom) break
    if (frame) take(count, file, at, frame)
    else if (tagBytes === 0 && ++otherBytes > MOST_OTHER_BYTES) {
      throw new Damage(`the MP3 has more than ${MOST_OTHER_BYTES} bytes that are no sound`)
    }
    at += frame?.bytes ?? (tagBytes || 1)
  }
  return count
}

// Zeros up to the end fill a file up, and are neither sound nor rubbish.
const endWithoutZeros = ({ view, start, end }: Span): number => {
  let behind = end
  while (behind > start && view.getUint8(behind - 1) === 0) behind--
  return behind - start
}

// Out of step, a frame must be followed by another one (or the end): four bytes that look like a header are not rare.
const frameOfStream = (file: Span, at: number, isInStep: boolean, first?: Mp3Frame): Mp3Frame | undefined => {
  const frame = frameAt(file, at)
  if (!frame || at + frame.bytes > lengthOf(file)) return undefined
  if (first && frame.stream !== first.stream) return undefined
  const isFollowed = () => frameAt(file, at + frame.bytes)?.stream === frame.stream
  const isLast = first !== undefined && at + frame.bytes === lengthOf(file)
  return isInStep || isLast || isFollowed() ? frame : undefined
}

const take = (count: Count, file: Span, at: number, frame: Mp3Frame): void => {
  const isFirst = count.first === undefined
  count.first ??= frame
  const tag = isFirst ? encoderTagOf(file, at, frame) : undefined
  if (tag) count.tag = tag
  else count.frames++
}
