import { LRUCache } from 'lru-cache'
import type { Sharp } from 'sharp'
import { createSemaphore } from '../../concurrency.js'
import { EmulatorError } from '../../core/errors.js'
import type { Pixels } from '../../core/media/input.js'
import { withoutTextOfPng } from '../../core/media/readers/image.js'
import { sniff } from '../../core/media/readers/sniff.js'
import type { MediaInput } from '../../core/media/spec.js'
import { noQuotaReporter, type QuotaReporter } from '../../core/quotas.js'
import type { Raster } from './drawing.js'
import { loadSharp } from './sharp.js'

/** Preview of an input: the size of its pixels, or a text where there are no pixels to show. */
export type Preview =
  | { readonly kind: 'pixels'; readonly width: number; readonly height: number }
  | { readonly kind: 'text'; readonly text: string }

/** Pictures of users, decoded and cut to the sizes in which results show them. */
export interface InputPictures {
  /** @throws EmulatorError `input-missing` where the bytes that the spec names are gone */
  preview(input: MediaInput): Promise<Preview>
  /** The input's pixels, cut to exactly `width` x `height` around the middle. Only for a preview of kind `pixels`. */
  cover(input: MediaInput, width: number, height: number): Promise<Raster>
  memoryBytes(): number
}

/** Reads the bytes of a user's input by their SHA-256 in hex; undefined when they are not stored. */
export type ReadBlob = (hash: string) => Promise<Uint8Array | undefined>

export interface InputPicturesOptions {
  readonly readBlob: ReadBlob
  /** Memory for cut pictures. One input is often shown several times: `n` pictures of one request. */
  readonly mediaMemoryBytes: number
  readonly quotas?: QuotaReporter
}

// The services take sides up to 6000 pixels; a picture that says more is not worth the memory.
const MAX_PIXELS = 64_000_000

// A picture of up to 30 MB is in memory while it is decoded, and the decoder has four threads.
const MAX_AT_ONCE = 4

export const createInputPictures = ({
  readBlob,
  mediaMemoryBytes,
  quotas = noQuotaReporter,
}: InputPicturesOptions): InputPictures => {
  const semaphore = createSemaphore(MAX_AT_ONCE)
  const previews = new LRUCache<string, Preview>({ max: 1000 })
  const rasters = new LRUCache<string, Raster>({
    maxSize: Math.max(1, mediaMemoryBytes),
    sizeCalculation: ({ data }) => data.length,
    dispose: (_raster, _name, why) => {
      if (why === 'evict') quotas.hit('media-in-memory')
    },
  })
  const bytesOf = async (hash: string): Promise<Buffer> => {
    const bytes = await readBlob(hash)
    if (bytes === undefined) throw inputMissing(hash)
    const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return sniff(picture) === 'png' ? withoutTextOfPng(picture) : picture
  }
  const previewOf = async (blob: string, bytes: Buffer): Promise<Preview> => {
    const preview = previews.get(blob) ?? (await decodePreview(bytes))
    previews.set(blob, preview)
    return preview
  }
  return {
    preview: async ({ kind, blob }) => {
      if (kind !== 'image') return { kind: 'text', text: kind }
      if (blob === null) return { kind: 'text', text: 'image at another host' }
      return semaphore.run(async () => previews.get(blob) ?? previewOf(blob, await bytesOf(blob)))
    },
    cover: ({ blob }, width, height) =>
      semaphore.run(async () => {
        const name = `${blob} ${width}x${height}`
        const cached = rasters.get(name)
        if (cached !== undefined) return cached
        const bytes = await bytesOf(blob ?? '')
        const preview = await previewOf(blob ?? '', bytes)
        const wanted = { width, height }
        const raster = await cutOut(bytes, preview.kind === 'pixels' ? preview : wanted, wanted)
        rasters.set(name, raster)
        // One that is larger than the memory is not kept, without a call of `dispose`.
        if (!rasters.has(name)) quotas.hit('media-in-memory')
        return raster
      }),
    memoryBytes: () => rasters.calculatedSize,
  }
}

