import { childrenOf, type Walk } from './boxes.js'
import { Damage } from './damage.js'
import { fourLetters, type Span } from './span.js'

/** Boxes by their type, the first of each. */
export type Boxes = ReadonlyMap<string, Span>

/** `vide`, `soun` or what else a track holds. */
export const handlerOf = (trak: Boxes, walk: Walk): string | undefined => {
  const mdia = trak.get('mdia')
  const hdlr = mdia && childrenOf(mdia, walk).get('hdlr')
  return hdlr && fourLetters(hdlr, 8)
}

/** The boxes of a track's sample table: mdia, minf, stbl. */
export const sampleTableOf = (trak: Boxes, walk: Walk): Boxes => {
  const mdia = childrenOf(needed(trak, 'mdia'), walk)
  const minf = childrenOf(needed(mdia, 'minf'), walk)
  return childrenOf(needed(minf, 'stbl'), walk)
}

/** A box that a track cannot do without. Raises Damage where it is missing. */
export const needed = (boxes: Boxes, type: string): Span => {
  const box = boxes.get(type)
  if (!box) throw new Damage(`the video lacks its "${type}" box`)
  return box
}
