import type { Area } from '../drawing.js'

/** Layout of a card: where everything goes at a certain size. */
export type CardLayout = ReturnType<typeof cardLayoutOf>

interface CardLayoutOptions {
  readonly width: number
  readonly height: number
  readonly footerHeight: number
  readonly hasGallery: boolean
}

/** Pixels to the em of small type. */
export const typeSizeFor = (width: number, height: number): number =>
  Math.max(11, Math.sqrt(width * height) * 0.0165)

export const marginFor = (width: number, height: number): number =>
  Math.max(12, Math.min(width, height) * 0.055)

/** Layout of a card, for ratios from 1:8 to 8:1. Prints stand beside the prompt on a wide card and below it on any other. */
export const cardLayoutOf = (options: CardLayoutOptions) => {
  const { width, height, footerHeight } = options
  // Everything else is measured by it.
  const size = typeSizeFor(width, height)
  const margin = marginFor(width, height)
  const inner = width - 2 * margin
  const streetHeight = roundToEven(Math.max(10, Math.min(width, height) * 0.075))
  // Even numbers, so that moving traffic can be laid on it in video frames.
  const street = { x: 0, y: roundToEven(height - footerHeight - streetHeight), width, height: streetHeight }
  const brand = { x: margin, y: margin, width: inner, height: size * 1.35 }
  const top = margin + brand.height * 2.1
  const body = { x: margin, y: top, width: inner, height: street.y - top - size }
  const isStrip = width / height > 2.6
  const townHeight = isStrip ? street.y * 0.6 : Math.min(street.y * 0.4, width * 0.8)
  const townLeft = isStrip ? width * 0.56 : 0
  // Where the facades stand: its lower edge is the street's upper one.
  const town = { x: townLeft, y: street.y - townHeight, width: width - townLeft, height: townHeight }
  const clearance = townHeight * FREE_TOWN
  const areas = divide(body, { ...options, isStrip, clearance, townHeight: isStrip ? 0 : townHeight * 0.94 })
  const { prompt } = areas
  const largest = Math.min(Math.sqrt(width * height) * 0.1, prompt.width * 0.19, prompt.height * 0.42)
  const promptSizes = { smallest: size * 1.15, largest }
  return { width, height, size, brand, town, street, ...areas, promptSizes }
}

/** Share of the town's height, from the street up, that the gallery leaves to be seen. */
const FREE_TOWN = 0.3

const roundToEven = (pixels: number): number => 2 * Math.round(pixels / 2)

/** Divides the body of a card between the prompt, which stays above the town, and the gallery. */
const divide = (
  body: Area,
  options: CardLayoutOptions & {
    readonly isStrip: boolean
    readonly townHeight: number
    readonly clearance: number
  },
): { prompt: Area; gallery: Area } => {
  const height = body.height - options.townHeight
  if (!options.hasGallery) {
    const width = options.isStrip ? body.width * 0.52 : body.width
    return { prompt: { ...body, width, height }, gallery: body }
  }
  if (options.width / options.height > 1.15) {
    const share = options.isStrip ? 0.5 : 0.42
    const x = body.x + body.width * (share + 0.04)
    const galleryHeight = Math.max(body.height * 0.6, body.height - options.clearance)
    const gallery = { ...body, x, width: body.width * (0.96 - share), height: galleryHeight }
    return { prompt: { ...body, width: body.width * share, height }, gallery }
  }
  const promptHeight = body.height * 0.26
  const below = body.height - promptHeight
  const galleryHeight = Math.max(below * 0.6, below - options.clearance)
  const gallery = { ...body, y: body.y + promptHeight, height: galleryHeight }
  return { prompt: { ...body, height: promptHeight * 0.94 }, gallery }
}
