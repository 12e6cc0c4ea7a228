import { ascii, box, fullBox, u16, u32 } from '../../../../../scripts/fixtures/bytes.js'

/** An MP4 put together by hand, so that each of its numbers can be chosen. */
export interface MovieFile {
  readonly brand: string
  readonly width: number
  readonly height: number
  /** The type of the entry that describes the pictures: `avc1`. */
  readonly codec: string
  readonly ticksPerSecond: number
  /** How many frames, and ticks of each. */
  readonly frames: readonly (readonly [count: number, ticks: number])[]
  /** As the header of the track has it, in milliseconds; 0 where it does not say. */
  readonly shownMs: number
  /** As the header of the movie has it, in milliseconds; 0 where it does not say. */
  readonly movieMs: number
  /** As the header of the sound track has it, in milliseconds; 0 where it does not say. */
  readonly soundMs: number
  /** The first four numbers of the matrix: 1 0 0 1 stands upright. */
  readonly matrix: readonly number[]
  /** Those of the movie as a whole. */
  readonly movieMatrix: readonly number[]
  /** Length of the media in its ticks, as its header has it; 0 where it does not say. */
  readonly mediaTicks: number
  /** The edit list: milliseconds, and the tick at which each piece begins, -1 for an empty one. Default: none. */
  readonly edits?: readonly (readonly [ms: number, from: number])[]
  /** How wide and how high a pixel is shown. Default: the file does not say. */
  readonly pixel?: readonly [width: number, height: number]
  /** Whether the headers have times of 64 bits. */
  readonly isLong: boolean
  readonly isDataFirst: boolean
  /** The description of the sound, where there is some. */
  readonly sound?: Buffer
  /** More boxes at the end of moov, and at the end of the file. */
  readonly inMoov: Buffer
  readonly atEnd: Buffer
  /** Where the last piece of the pictures is said to be. */
  readonly place: number
}

const usual: MovieFile = {
  brand: 'isom',
  width: 640,
  height: 360,
  codec: 'avc1',
  ticksPerSecond: 24_000,
  frames: [[72, 1000]],
  shownMs: 3000,
  movieMs: 0,
  soundMs: 0,
  matrix: [1, 0, 0, 1],
  movieMatrix: [1, 0, 0, 1],
  mediaTicks: 0,
  isLong: false,
  isDataFirst: false,
  inMoov: Buffer.alloc(0),
  atEnd: Buffer.alloc(0),
  place: 40,
}

export const movieFile = (change: Partial<MovieFile> = {}): Buffer => {
  const movie = { ...usual, ...change }
  const fileType = box('ftyp', ascii(movie.brand), u32(0), ascii('isom'))
  const moov = box(
    'moov',
    times('mvhd', 1000, movie.movieMs, movie),
    track(movie),
    soundTrack(movie),
    movie.inMoov,
  )
  const data = box('mdat', Buffer.alloc(64))
  return Buffer.concat([fileType, ...(movie.isDataFirst ? [data, moov] : [moov, data]), movie.atEnd])
}

const u64 = (value: number): Buffer => Buffer.concat([u32(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32)])

const number = (value: number, { isLong }: MovieFile): Buffer => (isLong ? u64(value) : u32(value))

const times = (type: string, ticksPerSecond: number, ticks: number, movie: MovieFile): Buffer => {
  const zero = number(0, movie)
  const rest = [number(ticks, movie), Buffer.alloc(16), matrixOf(movie.movieMatrix), Buffer.alloc(28)]
  return fullBox(type, movie.isLong ? 1 : 0, zero, zero, u32(ticksPerSecond), ...rest)
}

const matrixOf = (numbers: readonly number[]): Buffer => {
  const [a = 0, b = 0, c = 0, d = 0] = numbers.map((value) => value * 65_536)
  return Buffer.concat([a, b, 0, c, d, 0, 0, 0, 0x40000000].map((value) => u32(value >>> 0)))
}

const editList = (movie: MovieFile): Buffer => {
  if (movie.edits === undefined) return Buffer.alloc(0)
  const signed = (value: number) =>
    movie.isLong && value < 0 ? Buffer.alloc(8, 0xff) : number(value >>> 0, movie)
  const entries = movie.edits.flatMap(([ms, from]) => [number(ms, movie), signed(from), u32(65_536)])
  return box('edts', fullBox('elst', movie.isLong ? 1 : 0, u32(movie.edits.length), ...entries))
}

