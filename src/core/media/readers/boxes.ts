import { Damage, fourLetters, lengthOf, part, printable, type Span, u32be, u64be } from './span.js'

/** What a reader of boxes may still do. One for a file, shared by all its walks. */
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
