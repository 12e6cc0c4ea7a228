import { createMutex } from '../concurrency.js'
import type { ImageFormat, Pixels, Probe, Unreadable } from '../core/media/input.js'
import {
  boxProblem,
  chunksOfPng,
  chunksOfWebp,
  entriesOfTiff,
  framesOfGif,
  largestPageOfTiff,
  pagesOfTiff,
  readBmp,
  scansOfJpeg,
  withoutTextOfPng,
} from '../core/media/readers/image.js'
import { readMovie } from '../core/media/readers/movie.js'
import { readMp3 } from '../core/media/readers/mp3.js'
import { foreignFormat, sniff } from '../core/media/readers/sniff.js'
import { unreadable } from '../core/media/readers/span.js'
import { readWav } from '../core/media/readers/wav.js'
import { loadSharp } from './render/sharp.js'

export { sniff }

const MAX_PIXELS = 16_383 ** 2

/**
 * Probes the bytes of a medium that a user sent, whatever its name says (§A image, §F media limits, gap A8, D7).
 * Never rejects because of the bytes: those that cannot be read are `unreadable`, with a sentence for the user.
 * @param maxPixels pictures of more pixels are `too-large-to-read`
 */
export const probe = async (bytes: Uint8Array, maxPixels = MAX_PIXELS): Promise<Probe> => {
  const format = sniff(bytes)
  switch (format) {
    case undefined:
      return unreadable('unknown', foreignFormat(bytes))
    case 'mp4':
    case 'mov':
      return readMovie(bytes, format)
    case 'wav':
      return readWav(bytes)
    case 'mp3':
      return readMp3(bytes)
    default:
      // A bare Uint8Array of another realm than the global one, as those of a worker in jsdom, is no input for sharp.
      return probePicture(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format, maxPixels)
  }
}

/** Probes a picture. Its header may be wrong, so that its last pixel is decoded too, where that does not take too long. */
const probePicture = async (bytes: Buffer, format: ImageFormat, maxPixels: number): Promise<Probe> => {
  if (format === 'bmp') return limitPixels(maxPixels, readBmp(bytes))
  const trouble = troubleAhead(bytes, format)
  if (trouble) return trouble
  const name = nameOf(format)
  const decoded = readable(bytes, format)
  const header = await readHeader(decoded)
  if (!header) return unreadable('damaged', `the ${name} cannot be read: its header is damaged`)
  const probe = limitPixels(maxPixels, { kind: 'image', format, bytes: bytes.byteLength, ...header.shown })
  const isDecoded = probe.kind === 'image' && canBeDecoded(format, header)
  if (!isDecoded || (await readLastPixel(decoded, header.stored, 'error'))) return probe
  if (format === 'jpeg' && (await readLastPixel(withEnd(decoded), header.stored, 'warning'))) return probe
  return unreadable('damaged', `the ${name} cannot be read to its last pixel: it is cut short or damaged`)
}

/** Bytes as the decoder reads them: a PNG without compressed texts, and a HEIC or HEIF by brands that it knows. */
const readable = (bytes: Buffer, format: ImageFormat): Buffer => {
  if (format === 'png') return withoutTextOfPng(bytes)
  if ((format !== 'heic' && format !== 'heif') || bytes.toString('latin1', 4, 8) !== 'ftyp') return bytes
  const brand = format === 'heic' ? 'heic' : 'mif1'
  const copy = Buffer.from(bytes)
  copy.write(brand, MAJOR_BRAND_AT, 'latin1')
  if (copy.readUInt32BE(0) >= COMPATIBLE_BRAND_AT + 4) copy.write(brand, COMPATIBLE_BRAND_AT, 'latin1')
  return copy
}

const MAJOR_BRAND_AT = 8
const COMPATIBLE_BRAND_AT = 16

/** A JPEG with the marker that ends it: some cameras leave it out. One that lacks more than that is warned of by the decoder. */
const withEnd = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.of(0xff, 0xd9)])

const nameOf = (format: ImageFormat): string => (format === 'webp' ? 'WebP' : format.toUpperCase())

/** Parts of a format that a decoder goes through one by one. */
interface Parts {
  /** Counts up to `max` and stops. */
  readonly count: (bytes: Uint8Array, max: number) => number
  readonly max: number
  readonly name: string
}

