import type { Probe } from '../facts.js'
import { Damage, factsOrDamage } from './damage.js'
import { fourLetters, lengthOf, type Span, spanOf, u16le, u32le } from './span.js'

/** Facts of a WAV: the seconds are the bytes of sound by the bytes a second that its format needs. */
export const readWav = (bytes: Uint8Array): Probe =>
  factsOrDamage(() => {
    const { bytesPerSecond, soundBytes } = chunksOf(spanOf(bytes, 'WAV'))
    if (bytesPerSecond === undefined)
      throw new Damage('the WAV does not say how its sound is written (no "fmt " chunk)')
    if (soundBytes === undefined) throw new Damage('the WAV has no sound (no "data" chunk)')
    if (bytesPerSecond === 0) throw new Damage('the WAV says that a second of it takes 0 bytes')
    return { kind: 'audio', format: 'wav', bytes: bytes.byteLength, seconds: soundBytes / bytesPerSecond }
  })

interface Chunks {
  bytesPerSecond?: number
  soundBytes?: number
}

const chunksOf = (file: Span): Chunks => {
  const found: Chunks = {}
  // Behind "RIFF", the size of the whole, which nobody fills in reliably, and "WAVE".
  let at = 12
  while (at + 8 <= lengthOf(file) && found.soundBytes === undefined) {
    const type = fourLetters(file, at)
    const size = u32le(file, at + 4)
    const rest = lengthOf(file) - at - 8
    if (type === 'fmt ') found.bytesPerSecond = bytesPerSecondAt(file, at + 8)
    if (type === 'data') found.soundBytes = soundBytesOf(size, rest)
    // Chunks begin at even places; the byte in between is not counted in the size.
    at += 8 + size + (size % 2)
  }
  return found
}

// Programs that write to a pipe cannot go back and fill the size in: they leave 0, or all ones, for "up to the end".
const soundBytesOf = (size: number, rest: number): number => {
  if (size === 0 || size === 0xffffffff) return rest
  if (size > rest) throw new Damage('the WAV ends in the middle of its sound')
  return size
}

const PCM = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe

// Samples of a fixed size say it all; for packed sound only the average that the file declares is there.
const bytesPerSecondAt = (file: Span, at: number): number => {
  const tag = u16le(file, at)
  const format = tag === EXTENSIBLE ? u16le(file, at + 24) : tag
  const isPlain = format === PCM || format === FLOAT
  return isPlain ? u32le(file, at + 4) * u16le(file, at + 12) : u32le(file, at + 8)
}
