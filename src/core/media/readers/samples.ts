import { boxesIn, childrenOf, Damage, lengthOf, type Span, u24be, u32be, type Walk } from './span.js'

/** Samples of a track: for a video track, its frames. */
export interface Samples {
  readonly count: number
  /** How long they are together. */
  readonly ticks: number
  /** How long the first and the last of them are; 0 where there are none. */
  readonly firstTicks: number
  readonly lastTicks: number
}

const none: Samples = { count: 0, ticks: 0, firstTicks: 0, lastTicks: 0 }

/** Samples that follow each other. */
export const together = (all: Iterable<Samples>): Samples => {
  let { count, ticks, firstTicks, lastTicks } = none
  for (const samples of all) {
    if (samples.count === 0) continue
    if (count === 0) firstTicks = samples.firstTicks
    count += samples.count
    ticks += samples.ticks
    lastTicks = samples.lastTicks
  }
  return { count, ticks, firstTicks, lastTicks }
}

/** The samples that the fragments of a file (its moof boxes) add to a track. */
export const samplesInFragments = (
  moov: Span,
  moofs: readonly Span[],
  track: number,
  walk: Walk,
): Samples => {
  const ticksByDefault = defaultTicksOf(moov, track, walk)
  return together(moofs.map((moof) => samplesInFragment(moof, track, ticksByDefault, walk)))
}

const samplesInFragment = (moof: Span, track: number, ticksByDefault: number, walk: Walk): Samples => {
  let samples = none
  for (const { type, content } of boxesIn(moof, walk)) {
    const tfhd = type === 'traf' ? childrenOf(content, walk).get('tfhd') : undefined
    if (!tfhd || u32be(tfhd, 4) !== track) continue
    const ticks = ticksOf(tfhd) ?? ticksByDefault
    const runs = [...boxesIn(content, walk)].filter((box) => box.type === 'trun')
    samples = together([samples, ...runs.map((run) => samplesInRun(run.content, ticks))])
  }
  return samples
}

/** What a sample lasts where no fragment says otherwise: the trex box of the track, in mvex. */
const defaultTicksOf = (moov: Span, track: number, walk: Walk): number => {
  const mvex = childrenOf(moov, walk).get('mvex')
  if (!mvex) return 0
  for (const { type, content } of boxesIn(mvex, walk)) {
    if (type === 'trex' && u32be(content, 4) === track) return u32be(content, 12)
  }
  return 0
}

// The flags of tfhd and trun say which of their optional fields of four bytes follow, in the order of the bits.
const BASE_OFFSET = 1
const DESCRIPTION_INDEX = 2
const SAMPLE_TICKS = 8

const ticksOf = (tfhd: Span): number | undefined => {
  const flags = u24be(tfhd, 1)
  if (!(flags & SAMPLE_TICKS)) return undefined
  return u32be(tfhd, 8 + (flags & BASE_OFFSET ? 8 : 0) + (flags & DESCRIPTION_INDEX ? 4 : 0))
}

const DATA_OFFSET = 1
const FIRST_SAMPLE_FLAGS = 4
const EACH_SAMPLE_TICKS = 0x100
const EACH_SAMPLE_FIELDS = [EACH_SAMPLE_TICKS, 0x200, 0x400, 0x800]

const samplesInRun = (trun: Span, ticksOfEach: number): Samples => {
  const flags = u24be(trun, 1)
  const count = u32be(trun, 4)
  const first = 8 + [DATA_OFFSET, FIRST_SAMPLE_FLAGS].filter((flag) => flags & flag).length * 4
  const bytesOfEach = EACH_SAMPLE_FIELDS.filter((flag) => flags & flag).length * 4
  if (first + count * bytesOfEach > lengthOf(trun))
    throw new Damage('the video has a table longer than its box')
  if (!(flags & EACH_SAMPLE_TICKS))
    return { count, ticks: count * ticksOfEach, firstTicks: ticksOfEach, lastTicks: ticksOfEach }
  let { ticks, firstTicks, lastTicks } = none
  for (let sample = 0; sample < count; sample++) {
    lastTicks = u32be(trun, first + sample * bytesOfEach)
    if (sample === 0) firstTicks = lastTicks
    ticks += lastTicks
  }
  return { count, ticks, firstTicks, lastTicks }
}