const track = (movie: MovieFile): Buffer => {
  const zero = number(0, movie)
  const header = [
    zero,
    zero,
    u32(1),
    u32(0),
    number(movie.shownMs, movie),
    Buffer.alloc(16),
    matrixOf(movie.matrix),
    u32(0),
    u32(0),
  ]
  return box(
    'trak',
    fullBox('tkhd', movie.isLong ? 1 : 0, ...header),
    editList(movie),
    media('vide', movie, [pictureEntry(movie)]),
  )
}

const soundTrack = (movie: MovieFile): Buffer =>
  movie.sound
    ? box(
        'trak',
        fullBox('tkhd', 0, Buffer.alloc(16), u32(movie.soundMs), Buffer.alloc(60)),
        media('soun', movie, [movie.sound]),
      )
    : Buffer.alloc(0)

const media = (handler: string, movie: MovieFile, entries: readonly Buffer[]): Buffer => {
  const frames = movie.frames.flatMap((entry) => entry.map(u32))
  const table = box(
    'stbl',
    fullBox('stsd', 0, u32(entries.length), ...entries),
    fullBox('stts', 0, u32(movie.frames.length), ...frames),
    fullBox(movie.isLong ? 'co64' : 'stco', 0, u32(2), number(40, movie), number(movie.place, movie)),
  )
  const kind = fullBox('hdlr', 0, u32(0), ascii(handler), Buffer.alloc(13))
  return box('mdia', times('mdhd', movie.ticksPerSecond, movie.mediaTicks, movie), kind, box('minf', table))
}

const pictureEntry = ({ codec, width, height, pixel }: MovieFile): Buffer => {
  const shape = pixel === undefined ? [] : [box('colr'), box('pasp', ...pixel.map(u32))]
  return box(codec, Buffer.alloc(24), u16(width), u16(height), Buffer.alloc(50), ...shape)
}

/** A description of sound: version 0 to 2 of QuickTime's fields, and the boxes behind them. */
export const soundEntry = (type: string, version = 0, ...boxes: readonly Buffer[]): Buffer =>
  box(type, Buffer.alloc(8), u16(version), Buffer.alloc([18, 34, 54][version] ?? 18), ...boxes)

/** The esds box of MPEG-4 sound with an object type: 0x40 is AAC. `lengthBytes`: in how many bytes lengths are written. */
export const esds = (objectType: number, lengthBytes = 1, flags = 0): Buffer => {
  const length = (value: number) => Buffer.of(...Array(lengthBytes - 1).fill(0x80), value)
  const optional = Buffer.alloc((flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 : 0) + (flags & 0x20 ? 2 : 0))
  const inner = Buffer.concat([Buffer.of(4), length(13), Buffer.of(objectType), Buffer.alloc(12)])
  return fullBox('esds', 0, Buffer.of(3), length(3 + inner.length), u16(1), Buffer.of(flags), optional, inner)
}

/** The boxes of a file in fragments: what is in moov for it, of a sound track too, and one fragment. */
export const fragmentDefaults = (ticks: number): Buffer => box('mvex', trex(2, 1024), trex(1, ticks))

const trex = (track: number, ticks: number): Buffer =>
  fullBox('trex', 0, u32(track), u32(1), u32(ticks), u32(0), u32(0))

export interface Run {
  readonly track?: number
  /** Written into the header of the fragment; default: that of the file. */
  readonly ticks?: number
  /** One for each frame, or how many frames there are. */
  readonly frames: readonly number[] | number
}

export const fragment = ({ track = 1, ticks, frames }: Run): Buffer => {
  const header = box(
    'tfhd',
    flags(ticks === undefined ? 0 : 8),
    u32(track),
    ...(ticks === undefined ? [] : [u32(ticks)]),
  )
  const isEach = typeof frames !== 'number'
  const each = isEach ? frames.map(u32) : []
  const run = box(
    'trun',
    flags(1 | (isEach ? 0x100 : 0)),
    u32(isEach ? frames.length : frames),
    u32(0),
    ...each,
  )
  return box('moof', fullBox('mfhd', 0, u32(1)), box('traf', header, run))
}

const flags = (value: number): Buffer => u32(value)
