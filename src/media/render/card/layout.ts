import type { Area } from './svg.js'

/** Where everything goes on a card of a certain size. */
export interface CardLayout {
  readonly width: number
  readonly height: number
  /** Pixels to the em of small type; everything else is measured by it. */
  readonly size: number
  readonly margin: number
  readonly brand: { readonly x: number; readonly y: number; readonly size: number; readonly width: number }
  readonly prompt: Area
  readonly promptSizes: { readonly smallest: number; readonly largest: number }
  readonly gallery: Area
  readonly town: Area
  readonly street: Area
}

export interface CardLayoutOptions {
  readonly width: number
  readonly height: number
  readonly footerHeight: number
  readonly hasGallery: boolean
  /** Pixels at the left edge that are taken by something else. */
  readonly leftEdge: number
  readonly streetHeight: number
  /** Pixels at the right end of the topmost row that are taken by something else. */
  readonly rightOfBrand: number
}

/** Small type, in pixels to the em. */
export const typeSizeFor = (width: number, height: number): number =>
  Math.max(11, Math.sqrt(width * height) * 0.0165)

/** The emulator's sign in the topmost row. */
export const brandSizeFor = (width: number, height: number): number => typeSizeFor(width, height) * 1.35

export const marginFor = (width: number, height: number): number =>
  Math.max(12, Math.min(width, height) * 0.055)

/** From 1:8 to 8:1: prints stand beside the prompt on a wide card and below it on any other. */
export const cardLayoutOf = (options: CardLayoutOptions): CardLayout => {
  const { width, height, footerHeight, leftEdge, streetHeight } = options
  const size = typeSizeFor(width, height)
  const margin = marginFor(width, height)
  const left = leftEdge + margin
  const street = { x: 0, y: height - footerHeight - streetHeight, width, height: streetHeight }
  const brand = {
    x: left,
    y: margin,
    size: brandSizeFor(width, height),
    width: width - left - margin - options.rightOfBrand,
  }
  const top = margin + brand.size * 2.1
  const body = { x: left, y: top, width: width - left - margin, height: street.y - top - size }
  const isStrip = width / height > 2.6
  const townHeight = isStrip ? street.y * 0.6 : Math.min(street.y * 0.4, width * 0.8)
  const townLeft = isStrip ? width * 0.56 : 0
  const town = { x: townLeft, y: street.y - townHeight, width: width - townLeft, height: townHeight }
  const areas = divide(body, { ...options, isStrip, clear: isStrip ? 0 : townHeight * 0.94 })
  return {
    ...{ width, height, size, margin, brand, town, street, ...areas },
    promptSizes: {
      smallest: size * 1.15,
      largest: Math.min(
        Math.sqrt(width * height) * 0.1,
        areas.prompt.width * 0.19,
        areas.prompt.height * 0.42,
      ),
    },
  }
}

const divide = (
  body: Area,
  options: CardLayoutOptions & { readonly isStrip: boolean; readonly clear: number },
): { prompt: Area; gallery: Area } => {
  const isLandscape = options.width / options.height > 1.15
  if (!options.hasGallery) {
    const width = options.isStrip ? body.width * 0.52 : body.width
    return { prompt: { ...body, width, height: body.height - options.clear }, gallery: body }
  }
  if (isLandscape) {
    const share = options.isStrip ? 0.5 : 0.42
    const gallery = { ...body, x: body.x + body.width * (share + 0.04), width: body.width * (0.96 - share) }
    return { prompt: { ...body, width: body.width * share, height: body.height - options.clear }, gallery }
  }
  const promptHeight = body.height * 0.26
  const gallery = { ...body, y: body.y + promptHeight, height: body.height - promptHeight }
  return { prompt: { ...body, height: promptHeight * 0.94 }, gallery }
}
