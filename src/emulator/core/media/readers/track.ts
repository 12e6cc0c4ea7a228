import { boxesIn, childrenOf, DamagedFile, printable, type Span, unlessDamaged } from './span.js'

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

/** Concatenation of samples that follow each other. */
export const concatSamples = (all: Iterable<Samples>): Samples => {
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
export const samplesInFragments = (moov: Span, moofs: readonly Span[], track: number): Samples => {
  const ticksByDefault = defaultTicksOf(moov, track)
  return concatSamples(moofs.map((moof) => samplesInFragment(moof, track, ticksByDefault)))
}

const samplesInFragment = (moof: Span, track: number, ticksByDefault: number): Samples => {
  let samples = none
  for (const { type, content } of boxesIn(moof)) {
    const tfhd = type === 'traf' ? childrenOf(content).get('tfhd') : undefined
    if (!tfhd || tfhd.u32be(4) !== track) continue
    const ticks = ticksOf(tfhd) ?? ticksByDefault
    const runs = [...boxesIn(content)].filter((box) => box.type === 'trun')
    samples = concatSamples([samples, ...runs.map((run) => samplesInRun(run.content, ticks))])
  }
  return samples
}

/** What a sample lasts where no fragment says otherwise: the trex box of the track, in mvex. */
const defaultTicksOf = (moov: Span, track: number): number => {
  const mvex = childrenOf(moov).get('mvex')
  if (!mvex) return 0
  for (const { type, content } of boxesIn(mvex)) {
    if (type === 'trex' && content.u32be(4) === track) return content.u32be(12)
  }
  return 0
}

// The flags of tfhd and trun say which of their optional fields of four bytes follow, in the order of the bits.
const BASE_OFFSET = 1
const DESCRIPTION_INDEX = 2
const SAMPLE_TICKS = 8

const ticksOf = (tfhd: Span): number | undefined => {
  const flags = tfhd.u24be(1)
  if (!(flags & SAMPLE_TICKS)) return undefined
  return tfhd.u32be(8 + (flags & BASE_OFFSET ? 8 : 0) + (flags & DESCRIPTION_INDEX ? 4 : 0))
}

const DATA_OFFSET = 1
const FIRST_SAMPLE_FLAGS = 4
const EACH_SAMPLE_TICKS = 0x100
const EACH_SAMPLE_FIELDS = [EACH_SAMPLE_TICKS, 0x200, 0x400, 0x800]

const samplesInRun = (trun: Span, ticksOfEach: number): Samples => {
  const flags = trun.u24be(1)
  const count = trun.u32be(4)
  const first = 8 + [DATA_OFFSET, FIRST_SAMPLE_FLAGS].filter((flag) => flags & flag).length * 4
  const bytesOfEach = EACH_SAMPLE_FIELDS.filter((flag) => flags & flag).length * 4
  if (first + count * bytesOfEach > trun.length)
    throw new DamagedFile('the video has a table longer than its box')
  if (!(flags & EACH_SAMPLE_TICKS))
    return { count, ticks: count * ticksOfEach, firstTicks: ticksOfEach, lastTicks: ticksOfEach }
  let { ticks, firstTicks, lastTicks } = none
  for (let sample = 0; sample < count; sample++) {
    lastTicks = trun.u32be(first + sample * bytesOfEach)
    if (sample === 0) firstTicks = lastTicks
    ticks += lastTicks
  }
  return { count, ticks, firstTicks, lastTicks }
}

/** Track of a movie: what its headers and sample tables say. */
export interface Track {
  readonly id: number
  readonly ticksPerSecond: number
  /** Pixels as shown. */
  readonly width: number
  readonly height: number
  readonly codec: string
  /** Of the tables in front; what fragments add comes on top. */
  readonly samples: Samples
  /** How long the track is shown, by its edit list: cuts, repetitions and delays counted. Default: as long as its samples. */
  readonly editedSeconds?: number
  /** How long the headers say that it is. Default: they do not. */
  readonly declaredSeconds: readonly number[]
}

/** Reads a track from its boxes. @throws DamagedFile where one is missing or too short */
export const readTrack = (moov: Span, trak: Boxes, file: Span): Track => {
  const movieHeader = requiredBox(childrenOf(moov), 'mvhd')
  const movie = timesOf(movieHeader)
  const media = timesOf(requiredBox(childrenOf(requiredBox(trak, 'mdia')), 'mdhd'))
  const header = headerOf(requiredBox(trak, 'tkhd'))
  const table = sampleTableOf(trak)
  const { codec, ...stored } = videoEntryOf(requiredBox(table, 'stsd'))
  // The movie as a whole may be turned, on top of the track.
  const isTurned = header.isTurned !== isTurnedBy(movieHeader, isLong(movieHeader) ? 48 : 36)
  const [width, height] = isTurned ? [stored.height, stored.width] : [stored.width, stored.height]
  checkChunkOffsets(table, file)
  const samples = samplesOf(requiredBox(table, 'stts'))
  const declared = [
    (header.ticks ?? 0) / movie.ticksPerSecond,
    (media.ticks ?? 0) / media.ticksPerSecond,
    // The movie is as long as its longest track, which may be another one.
    isLongestTrack(moov, header.ticks) ? (movie.ticks ?? 0) / movie.ticksPerSecond : 0,
  ]
  return {
    id: header.id,
    ticksPerSecond: media.ticksPerSecond,
    width,
    height,
    codec,
    samples,
    editedSeconds: editedSeconds(trak, movie.ticksPerSecond, samples.ticks / media.ticksPerSecond),
    declaredSeconds: declared.filter((seconds) => seconds > 0),
  }
}

/** Whether no track of a movie says that it is longer than so many ticks. */
const isLongestTrack = (moov: Span, ticks = 0): boolean =>
  [...boxesIn(moov)]
    .filter(({ type }) => type === 'trak')
    .map(({ content }) => childrenOf(content).get('tkhd'))
    .every((tkhd) => tkhd === undefined || (headerOf(tkhd).ticks ?? 0) <= ticks)

/**
 * Length of a track by its edit list (ISO/IEC 14496-12 §8.6.6): the pieces of it that are shown, and empty ones in between. No piece is
 * longer than all samples. Undefined where there is no list, or it does not say.
 */
const editedSeconds = (trak: Boxes, ticksPerSecond: number, sampleSeconds: number): number | undefined => {
  const edts = trak.get('edts')
  const elst = edts && childrenOf(edts).get('elst')
  if (elst === undefined) return undefined
  const bytesPerEntry = isLong(elst) ? 20 : 12
  const entries = countOf(elst, bytesPerEntry)
  let seconds = 0
  for (let entry = 0; entry < entries; entry++) {
    const at = 8 + entry * bytesPerEntry
    const ticks = isLong(elst) ? elst.u64be(at) : elst.u32be(at)
    const isEmpty = elst.i32be(isLong(elst) ? at + 8 : at + 4) === -1
    // 0 means "up to the end".
    const shown = ticks === 0 ? sampleSeconds : Math.min(ticks / ticksPerSecond, sampleSeconds)
    seconds += isEmpty ? ticks / ticksPerSecond : shown
  }
  return seconds > 0 ? seconds : undefined
}

// Most headers come with times of 32 or, in version 1, of 64 bits.
const isLong = (header: Span): boolean => header.u8(0) === 1

const timesOf = (header: Span): { ticksPerSecond: number; ticks: number | undefined } => {
  const ticksPerSecond = header.u32be(isLong(header) ? 20 : 12)
  if (ticksPerSecond === 0) throw new DamagedFile('the video says that a second has 0 ticks')
  return { ticksPerSecond, ticks: ticksAt(header, isLong(header) ? 24 : 16) }
}

/** A length in ticks; undefined where it is 0, or all ones, which is the way to say that it is not known. */
const ticksAt = (header: Span, at: number): number | undefined => {
  const ticks = isLong(header) ? header.u64be(at) : header.u32be(at)
  return ticks > 0 && ticks < (isLong(header) ? 2 ** 63 : 0xffffffff) ? ticks : undefined
}

const headerOf = (tkhd: Span): { id: number; ticks: number | undefined; isTurned: boolean } => ({
  id: tkhd.u32be(isLong(tkhd) ? 20 : 12),
  ticks: ticksAt(tkhd, isLong(tkhd) ? 28 : 20),
  isTurned: isTurnedBy(tkhd, isLong(tkhd) ? 52 : 40),
})

/** Whether a matrix turns a picture onto its side: in [a b u, c d v, …] it has its weight in b instead of a then. */
const isTurnedBy = (header: Span, at: number): boolean =>
  Math.abs(header.i32be(at + 4)) > Math.abs(header.i32be(at))

const samplesOf = (stts: Span): Samples => {
  const entries = countOf(stts, 8)
  let { count, ticks, firstTicks, lastTicks } = none
  for (let entry = 0; entry < entries; entry++) {
    const samples = stts.u32be(8 + entry * 8)
    count += samples
    lastTicks = stts.u32be(12 + entry * 8)
    if (entry === 0) firstTicks = lastTicks
    ticks += samples * lastTicks
  }
  return { count, ticks, firstTicks, lastTicks }
}

/** Check of the chunk offsets. Throws DamagedFile where a chunk lies behind the end of the file, which is cut short. */
const checkChunkOffsets = (table: Boxes, file: Span): void => {
  const offsets = table.get('stco') ?? table.get('co64')
  if (!offsets) return
  const isShort = table.has('stco')
  const entries = countOf(offsets, isShort ? 4 : 8)
  for (let entry = 0; entry < entries; entry++) {
    const offset = isShort ? offsets.u32be(8 + entry * 4) : offsets.u64be(8 + entry * 8)
    if (offset >= file.length) throw new DamagedFile(`the ${file.name} ends before its last pictures`)
  }
}

const countOf = (table: Span, bytesPerEntry: number): number => {
  const entries = table.u32be(4)
  if (8 + entries * bytesPerEntry > table.length)
    throw new DamagedFile('the video has a table longer than its box')
  return entries
}

// Dolby Vision (dv) has the same pictures, and what a screen needs besides is another stream. Cameras write AVC-Intra, and programs
// that copy from AVI keep its letters.
const H264 =
  'avc1 avc2 avc3 avc4 dva1 dvav AVin ai12 ai13 ai15 ai16 ai1p ai1q ai52 ai53 ai55 ai56 ai5p ai5q aivx xalg avlg AVC1 davc H264 h264 X264 x264'
const H265 = 'hvc1 hvc2 hvc3 hev1 hev2 hev3 dvh1 dvhe HEVC hevc'

const videoCodecs: ReadonlyMap<string, string> = new Map([
  ...H264.split(' ').map((letters) => [letters, 'h264'] as const),
  ...H265.split(' ').map((letters) => [letters, 'h265'] as const),
])

/** The codec of a video track and its pixels, made square: the first entry of its sample description (stsd). */
const videoEntryOf = (stsd: Span): { codec: string; width: number; height: number } => {
  const { type, content } = firstSampleEntry(stsd)
  const width = content.u16be(24)
  const height = content.u16be(26)
  if (width === 0 || height === 0)
    throw new DamagedFile(`the video says that it is ${width}x${height} pixels`)
  const codec = videoCodecs.get(type) ?? printable(type)
  return { codec, width: Math.round(width * pixelRatioOf(content)), height }
}

const VIDEO_FIELDS_BYTES = 78

/** How much wider than high a pixel is shown, by the box pasp of a sample entry; 1 where there is none, or it says nothing. */
const pixelRatioOf = (entry: Span): number => {
  const ratio = unlessDamaged(() => {
    const pasp = childrenOf(entry.slice(VIDEO_FIELDS_BYTES)).get('pasp')
    return pasp === undefined ? 1 : pasp.u32be(0) / pasp.u32be(4)
  })
  return typeof ratio === 'number' && ratio > 0 && Number.isFinite(ratio) ? ratio : 1
}

/** `aac`, `mp3`, or the four letters of any other codec of a sound track. */
export const audioCodecOf = (trak: Boxes): string | undefined => {
  const stsd = sampleTableOf(trak).get('stsd')
  if (!stsd) return undefined
  const { type, content } = firstSampleEntry(stsd)
  if (type === 'mp4a') return mpegCodecOf(content) ?? type
  return MP3_TYPES.includes(type) ? 'mp3' : printable(type)
}

// QuickTime names MP3 by itself, or by the number it has in WAV files.
const MP3_TYPES = ['.mp3', 'ms\0U']

const firstSampleEntry = (stsd: Span) => {
  const { value } = boxesIn(stsd.slice(8)).next()
  if (!value) throw new DamagedFile('the video does not say how it is written (its "stsd" box is empty)')
  return value
}

// "mp4a" covers all MPEG-4 audio codecs; the object type in the esds box names the codec.
const mpegCodecOf = (entry: Span): string | undefined => {
  // QuickTime has three versions of the entry, each with more fields before its boxes.
  const children = childrenOf(entry.slice([28, 44, 64][entry.u16be(8)] ?? 28))
  const wave = children.get('wave')
  const esds = children.get('esds') ?? (wave && childrenOf(wave).get('esds'))
  return esds && codecOfObjectType[objectTypeOf(esds)]
}

const codecOfObjectType: Readonly<Record<number, string>> = {
  64: 'aac',
  102: 'aac',
  103: 'aac',
  104: 'aac',
  105: 'mp3',
  107: 'mp3',
}

const ES_DESCRIPTOR = 3
const DECODER_CONFIGURATION = 4

/** The object type in an esds box (ISO/IEC 14496-1 §7.2.6): a descriptor within a descriptor. 0 where there is none. */
const objectTypeOf = (esds: Span): number => {
  const outer = descriptorAt(esds, 4)
  if (outer.tag !== ES_DESCRIPTOR) return 0
  const flags = esds.u8(outer.content + 2)
  const afterDependence = outer.content + 3 + (flags & 0x80 ? 2 : 0)
  const afterUrl = afterDependence + (flags & 0x40 ? 1 + esds.u8(afterDependence) : 0)
  const inner = descriptorAt(esds, afterUrl + (flags & 0x20 ? 2 : 0))
  return inner.tag === DECODER_CONFIGURATION ? esds.u8(inner.content) : 0
}

// The length takes one to four bytes, of which each but the last has its highest bit set.
const descriptorAt = (esds: Span, at: number): { tag: number; content: number } => {
  let content = at + 2
  while (content < at + 5 && content <= esds.length && esds.u8(content - 1) & 0x80) content++
  return { tag: esds.u8(at), content }
}

/** Boxes by their type, the first of each. */
export type Boxes = ReadonlyMap<string, Span>

/** `vide`, `soun` or what else a track holds. */
export const handlerOf = (trak: Boxes): string | undefined => {
  const mdia = trak.get('mdia')
  const hdlr = mdia && childrenOf(mdia).get('hdlr')
  return hdlr?.fourCC(8)
}

/** The boxes of a track's sample table: mdia, minf, stbl. */
const sampleTableOf = (trak: Boxes): Boxes => {
  const mdia = childrenOf(requiredBox(trak, 'mdia'))
  const minf = childrenOf(requiredBox(mdia, 'minf'))
  return childrenOf(requiredBox(minf, 'stbl'))
}

/** Required box of a track. Throws DamagedFile where it is missing. */
const requiredBox = (boxes: Boxes, type: string): Span => {
  const box = boxes.get(type)
  if (!box) throw new DamagedFile(`the video lacks its "${type}" box`)
  return box
}
