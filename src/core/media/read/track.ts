import { childrenOf, type Walk } from './boxes.js'
import { videoEntryOf } from './codec.js'
import { Damage } from './damage.js'
import type { Samples } from './fragments.js'
import { i32be, lengthOf, part, type Span, u8, u32be, u64be } from './span.js'
import { type Boxes, needed, sampleTableOf } from './track-boxes.js'

export interface Track {
  readonly id: number
  readonly ticksPerSecond: number
  /** Pixels as shown. */
  readonly width: number
  readonly height: number
  readonly codec: string
  /** Of the tables in front; what fragments add comes on top. */
  readonly samples: Samples
  /** How long the track is shown, cuts and delays counted; left out where the file does not say. */
  readonly shownSeconds?: number
}

export const readTrack = (moov: Span, trak: Boxes, file: Span, walk: Walk): Track => {
  const movie = timesOf(needed(childrenOf(moov, walk), 'mvhd'))
  const media = timesOf(needed(childrenOf(needed(trak, 'mdia'), walk), 'mdhd'))
  const header = headerOf(needed(trak, 'tkhd'))
  const table = sampleTableOf(trak, walk)
  const { codec, ...stored } = videoEntryOf(needed(table, 'stsd'), walk)
  const [width, height] = header.isTurned ? [stored.height, stored.width] : [stored.width, stored.height]
  checkPlaces(table, file)
  return {
    id: header.id,
    ticksPerSecond: media.ticksPerSecond,
    width,
    height,
    codec,
    samples: samplesIn(needed(table, 'stts')),
    ...(header.ticks && { shownSeconds: header.ticks / movie.ticksPerSecond }),
  }
}

// Most headers come with times of 32 or, in version 1, of 64 bits.
const isLong = (header: Span): boolean => u8(header, 0) === 1

const timesOf = (header: Span): { ticksPerSecond: number } => {
  const ticksPerSecond = u32be(header, isLong(header) ? 20 : 12)
  if (ticksPerSecond === 0) throw new Damage('the video says that a second has 0 ticks')
  return { ticksPerSecond }
}

const headerOf = (tkhd: Span): { id: number; ticks: number | undefined; isTurned: boolean } => {
  const id = u32be(tkhd, isLong(tkhd) ? 20 : 12)
  const ticks = isLong(tkhd) ? u64be(tkhd, 28) : u32be(tkhd, 20)
  // All ones is the way to say that it is not known.
  const isKnown = ticks > 0 && ticks < (isLong(tkhd) ? 2 ** 63 : 0xffffffff)
  const matrix = part(tkhd, isLong(tkhd) ? 52 : 40)
  // In [a b u, c d v, …] a picture on its side has its weight in b instead of a.
  const isTurned = Math.abs(i32be(matrix, 4)) > Math.abs(i32be(matrix, 0))
  return { id, ticks: isKnown ? ticks : undefined, isTurned }
}

/** Entries of (how many samples, ticks of each): summed. */
const samplesIn = (stts: Span): Samples => {
  const entries = countOf(stts, 8)
  let [count, ticks, firstTicks, lastTicks] = [0, 0, 0, 0]
  for (let entry = 0; entry < entries; entry++) {
    const samples = u32be(stts, 8 + entry * 8)
    count += samples
    lastTicks = u32be(stts, 12 + entry * 8)
    if (entry === 0) firstTicks = lastTicks
    ticks += samples * lastTicks
  }
  return { count, ticks, firstTicks, lastTicks }
}

/** Raises Damage where a piece of the track would lie behind the end of the file: the file is cut short. */
const checkPlaces = (table: Boxes, file: Span): void => {
  const places = table.get('stco') ?? table.get('co64')
  if (!places) return
  const isShort = table.has('stco')
  const entries = countOf(places, isShort ? 4 : 8)
  for (let entry = 0; entry < entries; entry++) {
    const place = isShort ? u32be(places, 8 + entry * 4) : u64be(places, 8 + entry * 8)
    if (place >= lengthOf(file)) throw new Damage(`the ${file.name} ends before its last pictures`)
  }
}

const countOf = (table: Span, bytesPerEntry: number): number => {
  const entries = u32be(table, 4)
  if (8 + entries * bytesPerEntry > lengthOf(table))
    throw new Damage('the video has a table longer than its box')
  return entries
}
