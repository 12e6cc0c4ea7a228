import type { Unreadable } from '../input.js'

/** Thrown inside a reader where the bytes cannot go on, and turned into a value at its edge. It never leaves this folder. */
export class Damage extends Error {
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
    if (error instanceof Damage) return unreadable(error.reason, error.message)
    throw error
  }
}

export const unreadable = (reason: Unreadable['reason'], detail: string): Unreadable => ({
  kind: 'unreadable',
  reason,
  detail,
})

/** A stretch of a file. Every position that the functions below take counts from its start. */
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

/** The part of a span from one position up to another, or up to its end. Raises Damage where it is not all there. */
export const part = (span: Span, from: number, to = lengthOf(span)): Span => {
  if (from > to || to > lengthOf(span)) throw endsEarly(span)
  return { ...span, start: span.start + from, end: span.start + to }
}

export const u8 = (span: Span, at: number): number => span.view.getUint8(placeOf(span, at, 1))
export const u16be = (span: Span, at: number): number => span.view.getUint16(placeOf(span, at, 2))
export const u16le = (span: Span, at: number): number => span.view.getUint16(placeOf(span, at, 2), true)
export const u24be = (span: Span, at: number): number => (u8(span, at) << 16) | u16be(span, at + 1)
export const u32be = (span: Span, at: number): number => span.view.getUint32(placeOf(span, at, 4))
export const u32le = (span: Span, at: number): number => span.view.getUint32(placeOf(span, at, 4), true)
export const i32be = (span: Span, at: number): number => span.view.getInt32(placeOf(span, at, 4))
export const i32le = (span: Span, at: number): number => span.view.getInt32(placeOf(span, at, 4), true)

/** Exact up to 2^53; beyond that a file is wrong in any case, and near enough is good enough to find it out. */
export const u64be = (span: Span, at: number): number => u32be(span, at) * 2 ** 32 + u32be(span, at + 4)

/** Four bytes as four characters of Latin-1: the names of boxes, chunks and codecs. */
export const fourLetters = (span: Span, at: number): string =>
  String.fromCharCode(u8(span, at), u8(span, at + 1), u8(span, at + 2), u8(span, at + 3))

/** Letters from a file, which may be anything, as they can stand in a message. */
export const printable = (letters: string): string => letters.replace(/[^\x20-\x7e]/g, '?')

const placeOf = (span: Span, at: number, length: number): number => {
  if (at < 0 || at + length > lengthOf(span)) throw endsEarly(span)
  return span.start + at
}

const endsEarly = (span: Span): Damage => new Damage(`the ${span.name} ends in the middle of its headers`)

/** Budget of a reader of boxes. One for a file, shared by all its walks. */
export interface Walk {
  boxesLeft: number
}

// Fifteen seconds with a fragment for every frame and every sound frame are about eleven thousand boxes.
const MAX_BOXES = 50_000

export const startWalk = (): Walk => ({ boxesLeft: MAX_BOXES })

interface Box {
  /** Four characters: `moov`. */
  readonly type: string
  /** What is inside, without the header. */
  readonly content: Span
}

/**
 * The boxes that follow each other in a span (ISO/IEC 14496-12 §4.2), at whichever depth it is.
 * Raises Damage for a box that does not end within the span, a size that cannot be, and too many boxes.
 */
export function* boxesIn(span: Span, walk: Walk): Generator<Box> {
  let at = 0
  // Fewer than eight bytes are no box: QuickTime ends some of its lists with four zeros.
  while (lengthOf(span) - at >= 8) {
    if (walk.boxesLeft-- <= 0) throw new Damage(`the ${span.name} is made of more than ${MAX_BOXES} boxes`)
    const type = fourLetters(span, at + 4)
    const { header, size } = extentOf(span, at)
    if (size < header)
      throw new Damage(`the ${span.name} has a "${printable(type)}" box with an impossible size`)
    if (at + size > lengthOf(span))
      throw new Damage(`the ${span.name} ends in the middle of its "${printable(type)}" box`)
    yield { type, content: part(span, at + header, at + size) }
    at += size
  }
}

/** The first box of each type in a span. */
export const childrenOf = (span: Span, walk: Walk): ReadonlyMap<string, Span> => {
  const children = new Map<string, Span>()
  for (const { type, content } of boxesIn(span, walk)) if (!children.has(type)) children.set(type, content)
  return children
}

// A size of 1 means a 64-bit size behind the type, and 0 means "up to the end".
const extentOf = (span: Span, at: number): { header: number; size: number } => {
  const size = u32be(span, at)
  if (size === 1) return { header: 16, size: u64be(span, at + 8) }
  return { header: 8, size: size === 0 ? lengthOf(span) - at : size }
}
