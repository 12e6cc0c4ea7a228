import type { Pixels } from './input.js'

const MIN_AREA = 512 * 512
export const MAX_AREA = 2048 * 2048
export const MAX_RATIO = 8

/** Pixels of the `size` of an image request (§A size); undefined when it is not `width*height` (gap A4: only the asterisk separates). */
export const parseSize = (size: string): Pixels | undefined => {
  const match = /^([1-9]\d{0,4})\*([1-9]\d{0,4})$/.exec(size)
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) }
}

/** What a `size` must be and is not, in words; undefined where it is (§A size). A text of another form is that alone. */
type SizeCheck = (size: string) => string | undefined

export const formOfSize: SizeCheck = (size) =>
  parseSize(size) === undefined ? 'width*height in pixels, such as 1024*1024' : undefined

export const areaOfSize: SizeCheck = (size) => {
  const pixels = parseSize(size)
  if (pixels === undefined) return undefined
  const area = pixels.width * pixels.height
  return area >= MIN_AREA && area <= MAX_AREA ? undefined : 'of an area from 512*512 to 2048*2048 pixels'
}

export const ratioOfSize: SizeCheck = (size) => {
  const pixels = parseSize(size)
  if (pixels === undefined) return undefined
  const { width, height } = pixels
  const isWithin = width <= MAX_RATIO * height && height <= MAX_RATIO * width
  return isWithin ? undefined : 'of an aspect ratio from 1:8 to 8:1'
}
