import { boxesIn, childrenOf, type Walk } from './boxes.js'
import { Damage } from './damage.js'
import { lengthOf, part, printable, type Span, u8, u16be } from './span.js'
import { type Boxes, sampleTableOf } from './track-boxes.js'

const videoCodecs: Readonly<Record<string, string>> = {
  avc1: 'h264',
  avc3: 'h264',
  hvc1: 'h265',
  hev1: 'h265',
}

/** The codec of a video track and its pixels as stored: the first entry of its sample description (stsd). */
export const videoEntryOf = (stsd: Span, walk: Walk): { codec: string; width: number; height: number } => {
  const { type, content } = firstEntryOf(stsd, walk)
  const [width, height] = [u16be(content, 24), u16be(content, 26)]
  if (width === 0 || height === 0) throw new Damage(`the video says that it is ${width}x${height} pixels`)
  return { codec: videoCodecs[type] ?? printable(type), width, height }
}

/** `aac`, `mp3`, or the four letters of any other codec of a sound track. */
export const audioCodecOf = (trak: Boxes, walk: Walk): string | undefined => {
  const stsd = sampleTableOf(trak, walk).get('stsd')
  if (!stsd) return undefined
  const { type, content } = firstEntryOf(stsd, walk)
  if (type === 'mp4a') return mpegCodecOf(content, walk) ?? type
  return MP3_TYPES.includes(type) ? 'mp3' : printable(type)
}

// QuickTime names MP3 by itself, or by the number it has in WAV files.
const MP3_TYPES = ['.mp3', 'ms\0U']

const firstEntryOf = (stsd: Span, walk: Walk) => {
  const { value } = boxesIn(part(stsd, 8), walk).next()
  if (!value) throw new Damage('the video does not say how it is written (its "stsd" box is empty)')
  return value
}

// "mp4a" stands for all sound that MPEG-4 knows; which one is the object type in the esds box.
const mpegCodecOf = (entry: Span, walk: Walk): string | undefined => {
  const children = childrenOf(part(entry, bytesBeforeBoxes(entry)), walk)
  const wave = children.get('wave')
  const esds = children.get('esds') ?? (wave && childrenOf(wave, walk).get('esds'))
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

// QuickTime has three versions of the entry, each with more fields before its boxes.
const bytesBeforeBoxes = (entry: Span): number => [28, 44, 64][u16be(entry, 8)] ?? 28

const ES_DESCRIPTOR = 3
const DECODER_CONFIGURATION = 4

/** The object type in an esds box (ISO/IEC 14496-1 §7.2.6): a descriptor within a descriptor. 0 where there is none. */
const objectTypeOf = (esds: Span): number => {
  const outer = descriptorAt(esds, 4)
  if (outer.tag !== ES_DESCRIPTOR) return 0
  const flags = u8(esds, outer.content + 2)
  const afterDependence = outer.content + 3 + (flags & 0x80 ? 2 : 0)
  const afterUrl = afterDependence + (flags & 0x40 ? 1 + u8(esds, afterDependence) : 0)
  const inner = descriptorAt(esds, afterUrl + (flags & 0x20 ? 2 : 0))
  return inner.tag === DECODER_CONFIGURATION ? u8(esds, inner.content) : 0
}

// The length takes one to four bytes, of which each but the last has its highest bit set.
const descriptorAt = (esds: Span, at: number): { tag: number; content: number } => {
  let content = at + 2
  while (content < at + 5 && content <= lengthOf(esds) && u8(esds, content - 1) & 0x80) content++
  return { tag: u8(esds, at), content }
}
