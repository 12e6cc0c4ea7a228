import type { Pixels } from './input.js'

const MIN_AREA = 512 * 512
export const MAX_AREA = 2048 * 2048
export const MAX_RATIO = 8

/** Pixels of the `size` of an image request (§A size); undefined when it is not `width*height` (gap A4: only the asterisk separates). */
export const parseSize = (size: string): Pixels | undefined => {
  const match = /^([1-9]\d{0,4})\*([1-9]\d{0,4})$/.exec(size)
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) }
}

/** What a `size` must be and is not, in words; undefined where it is (§A size). */
export type SizeCheck = (size: string) => string | undefined

// In the place of a text of another form, which fails the check of its form alone.
const VALID: Pixels = { width: 1024, height: 1024 }

/** Checks of a `size`. */
export const sizeChecks = {
  form: (size) => (parseSize(size) === undefined ? 'width*height in pixels, such as 1024*1024' : undefined),
  area: (size) => {
    const { width, height } = parseSize(size) ?? VALID
    const isWithin = width * height >= MIN_AREA && width * height <= MAX_AREA
    return isWithin ? undefined : 'of an area from 512*512 to 2048*2048 pixels'
  },
  ratio: (size) => {
    const { width, height } = parseSize(size) ?? VALID
    const isWithin = width <= MAX_RATIO * height && height <= MAX_RATIO * width
    return isWithin ? undefined : 'of an aspect ratio from 1:8 to 8:1'
  },
} satisfies Readonly<Record<string, SizeCheck>>
