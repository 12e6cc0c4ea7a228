import type { Unreadable } from '../input.js'

/** Error of a reader whose bytes are damaged; `unlessDamaged` turns it into a value. It never leaves this folder. */
export class DamagedFile extends Error {
  constructor(
    detail: string,
    readonly reason: Unreadable['reason'] = 'damaged',
  ) {
    super(detail)
  }
}

/** Runs a reader and returns what it finds, or why it cannot read the bytes. An error that is not about the bytes is a bug and passes through. */
export const unlessDamaged = <T>(read: () => T): T | Unreadable => {
  try {
    return read()
  } catch (error) {
    if (error instanceof DamagedFile) return unreadable(error.reason, error.message)
    throw error
  }
}

/** Probe of bytes that cannot be read; `detail` is a clause for the sentence of a refusal. */
export const unreadable = (reason: Unreadable['reason'], detail: string): Unreadable => ({
  kind: 'unreadable',
  reason,
  detail,
})

/** Span: a range of bytes of a file. All positions count from its start, and none behind its end can be read. */
export class Span {
  readonly length: number
  readonly #view: DataView

  /**
   * @param name what the file is called in an error message: `MP4`
   * @param budget of the boxes that may still be read of the file, which its parts share. Default: that of a whole file
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly name: string,
    readonly budget = { boxes: MAX_BOXES },
  ) {
    this.length = bytes.byteLength
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Part of the span from one position to another, or to its end. Throws DamagedFile where some of it is missing. */
  slice(from: number, to = this.length): Span {
    if (from > to || to > this.length) throw this.#truncated()
    return new Span(this.bytes.subarray(from, to), this.name, this.budget)
  }

  u8(at: number): number {
    return this.#view.getUint8(this.#offset(at, 1))
  }

  u16be(at: number): number {
    return this.#view.getUint16(this.#offset(at, 2))
  }

  u16le(at: number): number {
    return this.#view.getUint16(this.#offset(at, 2), true)
  }

  u24be(at: number): number {
    return (this.u8(at) << 16) | this.u16be(at + 1)
  }

  u32be(at: number): number {
    return this.#view.getUint32(this.#offset(at, 4))
  }

  u32le(at: number): number {
    return this.#view.getUint32(this.#offset(at, 4), true)
  }

  i32be(at: number): number {
    return this.#view.getInt32(this.#offset(at, 4))
  }

  i32le(at: number): number {
    return this.#view.getInt32(this.#offset(at, 4), true)
  }

  /** Exact up to 2^53; a larger number is wrong in any file, and being about right is enough to see that. */
  u64be(at: number): number {
    return this.u32be(at) * 2 ** 32 + this.u32be(at + 4)
  }

  /** FourCC: four bytes as four characters of Latin-1, as boxes, chunks and codecs are named. */
  fourCC(at: number): string {
    return String.fromCharCode(this.u8(at), this.u8(at + 1), this.u8(at + 2), this.u8(at + 3))
  }

  #offset(at: number, length: number): number {
    if (at < 0 || at + length > this.length) throw this.#truncated()
    return at
  }

  #truncated(): DamagedFile {
    return new DamagedFile(`the ${this.name} ends in the middle of its headers`)
  }
}

/** Letters from a file, which may be anything, as they can stand in a message. */
export const printable = (letters: string): string => letters.replace(/[^\x20-\x7e]/g, '?')

// Fifteen seconds with a fragment for every frame and every sound frame are about eleven thousand boxes.
const MAX_BOXES = 50_000

interface Box {
  /** Four characters: `moov`. */
  readonly type: string
  /** What is inside, without the header. */
  readonly content: Span
}

/**
 * The boxes that follow each other in a span (ISO/IEC 14496-12 §4.2), at whichever depth it is.
 * Throws DamagedFile for a box that does not end within the span, a size that cannot be, and too many boxes.
 * @param isAppended whether bytes that would be a broken box of these four letters end the list instead. Default: never
 */
export function* boxesIn(span: Span, isAppended: (type: string) => boolean = () => false): Generator<Box> {
  let at = 0
  // Fewer than eight bytes are no box: QuickTime ends some of its lists with four zeros.
  while (span.length - at >= 8) {
    span.budget.boxes -= 1
    if (span.budget.boxes < 0)
      throw new DamagedFile(`the ${span.name} is made of more than ${MAX_BOXES} boxes`)
    const type = span.fourCC(at + 4)
    const { header, size } = extentOf(span, at)
    if ((size < header || at + size > span.length) && isAppended(type)) return
    if (size < header)
      throw new DamagedFile(`the ${span.name} has a "${printable(type)}" box with an impossible size`)
    if (at + size > span.length)
      throw new DamagedFile(`the ${span.name} ends in the middle of its "${printable(type)}" box`)
    yield { type, content: span.slice(at + header, at + size) }
    at += size
  }
}

// The boxes of ISO/IEC 14496-12, 23008-12 and QuickTime that stand outside of all others.
const FILE_BOXES = new Set(
  'ftyp styp moov mdat moof mfra meta sidx ssix prft emsg free skip wide uuid udta pnot'.split(' '),
)

/**
 * The boxes of a file. Behind what it needs, bytes that are no box are ignored: cameras and messengers append some, and players
 * do not read them. A box of the standards that breaks off is damage.
 */
export function* boxesOfFile(file: Span): Generator<Box> {
  const seen = new Set<string>()
  const isAppended = (type: string) =>
    seen.has('mdat') && (seen.has('moov') || seen.has('meta')) && !FILE_BOXES.has(type)
  for (const box of boxesIn(file, isAppended)) {
    seen.add(box.type)
    yield box
  }
}

/** The first box of each type in a span. */
export const childrenOf = (span: Span): ReadonlyMap<string, Span> => firstOfEach(boxesIn(span))

/** The first box of each type of a file. */
export const partsOfFile = (file: Span): ReadonlyMap<string, Span> => firstOfEach(boxesOfFile(file))

const firstOfEach = (boxes: Iterable<Box>): ReadonlyMap<string, Span> => {
  const first = new Map<string, Span>()
  for (const { type, content } of boxes) if (!first.has(type)) first.set(type, content)
  return first
}

// A size of 1 means a 64-bit size behind the type, and 0 means "up to the end".
const extentOf = (span: Span, at: number): { header: number; size: number } => {
  const size = span.u32be(at)
  if (size === 1) return { header: 16, size: span.u64be(at + 8) }
  return { header: 8, size: size === 0 ? span.length - at : size }
}
