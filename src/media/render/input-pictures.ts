import { LRUCache } from 'lru-cache'
import type { OutputInfo, Sharp } from 'sharp'
import { noQuotas, type Quotas } from '../../accounts/quotas.js'
import { EmulatorError } from '../../core/errors.js'
import type { Pixels } from '../../core/media/image-size.js'
import type { MediaInput } from '../../core/media/spec.js'
import { loadSharp } from './packages.js'

/** What an input looks like: pixels of a certain size, or words for what stands in for pixels that cannot be had. */
export type Look =
  | { readonly kind: 'pixels'; readonly width: number; readonly height: number }
  | { readonly kind: 'words'; readonly words: string }

export interface Inputs {
  /** EmulatorError when the bytes that the spec names are gone. */
  look(input: MediaInput): Promise<Look>
  /** The input's pixels, cut to exactly `width` x `height` around the middle. Only for an input that looks like `pixels`. */
  cut(input: MediaInput, width: number, height: number): Promise<Raster>
  memoryBytes(): number
}

export interface InputsOptions {
  readonly readBlob: (hash: string) => Promise<Uint8Array | undefined>
  /** What cut pictures may take in memory. One input is often drawn several times: `n` pictures of one request. */
  readonly maxMemoryBytes: number
  readonly bounds?: Quotas
}

// The services take sides up to 6000 pixels; a picture that says more is not worth the memory.
const MOST_PIXELS = 64_000_000

export const createInputs = ({ readBlob, maxMemoryBytes, bounds = noQuotas }: InputsOptions): Inputs => {
  const looks = new LRUCache<string, Look>({ max: 1000 })
  const cuts = new LRUCache<string, Raster>({
    maxSize: Math.max(1, maxMemoryBytes),
    sizeCalculation: ({ data }) => data.length,
    dispose: (_raster, _name, why) => {
      if (why === 'evict') bounds.hit('media-in-memory')
    },
  })
  const bytesOf = async (hash: string): Promise<Buffer> => {
    const bytes = await readBlob(hash)
    if (bytes === undefined) throw missing(hash)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  const look = async (input: MediaInput): Promise<Look> => {
    if (input.kind !== 'image') return { kind: 'words', words: input.kind }
    if (input.blob === null) return { kind: 'words', words: 'image at another host' }
    return looks.get(input.blob) ?? looked(input.blob, await bytesOf(input.blob))
  }
  const looked = async (blob: string, bytes: Buffer): Promise<Look> => {
    const look = await lookAt(bytes)
    looks.set(blob, look)
    return look
  }
  const cutAnew = async (blob: string, wanted: Pixels): Promise<Raster> => {
    const bytes = await bytesOf(blob)
    const seen = looks.get(blob) ?? (await looked(blob, bytes))
    return cutOut(bytes, seen.kind === 'pixels' ? seen : wanted, wanted)
  }
  return {
    look,
    cut: async (input, width, height) => {
      const name = `${input.blob} ${width}x${height}`
      const raster = cuts.get(name) ?? (await cutAnew(input.blob ?? '', { width, height }))
      cuts.set(name, raster)
      return raster
    },
    memoryBytes: () => cuts.calculatedSize,
  }
}

export const missing = (hash: string): EmulatorError =>
  new EmulatorError(
    `The input ${hash.slice(0, 12)}… of this result is no longer stored, so it cannot be drawn.`,
    {
      code: 'input-missing',
      hint: 'Allow more room for inputs (setting inputBytes), or create the task again.',
    },
  )

const open = (bytes: Buffer): Sharp => {
  const sharp = loadSharp()
  const bmp = decodeBmp(bytes)
  return bmp
    ? sharp(bmp.data, { raw: { width: bmp.width, height: bmp.height, channels: 3 } })
    : sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'none' }).autoOrient()
}

// One small decode finds what metadata does not tell: HEIC has metadata, but no pixels that sharp could read.
const lookAt = async (bytes: Buffer): Promise<Look> => {
  try {
    const picture = open(bytes)
    const { width, height, autoOrient, format } = await picture.metadata()
    if (format === 'heif' && !bytes.subarray(8, 32).includes('avif'))
      return { kind: 'words', words: 'HEIC image' }
    await picture.clone().resize(8, 8, { fit: 'fill' }).raw().toBuffer()
    return { kind: 'pixels', width: autoOrient?.width ?? width, height: autoOrient?.height ?? height }
  } catch {
    return {
      kind: 'words',
      words: bytes.toString('latin1', 0, 2) === 'BM' ? 'BMP image' : 'unreadable image',
    }
  }
}

/** `seen`: the size of the picture, upright. */
const cutOut = async (bytes: Buffer, seen: Pixels, { width, height }: Pixels): Promise<Raster> => {
  const picture = middleOf(open(bytes), seen, { width, height })
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: '#fff' })
  const { data }: { data: Buffer; info: OutputInfo } = await picture
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width, height, data }
}

// The longest side of a picture that the decoder scales; what is longer would be cut off anyway.
const MOST_SCALED = 1_000_000

/** A picture so thin that it would be scaled beyond what can be is cut to its middle before. */
const middleOf = (picture: Sharp, { width, height }: Pixels, wanted: Pixels): Sharp => {
  const scale = Math.max(wanted.width / width, wanted.height / height)
  if (Math.max(width, height) * scale <= MOST_SCALED) return picture
  const most = Math.ceil(MOST_SCALED / scale)
  const size = { width: Math.min(width, most), height: Math.min(height, most) }
  const [left, top] = [(width - size.width) / 2, (height - size.height) / 2].map(Math.floor)
  return picture.extract({ ...size, left: left ?? 0, top: top ?? 0 })
}

/** The pixels of a picture, row by row from the top, three bytes each: red, green, blue. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}

const HEADERS = 54
const UNCOMPRESSED = [0, 3]

/** The pixels of a plain BMP of 24 or 32 bits, which sharp does not read; undefined for any other kind of BMP. */
const decodeBmp = (file: Buffer): Raster | undefined => {
  if (file.length < HEADERS || file.toString('latin1', 0, 2) !== 'BM' || file.readUInt32LE(14) < 40)
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
  for (let y = 0; y < height; y++) {
    const row = signedHeight > 0 ? height - 1 - y : y
    copyRow(file, start + row * bytesPerRow, bytesPerPixel, data, y * width * 3, width)
  }
  return { width, height, data }
}

// A BMP keeps blue first.
const copyRow = (
  from: Buffer,
  at: number,
  bytesPerPixel: number,
  to: Buffer,
  start: number,
  width: number,
) => {
  for (let x = 0; x < width; x++) {
    const source = at + x * bytesPerPixel
    const target = start + x * 3
    to[target] = from[source + 2] ?? 0
    to[target + 1] = from[source + 1] ?? 0
    to[target + 2] = from[source] ?? 0
  }
}
