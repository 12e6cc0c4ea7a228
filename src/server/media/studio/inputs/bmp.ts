/** The pixels of a picture, row by row from the top, three bytes each: red, green, blue. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}

const HEADERS = 54
const UNCOMPRESSED = [0, 3]

/** The pixels of a plain BMP of 24 or 32 bits, which sharp does not read; undefined for any other kind of BMP. */
export const decodeBmp = (file: Buffer): Raster | undefined => {
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
