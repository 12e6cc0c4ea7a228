import { oneByOne } from '../one-by-one.js'
import { loadSharp } from '../studio/load.js'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Header {
  /** Without the rotation of EXIF. */
  readonly stored: Size
  readonly shown: Size
}

/** The size of a picture by its header, or `undefined` where sharp makes nothing of it. One frame of an animation. */
export const readHeader = async (bytes: Uint8Array): Promise<Header | undefined> => {
  const sharp = loadSharp()
  try {
    const { width, height, autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata()
    return { stored: { width, height }, shown: autoOrient }
  } catch {
    return undefined
  }
}

/**
 * Whether a picture can be read to its end, which its last pixel tells: what comes before it is decoded on the way.
 * Also true where that takes more than a second, so that nobody knows.
 */
export const readLastPixel = (bytes: Uint8Array, stored: Size): Promise<boolean> =>
  stored.width * stored.height > MOST_PIXELS_AT_ONCE
    ? inTurn(() => decodeLastPixel(bytes, stored))
    : decodeLastPixel(bytes, stored)

// Interlaced and animated pictures are held in memory as a whole, up to 300 MB: large ones go one after the other.
const MOST_PIXELS_AT_ONCE = 4_000_000

const inTurn = oneByOne()

const decodeLastPixel = async (bytes: Uint8Array, { width, height }: Size): Promise<boolean> => {
  const sharp = loadSharp()
  const last = { left: width - 1, top: height - 1, width: 1, height: 1 }
  try {
    // At `truncated`, which is one step milder, a TIFF whose pixels are missing would pass.
    const picture = sharp(bytes, { failOn: 'error', sequentialRead: true })
    await picture.extract(last).timeout({ seconds: 1 }).raw().toBuffer()
    return true
  } catch (error) {
    // On a busy machine a large picture takes longer. It is not damaged for that: its header is believed.
    return (error as Error).message.startsWith('timeout')
  }
}
