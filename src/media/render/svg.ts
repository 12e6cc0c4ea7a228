/** SVG as text: the few shapes that cards are made of. Lengths are pixels, the origin is top left. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A number in SVG. A tenth of a pixel is enough, and keeps the last digits of sines and cosines out of the bytes. */
export const n = (value: number): string => String(Math.round(value * 10) / 10)

export const rect = ({ x, y, width, height }: Area, fill: string, more = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`

export const circle = (x: number, y: number, radius: number, fill: string, more = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" ${more}/>`

export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}" ${more}/>`

/** Several rectangles of one colour as one shape, which renders many times faster than one by one. */
export const rects = (areas: readonly Area[], fill: string): string =>
  path(areas.map((a) => `M${n(a.x)} ${n(a.y)}h${n(a.width)}v${n(a.height)}h${n(-a.width)}z`).join(''), fill)

export const polygon = (points: readonly (readonly [number, number])[], fill: string): string =>
  path(`M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}z`, fill)

export const translated = (x: number, y: number, inner: string): string =>
  `<g transform="translate(${n(x)} ${n(y)})">${inner}</g>`

export const svgDocument = (width: number, height: number, inner: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`,
  )
