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

export const unreadable = (reason: Unreadable['reason'], detail: string): Unreadable => ({
  kind: 'unreadable',
  reason,
  detail,
})

/** Span: a range of bytes of a file. The positions that the functions below take count from its start. */
export interface Span {
  readonly view: DataView
  readonly start: number
  readonly end: number
  /** What the file is called in an error message: `MP4`. */
  readonly name: string
}

export const spanOf = (bytes: Uint8Array, name: string): Span => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  start: 0,
  end: bytes.byteLength,
  name,
})

export const lengthOf = (span: Span): number => span.end - span.start

/** Part of a span from one position to another, or to its end. Throws DamagedFile where some of it is missing. */
export const subspan = (span: Span, from: number, to = lengthOf(span)): Span => {
  if (from > to || to > lengthOf(span)) throw truncated(span)
  return { ...span, start: span.start + from, end: span.start + to }
}

export const u8 = (span: Span, at: number): number => span.view.getUint8(offsetIn(span, at, 1))
export const u16be = (span: Span, at: number): number => span.view.getUint16(offsetIn(span, at, 2))
export const u16le = (span: Span, at: number): number => span.view.getUint16(offsetIn(span, at, 2), true)
export const u24be = (span: Span, at: number): number => (u8(span, at) << 16) | u16be(span, at + 1)
export const u32be = (span: Span, at: number): number => span.view.getUint32(offsetIn(span, at, 4))
export const u32le = (span: Span, at: number): number => span.view.getUint32(offsetIn(span, at, 4), true)
export const i32be = (span: Span, at: number): number => span.view.getInt32(offsetIn(span, at, 4))
export const i32le = (span: Span, at: number): number => span.view.getInt32(offsetIn(span, at, 4), true)

/** Exact up to 2^53; a larger number is wrong in any file, and being about right is enough to see that. */
export const u64be = (span: Span, at: number): number => u32be(span, at) * 2 ** 32 + u32be(span, at + 4)

/** FourCC: four bytes as four characters of Latin-1, as boxes, chunks and codecs are named. */
export const fourCC = (span: Span, at: number): string =>
  String.fromCharCode(u8(span, at), u8(span, at + 1), u8(span, at + 2), u8(span, at + 3))

/** Letters from a file, which may be anything, as they can stand in a message. */
export const printable = (letters: string): string => letters.replace(/[^\x20-\x7e]/g, '?')

const offsetIn = (span: Span, at: number, length: number): number => {
  if (at < 0 || at + length > lengthOf(span)) throw truncated(span)
  return span.start + at
}

const truncated = (span: Span): DamagedFile =>
  new DamagedFile(`the ${span.name} ends in the middle of its headers`)

/** Budget of the boxes that may be read of one file, shared by everything that reads its boxes. */
export interface BoxBudget {
  boxesLeft: number
}

// Fifteen seconds with a fragment for every frame and every sound frame are about eleven thousand boxes.
const MAX_BOXES = 50_000

export const createBoxBudget = (): BoxBudget => ({ boxesLeft: MAX_BOXES })

interface Box {
  /** Four characters: `moov`. */
  readonly type: string
  /** What is inside, without the header. */
  readonly content: Span
}

/**
 * The boxes that follow each other in a span (ISO/IEC 14496-12 §4.2), at whichever depth it is.
 * Throws DamagedFile for a box that does not end within the span, a size that cannot be, and too many boxes.
 */
export function* boxesIn(span: Span, budget: BoxBudget): Generator<Box> {
  let at = 0
  // Fewer than eight bytes are no box: QuickTime ends some of its lists with four zeros.
  while (lengthOf(span) - at >= 8) {
    budget.boxesLeft -= 1
    if (budget.boxesLeft < 0)
      throw new DamagedFile(`the ${span.name} is made of more than ${MAX_BOXES} boxes`)
    const type = fourCC(span, at + 4)
    const { header, size } = extentOf(span, at)
    if (size < header)
      throw new DamagedFile(`the ${span.name} has a "${printable(type)}" box with an impossible size`)
    if (at + size > lengthOf(span))
      throw new DamagedFile(`the ${span.name} ends in the middle of its "${printable(type)}" box`)
    yield { type, content: subspan(span, at + header, at + size) }
    at += size
  }
}

/** The first box of each type in a span. */
export const childrenOf = (span: Span, budget: BoxBudget): ReadonlyMap<string, Span> => {
  const children = new Map<string, Span>()
  for (const { type, content } of boxesIn(span, budget)) if (!children.has(type)) children.set(type, content)
  return children
}

// A size of 1 means a 64-bit size behind the type, and 0 means "up to the end".
const extentOf = (span: Span, at: number): { header: number; size: number } => {
  const size = u32be(span, at)
  if (size === 1) return { header: 16, size: u64be(span, at + 8) }
  return { header: 8, size: size === 0 ? lengthOf(span) - at : size }
}