// Limits of what decoders go through one by one without a time limit of their own. A JPEG has about ten scans at most;
// animations and scanned papers stay far below a thousand frames or pages, and a PNG has a chunk for some kilobytes.
// A page of a TIFF has some twenty entries.
const partsOf: Readonly<Partial<Record<ImageFormat, readonly Parts[]>>> = {
  jpeg: [{ count: scansOfJpeg, max: 32, name: 'scans' }],
  png: [{ count: chunksOfPng, max: 50_000, name: 'chunks' }],
  gif: [{ count: framesOfGif, max: 4096, name: 'frames' }],
  webp: [{ count: chunksOfWebp, max: 4096, name: 'chunks' }],
  tiff: [
    { count: pagesOfTiff, max: 4096, name: 'pages' },
    { count: largestPageOfTiff, max: 256, name: 'entries in a page' },
    { count: entriesOfTiff, max: 100_000, name: 'entries' },
  ],
}

const troubleAhead = (bytes: Uint8Array, format: ImageFormat): Unreadable | undefined => {
  if (isOfBoxes(format)) return boxProblem(bytes, nameOf(format))
  const tooMany = partsOf[format]?.find(({ count, max }) => count(bytes, max + 1) > max)
  if (!tooMany) return undefined
  const detail = `the ${nameOf(format)} has more than ${tooMany.max} ${tooMany.name}`
  return unreadable('too-large-to-read', detail)
}

const limitPixels = (maxPixels: number, probe: Probe): Probe => {
  if (probe.kind !== 'image' || probe.width * probe.height <= maxPixels) return probe
  const { width, height } = probe
  const max = maxPixels.toLocaleString('en-US')
  const detail = `the ${nameOf(probe.format)} has ${width}x${height} pixels; at most ${max} in all are read`
  return unreadable('too-large-to-read', detail)
}

// The largest picture that a family takes has 6000x6000 pixels; beyond that the header is enough to refuse it.
// A WebP tells its length, so that its header finds most of what is wrong; it takes the longest to decode.
// sharp comes without the patents of HEIC, and no family takes an AVIF.
const canBeDecoded = (format: ImageFormat, { stored }: Header): boolean => {
  const maxPixels = format === 'webp' ? 4000 * 4000 : 6000 * 6000
  return !isOfBoxes(format) && stored.width * stored.height <= maxPixels
}

const isOfBoxes = (format: ImageFormat): boolean => ['heic', 'heif', 'avif'].includes(format)

interface Header {
  /** Without the rotation of EXIF. */
  readonly stored: Pixels
  readonly shown: Pixels
}

/** Size of a picture (of an animation: of one frame) by its header; undefined where sharp cannot read it. */
const readHeader = async (bytes: Buffer): Promise<Header | undefined> => {
  const sharp = loadSharp()
  try {
    const { width, height, autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata()
    return { stored: { width, height }, shown: autoOrient }
  } catch {
    return undefined
  }
}

/**
 * Decodes a picture up to its last pixel. Resolves with whether that succeeded.
 * Also true where that takes more than a second, so that it is not known.
 */
const readLastPixel = (bytes: Buffer, stored: Pixels, failOn: FailOn): Promise<boolean> =>
  stored.width * stored.height > MAX_PIXELS_AT_ONCE
    ? mutex.run(() => decodeLastPixel(bytes, stored, failOn))
    : decodeLastPixel(bytes, stored, failOn)

// At `truncated`, which is one step milder than `error`, a TIFF whose pixels are missing would pass.
type FailOn = 'error' | 'warning'

// Interlaced and animated pictures are held in memory as a whole, up to 300 MB: large ones go one after the other.
const MAX_PIXELS_AT_ONCE = 4_000_000

const mutex = createMutex()

const decodeLastPixel = async (
  bytes: Buffer,
  { width, height }: Pixels,
  failOn: FailOn,
): Promise<boolean> => {
  const sharp = loadSharp()
  const last = { left: width - 1, top: height - 1, width: 1, height: 1 }
  try {
    const picture = sharp(bytes, { failOn, sequentialRead: true })
    await picture.extract(last).timeout({ seconds: 1 }).raw().toBuffer()
    return true
  } catch (error) {
    // On a busy machine a large picture takes longer. It is not damaged for that: its header is believed.
    return (error as Error).message.startsWith('timeout')
  }
}
