import type { ImageFormat, Probe, Unreadable } from '../../../core/media/facts.js'
import { readBmp } from '../../../core/media/read/bmp.js'
import { troubleOfBoxes } from '../../../core/media/read/container.js'
import { unreadable } from '../../../core/media/read/damage.js'
import { framesOfGif } from '../../../core/media/read/gif-frames.js'
import { scansOfJpeg } from '../../../core/media/read/jpeg-scans.js'
import { chunksOfPng } from '../../../core/media/read/png-chunks.js'
import { pagesOfTiff } from '../../../core/media/read/tiff-pages.js'
import { chunksOfWebp } from '../../../core/media/read/webp-chunks.js'
import { type Header, readHeader, readLastPixel } from './decode.js'

/** The facts of a picture. A header may lie, so that the last pixel is read too, where that can be done in good time. */
export const probePicture = async (
  bytes: Uint8Array,
  format: ImageFormat,
  maxPixels: number,
): Promise<Probe> => {
  if (format === 'bmp') return ofAtMost(maxPixels, readBmp(bytes))
  const trouble = troubleAhead(bytes, format)
  if (trouble) return trouble
  const header = await readHeader(bytes)
  if (!header) return unreadable('damaged', `the ${nameOf(format)} cannot be read: its header is damaged`)
  const probe = ofAtMost(maxPixels, { kind: 'image', format, bytes: bytes.byteLength, ...header.shown })
  const isDecoded = probe.kind === 'image' && canBeDecoded(format, header)
  if (!isDecoded || (await readLastPixel(bytes, header.stored))) return probe
  const name = nameOf(format)
  return unreadable('damaged', `the ${name} cannot be read to its last pixel: it is cut short or damaged`)
}

const nameOf = (format: ImageFormat): string => (format === 'webp' ? 'WebP' : format.toUpperCase())

interface Parts {
  /** Counts up to `most` and stops. */
  readonly count: (bytes: Uint8Array, most: number) => number
  readonly most: number
  readonly name: string
}

// What a decoder goes through one by one, in time that no limit of its own bounds. A JPEG has about ten scans at most;
// animations and scanned papers stay far below a thousand frames or pages, and a PNG has a chunk for some kilobytes.
const partsOf: Readonly<Partial<Record<ImageFormat, Parts>>> = {
  jpeg: { count: scansOfJpeg, most: 32, name: 'scans' },
  png: { count: chunksOfPng, most: 50_000, name: 'chunks' },
  gif: { count: framesOfGif, most: 4096, name: 'frames' },
  webp: { count: chunksOfWebp, most: 4096, name: 'chunks' },
  tiff: { count: pagesOfTiff, most: 4096, name: 'pages' },
}

const troubleAhead = (bytes: Uint8Array, format: ImageFormat): Unreadable | undefined => {
  if (isOfBoxes(format)) return troubleOfBoxes(bytes, nameOf(format))
  const parts = partsOf[format]
  if (!parts || parts.count(bytes, parts.most + 1) <= parts.most) return undefined
  return unreadable('too-large-to-read', `the ${nameOf(format)} has more than ${parts.most} ${parts.name}`)
}

const ofAtMost = (maxPixels: number, probe: Probe): Probe => {
  if (probe.kind !== 'image' || probe.width * probe.height <= maxPixels) return probe
  const [width, height, most] = [probe.width, probe.height, maxPixels.toLocaleString('en-US')]
  const detail = `the ${nameOf(probe.format)} has ${width}x${height} pixels; at most ${most} in all are read`
  return unreadable('too-large-to-read', detail)
}

// The largest picture that a family takes has 6000x6000 pixels; beyond that the header is enough to refuse it.
// A WebP tells its length, so that its header finds most of what is wrong; it takes the longest to decode.
const mostDecodedPixels = (format: ImageFormat): number => (format === 'webp' ? 4000 * 4000 : 6000 * 6000)

// sharp comes without the patents of HEIC, and no family takes an AVIF.
const canBeDecoded = (format: ImageFormat, { stored }: Header): boolean =>
  !isOfBoxes(format) && stored.width * stored.height <= mostDecodedPixels(format)

const isOfBoxes = (format: ImageFormat): boolean => ['heic', 'heif', 'avif'].includes(format)
