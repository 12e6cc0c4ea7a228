import type { MediaKind } from '../../../core/media/facts.js'

/** SVG as text: the few shapes that the scenes are made of. Lengths are pixels, the origin is top left. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A tenth of a pixel is enough, and keeps the last digits of sines and cosines out of the bytes. */
export const n = (value: number): string => String(Math.round(value * 10) / 10)

export const rect = ({ x, y, width, height }: Area, fill: string, more = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`

export const circle = (x: number, y: number, radius: number, fill: string, more = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" ${more}/>`

export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}" ${more}/>`

/** Several rectangles of one colour as one shape, which draws many times faster than one by one. */
export const rects = (areas: readonly Area[], fill: string): string =>
  path(areas.map((a) => `M${n(a.x)} ${n(a.y)}h${n(a.width)}v${n(a.height)}h${n(-a.width)}z`).join(''), fill)

export const polygon = (points: readonly (readonly [number, number])[], fill: string): string =>
  path(`M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}z`, fill)

export const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, width: number): string =>
  `<path d="M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}" stroke="${stroke}" stroke-width="${n(width)}"/>`

export const moved = (x: number, y: number, inner: string): string =>
  `<g transform="translate(${n(x)} ${n(y)})">${inner}</g>`

export const document = (width: number, height: number, inner: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`,
  )

export const inset = (area: Area, by: number): Area => ({
  x: area.x + by,
  y: area.y + by,
  width: area.width - 2 * by,
  height: area.height - 2 * by,
})

// Drawn in a square of 24 by 24.
const SHAPES: Readonly<Record<MediaKind, string>> = {
  image:
    'M2 4h20v16h-20zM4 6v12h16v-12zM5 17l5-7l4 5l2-2.5l3 4.5zM15.5 8a1.6 1.6 0 1 1 0 3.2a1.6 1.6 0 1 1 0-3.2z',
  video:
    'M2 4h20v16h-20zM4 6v2h2v-2zM4 11v2h2v-2zM4 16v2h2v-2zM18 6v2h2v-2zM18 11v2h2v-2zM18 16v2h2v-2zM9.5 8v8l6.5-4z',
  audio: 'M3 10h2v4h-2zM7 7h2v10h-2zM11 3h2v18h-2zM15 8h2v8h-2zM19 10.5h2v3h-2z',
}

/** A picture frame, a strip of film or a sound wave, as large as the area allows. */
export const icon = (kind: MediaKind, area: Area, fill: string): string => {
  const side = Math.min(area.width, area.height)
  const x = area.x + (area.width - side) / 2
  const y = area.y + (area.height - side) / 2
  return path(
    SHAPES[kind],
    fill,
    `fill-rule="evenodd" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${(side / 24).toFixed(4)})"`,
  )
}
