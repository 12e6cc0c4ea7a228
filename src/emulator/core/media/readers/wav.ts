import type { Probe } from '../input.js'
import { DamagedFile, Span, unlessDamaged } from './span.js'

/**
 * Facts of a WAV: the seconds are the bytes of sound by the bytes a second that its format needs. Packed sound needs
 * more or less of them from one second to the next, and is as long as its samples where the file counts these.
 */
export const readWav = (bytes: Uint8Array): Probe =>
  unlessDamaged(() => {
    const { format, soundBytes, samples } = chunksOf(new Span(bytes, 'WAV'))
    if (format === undefined)
      throw new DamagedFile('the WAV does not say how its sound is written (no "fmt " chunk)')
    if (soundBytes === undefined) throw new DamagedFile('the WAV has no sound (no "data" chunk)')
    const seconds = (!format.isPlain && secondsOf(samples, format)) || soundBytes / format.bytesPerSecond
    if (!Number.isFinite(seconds)) throw new DamagedFile('the WAV says that a second of it takes 0 bytes')
    return { kind: 'audio', format: 'wav', bytes: bytes.byteLength, seconds }
  })

// Programs that write to a pipe cannot go back and fill a number in: they leave 0, all ones or, as SoX, nearly 2^31.
const isFilledIn = (number: number): boolean => number > 0 && number < 0x7fff0000

const secondsOf = (samples = 0, { samplesPerSecond }: Format): number | undefined =>
  isFilledIn(samples) && samplesPerSecond > 0 ? samples / samplesPerSecond : undefined

interface Format {
  /** Whether its samples are all of one size. */
  readonly isPlain: boolean
  readonly samplesPerSecond: number
  /** For packed sound, the average that the file declares. */
  readonly bytesPerSecond: number
}

interface Chunks {
  format?: Format
  soundBytes?: number
  /** Of each channel. Default: the file does not count them. */
  samples?: number
  /** Of 64 bits, in an RF64: what the chunk of the sound has no room for. */
  longSoundBytes?: number
}

const chunksOf = (file: Span): Chunks => {
  const chunks: Chunks = {}
  // Behind "RIFF", the size of the whole, which programs do not fill in reliably, and "WAVE".
  let at = 12
  while (at + 8 <= file.length && chunks.soundBytes === undefined) {
    const type = file.fourCC(at)
    const size = file.u32le(at + 4)
    const rest = file.length - at - 8
    if (type === 'fmt ') chunks.format = formatAt(file, at + 8)
    if (type === 'fact' && size >= 4) chunks.samples = file.u32le(at + 8)
    if (type === 'ds64' && size >= 24)
      chunks.longSoundBytes = file.u32le(at + 16) + 2 ** 32 * file.u32le(at + 20)
    if (type === 'data') chunks.soundBytes = soundBytesOf(size, rest, at + 8, chunks.longSoundBytes)
    // Chunks begin at even places; the byte in between is not counted in the size.
    at += 8 + size + (size % 2)
  }
  return chunks
}

// A size that was not filled in means "up to the end".
const soundBytesOf = (size: number, rest: number, begin: number, longSize = 0): number => {
  const bytes = isFilledIn(size) ? size : longSize
  if (bytes <= 0) return rest
  // Some programs count the header in, or a few bytes more; a sound that is cut short lacks more than that.
  if (bytes > rest + Math.max(begin, FEW_BYTES))
    throw new DamagedFile('the WAV ends in the middle of its sound')
  return Math.min(bytes, rest)
}

const FEW_BYTES = 64

const PCM = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe

// Samples of a fixed size say it all; for packed sound only the average that the file declares is there.
const formatAt = (file: Span, at: number): Format => {
  const tag = file.u16le(at)
  const format = tag === EXTENSIBLE ? file.u16le(at + 24) : tag
  const isPlain = format === PCM || format === FLOAT
  const samplesPerSecond = file.u32le(at + 4)
  const bytesPerSecond = isPlain ? samplesPerSecond * file.u16le(at + 12) : file.u32le(at + 8)
  return { isPlain, samplesPerSecond, bytesPerSecond }
}
