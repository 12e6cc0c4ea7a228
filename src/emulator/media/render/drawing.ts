import type { OverlayOptions, Sharp } from 'sharp'
import { loadSharp } from './sharp.js'

/** Rectangle in pixels; the origin is top left. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Number as SVG text, rounded to a tenth of a pixel, so that the bytes have no last digits of sines and cosines. */
export const n = (value: number): string => String(Math.round(value * 10) / 10)

export const rect = ({ x, y, width, height }: Area, fill: string, more = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`

export const circle = (x: number, y: number, radius: number, fill: string, more = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" ${more}/>`

export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}" ${more}/>`

/** Several rectangles of one colour as one shape, which renders many times faster than one by one. */
export const rects = (areas: readonly Area[], fill: string): string =>
  path(areas.map((a) => `M${n(a.x)} ${n(a.y)}h${n(a.width)}v${n(a.height)}h${n(-a.width)}z`).join(''), fill)

export const translated = (x: number, y: number, inner: string): string =>
  `<g transform="translate(${n(x)} ${n(y)})">${inner}</g>`

const svgDocument = (width: number, height: number, inner: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`,
  )

/** Raster: the pixels of a picture, row by row from the top, three bytes each: red, green, blue. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}

/** A raster and where its upper left corner goes, in whole pixels. */
export interface PlacedRaster {
  readonly raster: Raster
  readonly left: number
  readonly top: number
}

/** SVG that covers no more than an area, in the coordinates of the whole picture: composing it is many times faster. */
interface BoundedSvg {
  readonly svg: string
  readonly area: Area
}

export interface Composition {
  readonly width: number
  readonly height: number
  /** From the lowest, which fills the picture, to the uppermost: SVG of the whole picture's size or of a part, or pixels. */
  readonly layers: readonly [string | PlacedRaster, ...(string | BoundedSvg | PlacedRaster)[]]
}

/** Composes a PNG without alpha. More compression takes twice as long for an eighth fewer bytes. */
export const composePng = (composition: Composition): Promise<Buffer> =>
  composed(composition).png({ compressionLevel: 2, adaptiveFiltering: false, palette: false }).toBuffer()

/** Composes a raster. */
export const composeRaster = async (composition: Composition): Promise<Raster> => {
  const { width, height } = composition
  return { width, height, data: await composed(composition).raw().toBuffer() }
}

const composed = ({ width, height, layers }: Composition): Sharp => {
  const sharp = loadSharp()
  const [lowest, ...others] = layers
  const ground =
    typeof lowest === 'string'
      ? sharp(svgDocument(width, height, lowest))
      : sharp(lowest.raster.data, { raw: rawOf(lowest) })
  const overlays = others.map((layer): OverlayOptions => {
    if (typeof layer === 'string') return { input: svgDocument(width, height, layer) }
    if ('svg' in layer) return overlayOf(layer, width, height)
    return { input: layer.raster.data, raw: rawOf(layer), left: layer.left, top: layer.top }
  })
  return (overlays.length === 0 ? ground : ground.composite(overlays)).removeAlpha()
}

// A pixel more on each side: lines are half outside the shape that they go around.
const overlayOf = ({ svg, area }: BoundedSvg, width: number, height: number): OverlayOptions => {
  const left = Math.max(0, Math.floor(area.x) - 1)
  const top = Math.max(0, Math.floor(area.y) - 1)
  const right = Math.min(width, Math.ceil(area.x + area.width) + 1)
  const bottom = Math.min(height, Math.ceil(area.y + area.height) + 1)
  return { input: svgDocument(right - left, bottom - top, translated(-left, -top, svg)), left, top }
}

const rawOf = ({ raster: { width, height } }: PlacedRaster) => ({ width, height, channels: 3 as const })

/** Seeded random numbers: they follow from a seed alone, so that a spec is rendered the same way every time. */
export interface Random {
  between(min: number, max: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean
}

/** Mulberry32, seeded with an FNV-1a hash. `purpose` tells two sequences of one seed apart. */
export const randomOf = (seed: number | string, purpose: string): Random => {
  let state = 0x811c9dc5
  for (const byte of Buffer.from(`${seed}|${purpose}`)) state = Math.imul(state ^ byte, 0x01000193)
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0
    const once = Math.imul(state ^ (state >>> 15), state | 1)
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (min, max) => min + fraction() * (max - min),
    pick: (choices) => choices[Math.floor(fraction() * choices.length)] ?? choices[0],
    chance: (probability) => fraction() < probability,
  }
}
