import { ascii, box, fullBox, u8, u16, u32, zeros } from './boxes.js'

/** One stream of samples: the pictures, or the packets of sound. */
export interface Track {
  readonly handler: 'vide' | 'soun'
  /** Ticks per second. */
  readonly timescale: number
  readonly samples: readonly Buffer[]
  /** Ticks that each sample but the last takes. */
  readonly sampleTicks: number
  /** The box that says how to read the samples. */
  readonly description: Buffer
  /** Samples that can be decoded without others, from 0. Left out: all of them. */
  readonly keySamples?: readonly number[]
  /** Pixels; 0 for sound. */
  readonly width: number
  readonly height: number
}

const MOVIE_TICKS_PER_SECOND = 1000

const UNITY_MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

/** The index of an MP4. `chunks` are the numbers of samples that lie together, `offsets` where each lot begins in the file. */
export const movie = (
  tracks: readonly Track[],
  chunks: readonly (readonly number[])[],
  offsets: readonly (readonly number[])[],
  seconds: number,
): Buffer =>
  box(
    'moov',
    fullBox(
      'mvhd',
      0,
      u32(0, 0, MOVIE_TICKS_PER_SECOND, seconds * MOVIE_TICKS_PER_SECOND, 0x10000),
      u16(0x100, 0),
      zeros(8),
      UNITY_MATRIX,
      zeros(24),
      u32(tracks.length + 1),
    ),
    ...tracks.map((track, index) =>
      trackBox(track, index + 1, chunks[index] ?? [], offsets[index] ?? [], seconds),
    ),
  )

const IN_MOVIE_AND_ENABLED = 3

const trackBox = (
  track: Track,
  id: number,
  chunks: readonly number[],
  offsets: readonly number[],
  seconds: number,
): Buffer => {
  const volume = track.handler === 'soun' ? 0x100 : 0
  return box(
    'trak',
    fullBox(
      'tkhd',
      IN_MOVIE_AND_ENABLED,
      u32(0, 0, id, 0, seconds * MOVIE_TICKS_PER_SECOND, 0, 0),
      u16(0, 0, volume, 0),
      UNITY_MATRIX,
      u32(track.width * 0x10000, track.height * 0x10000),
    ),
    box(
      'mdia',
      fullBox('mdhd', 0, u32(0, 0, track.timescale, seconds * track.timescale), u16(UNDETERMINED, 0)),
      fullBox('hdlr', 0, u32(0), ascii(track.handler), zeros(12), ascii('Backlot\0')),
      box('minf', mediaHeader(track), DATA_HERE, sampleTable(track, chunks, offsets, seconds)),
    ),
  )
}

// The language "und", five bits a letter.
const UNDETERMINED = 0x55c4
const DATA_HERE = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)))

const mediaHeader = ({ handler }: Track): Buffer =>
  handler === 'vide' ? fullBox('vmhd', 1, zeros(8)) : fullBox('smhd', 0, zeros(4))

const sampleTable = (
  track: Track,
  chunks: readonly number[],
  offsets: readonly number[],
  seconds: number,
): Buffer => {
  const { samples, sampleTicks, keySamples } = track
  const lastTicks = seconds * track.timescale - (samples.length - 1) * sampleTicks
  return box(
    'stbl',
    fullBox('stsd', 0, u32(1), track.description),
    fullBox('stts', 0, u32(2, samples.length - 1, sampleTicks, 1, lastTicks)),
    ...(keySamples ? [fullBox('stss', 0, u32(keySamples.length, ...keySamples.map((key) => key + 1)))] : []),
    fullBox('stsc', 0, u32(chunks.length), ...chunks.map((count, index) => u32(index + 1, count, 1))),
    fullBox('stsz', 0, u32(0, samples.length, ...samples.map(({ length }) => length))),
    fullBox('stco', 0, u32(offsets.length, ...offsets)),
  )
}

/** How H.264 pictures are to be read: the two parameter sets that the encoder wrote. */
export const h264Description = (width: number, height: number, sps: Buffer, pps: Buffer): Buffer =>
  box(
    'avc1',
    zeros(6),
    u16(1),
    zeros(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    zeros(32),
    u16(24, 0xffff),
    box(
      'avcC',
      u8(1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xff, 0xe1),
      u16(sps.length),
      sps,
      u8(1),
      u16(pps.length),
      pps,
    ),
    box('colr', ascii('nclx'), u16(1, 1, 1), u8(0)),
  )

/** How AAC packets are to be read. `config` is the AudioSpecificConfig. */
export const aacDescription = (channels: number, samplesPerSecond: number, config: Buffer): Buffer => {
  const decoder = descriptor(4, u8(0x40, 0x15), zeros(3), u32(0, 0), descriptor(5, config))
  return box(
    'mp4a',
    zeros(6),
    u16(1),
    zeros(8),
    u16(channels, 16, 0, 0),
    u32(samplesPerSecond * 0x10000),
    fullBox('esds', 0, descriptor(3, u16(0), u8(0), decoder, descriptor(6, u8(2)))),
  )
}

const descriptor = (tag: number, ...content: Buffer[]): Buffer => {
  const bytes = Buffer.concat(content)
  return Buffer.concat([u8(tag, bytes.length), bytes])
}
