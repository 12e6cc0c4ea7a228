import { lengthOf, type Span, spanOf, u8, u16be } from './span.js'

/**
 * How many scans a JPEG is made of, counted up to `most`: 1, or about ten where it is progressive. Each of them costs
 * a decoder a walk over all its pixels, so that a small file with thousands keeps it busy for minutes. Never raises.
 */
export const scansOfJpeg = (bytes: Uint8Array, most: number): number => {
  const file = spanOf(bytes, 'JPEG')
  let scans = 0
  let at = nextMarker(bytes, 2)
  while (at + 4 <= lengthOf(file) && scans < most) {
    const marker = u8(file, at + 1)
    if (marker === END_OF_IMAGE) break
    if (marker === START_OF_SCAN) scans++
    at = nextMarker(bytes, behind(file, at))
  }
  return scans
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

// A segment tells its length; the pixels behind a scan's header do not, and are passed by in search of the next marker.
const behind = (file: Span, at: number): number => at + 2 + u16be(file, at + 2)

const nextMarker = (bytes: Uint8Array, from: number): number => {
  let at = bytes.indexOf(0xff, from)
  while (at !== -1 && !isMarker(bytes[at + 1])) at = bytes.indexOf(0xff, at + 1)
  return at === -1 ? bytes.byteLength : at
}

// Among pixels, 0xFF is followed by 0, or by a restart marker; before a marker it may be repeated.
const isMarker = (code = 0): boolean => code > 0x01 && code !== 0xff && !(code >= 0xd0 && code <= 0xd8)