export const inputMissing = (hash: string): EmulatorError => {
  const name = `The input ${hash.slice(0, 12)}… of this result`
  return new EmulatorError(`${name} is no longer stored, so it cannot be shown.`, {
    code: 'input-missing',
    hint: 'Allow more room for inputs (setting inputBytes), or create the task again.',
  })
}

const open = (bytes: Buffer): Sharp => {
  const sharp = loadSharp()
  const bmp = decodeBmp(bytes)
  return bmp
    ? sharp(bmp.data, { raw: { width: bmp.width, height: bmp.height, channels: 3 } })
    : sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'none' }).autoOrient()
}

// HEIC has metadata, but no pixels that sharp could read. One small decode finds what metadata does not tell.
const decodePreview = async (bytes: Buffer): Promise<Preview> => {
  if (['heic', 'heif'].includes(sniff(bytes) ?? '')) return { kind: 'text', text: 'HEIC image' }
  try {
    const picture = open(bytes)
    const { width, height, autoOrient } = await picture.metadata()
    await picture.clone().resize(8, 8, { fit: 'fill' }).raw().toBuffer()
    return { kind: 'pixels', width: autoOrient?.width ?? width, height: autoOrient?.height ?? height }
  } catch {
    const isBmp = bytes.toString('latin1', 0, 2) === 'BM'
    return { kind: 'text', text: isBmp ? 'BMP image' : 'unreadable image' }
  }
}

/** Cuts a picture to a size. @param size of the picture, upright */
const cutOut = async (bytes: Buffer, size: Pixels, wanted: Pixels): Promise<Raster> => {
  const data = await middleOf(open(bytes), size, wanted)
    .resize(wanted.width, wanted.height, { fit: 'cover' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  return { ...wanted, data }
}

// The longest side of a picture that the decoder scales; what is longer would be cut off anyway.
const MAX_SCALED_SIDE = 1_000_000

/** Middle of a picture that is too thin to be scaled; any other picture as it is. */
const middleOf = (picture: Sharp, { width, height }: Pixels, wanted: Pixels): Sharp => {
  const scale = Math.max(wanted.width / width, wanted.height / height)
  if (Math.max(width, height) * scale <= MAX_SCALED_SIDE) return picture
  const max = Math.ceil(MAX_SCALED_SIDE / scale)
  const size = { width: Math.min(width, max), height: Math.min(height, max) }
  const left = Math.floor((width - size.width) / 2)
  const top = Math.floor((height - size.height) / 2)
  return picture.extract({ ...size, left, top })
}

const BMP_HEADER_BYTES = 54
const UNCOMPRESSED = [0, 3]

/** The pixels of a plain BMP of 24 or 32 bits, which sharp does not read; undefined for any other kind of BMP. */
const decodeBmp = (file: Buffer): Raster | undefined => {
  if (file.length < BMP_HEADER_BYTES || file.toString('latin1', 0, 2) !== 'BM' || file.readUInt32LE(14) < 40)
    return undefined
  const width = file.readInt32LE(18)
  const signedHeight = file.readInt32LE(22)
  const height = Math.abs(signedHeight)
  const start = file.readUInt32LE(10)
  const bytesPerPixel = file.readUInt16LE(28) / 8
  const bytesPerRow = Math.ceil((width * bytesPerPixel) / 4) * 4
  const isPlain = [3, 4].includes(bytesPerPixel) && UNCOMPRESSED.includes(file.readUInt32LE(30))
  if (!isPlain || width <= 0 || height === 0 || start + bytesPerRow * height > file.length) return undefined
  const data = Buffer.allocUnsafe(width * height * 3)
  for (let y = 0, target = 0; y < height; y++) {
    let source = start + (signedHeight > 0 ? height - 1 - y : y) * bytesPerRow
    // A BMP keeps blue first.
    for (let x = 0; x < width; x++, source += bytesPerPixel) {
      data[target++] = file[source + 2] ?? 0
      data[target++] = file[source + 1] ?? 0
      data[target++] = file[source] ?? 0
    }
  }
  return { width, height, data }
}
