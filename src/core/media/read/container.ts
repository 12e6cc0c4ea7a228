import type { Unreadable } from '../facts.js'
import { boxesIn, childrenOf, startWalk, type Walk } from './boxes.js'
import { Damage, unreadable } from './damage.js'
import { part, type Span, spanOf, u32be } from './span.js'

/**
 * What is wrong with the boxes of a HEIC, HEIF or AVIF, whose pixels are not decoded: without this a file that is cut
 * short would pass, and a size beyond all reason would confuse the decoder. `undefined` where nothing is.
 */
export const troubleOfBoxes = (bytes: Uint8Array, name: string): Unreadable | undefined => {
  try {
    const walk = startWalk()
    const boxes = childrenOf(spanOf(bytes, name), walk)
    const meta = boxes.get('meta')
    if (meta) checkSizes(meta, walk)
    if (meta || boxes.has('moov')) return undefined
    return unreadable('damaged', `the ${name} does not say what is in it (no "meta" box)`)
  } catch (error) {
    if (error instanceof Damage) return unreadable(error.reason, error.message)
    throw error
  }
}

const LONGEST_SIDE = 1_000_000

/** The sizes of all pictures of a file are among the properties of its items: meta, iprp, ipco, ispe. */
const checkSizes = (meta: Span, walk: Walk): void => {
  // The box has a version before its boxes.
  const iprp = childrenOf(part(meta, 4), walk).get('iprp')
  const ipco = iprp && childrenOf(iprp, walk).get('ipco')
  for (const { type, content } of ipco ? boxesIn(ipco, walk) : []) {
    if (type !== 'ispe') continue
    const [width, height] = [u32be(content, 4), u32be(content, 8)]
    if (Math.max(width, height) <= LONGEST_SIDE) continue
    throw new Damage(`the ${meta.name} says that it is ${width}x${height} pixels`, 'too-large-to-read')
  }
}
