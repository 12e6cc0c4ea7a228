import type { Pixels } from '../../core/media/input.js'

/** Bounds of the `size` of an image: its area in pixels, and the longer side by the shorter one. */
export interface SizeBounds {
  readonly 'size-area': { readonly min: number; readonly max: number }
  readonly 'size-ratio': { readonly max: number }
}

/** Bounds of A and A2, unless a profile changes them (§A size). */
export const sizeBounds = {
  /** In pixels. */
  'size-area': { min: 512 * 512, max: 2048 * 2048 },
  /** The longer side by the shorter one. */
  'size-ratio': { max: 8 },
} satisfies SizeBounds

/** Pixels of the `size` of an image request (§A size); undefined when it is not `width*height` (gap A4: only the asterisk separates). */
export const parseSize = (size: string): Pixels | undefined => {
  const match = /^([1-9]\d{0,4})\*([1-9]\d{0,4})$/.exec(size)
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) }
}

/** What a `size` must be and is not, in words; undefined where it is (§A size). */
export type SizeCheck = (size: string) => string | undefined

// In the place of a text of another form, which fails the check of its form alone.
const VALID: Pixels = { width: 1024, height: 1024 }

/** Checks of a `size`, each with the words that end "must be" and "is". */
export const sizeChecksOf = ({ 'size-area': area, 'size-ratio': { max } }: SizeBounds) => {
  const ofArea = `from ${squareWords(area.min)} to ${squareWords(area.max)} pixels`
  const ofRatio = `from 1:${max} to ${max}:1`
  return {
    form: {
      is: 'width*height',
      check: (size) =>
        parseSize(size) === undefined ? 'width*height in pixels, such as 1024*1024' : undefined,
    },
    area: {
      is: ofArea,
      check: (size) => {
        const { width, height } = parseSize(size) ?? VALID
        const isWithin = width * height >= area.min && width * height <= area.max
        return isWithin ? undefined : `of an area ${ofArea}`
      },
    },
    ratio: {
      is: ofRatio,
      check: (size) => {
        const { width, height } = parseSize(size) ?? VALID
        const isWithin = width <= max * height && height <= max * width
        return isWithin ? undefined : `of an aspect ratio ${ofRatio}`
      },
    },
  } satisfies Readonly<Record<string, { readonly is: string; readonly check: SizeCheck }>>
}

/** A number of pixels as a square where it is one: `512*512`. */
const squareWords = (pixels: number): string => {
  const side = Math.sqrt(pixels)
  return Number.isInteger(side) ? `${side}*${side}` : String(pixels)
}
