import { type Area, circle, n, path, type Random, rect, rects } from '../drawing.js'
import type { CardLayout } from './layout.js'
import type { Palette } from './palette.js'

/** The studio lot at the hour of its palette: sky, sun, houses, and a street with cars. No text. */
export const backdrop = (layout: CardLayout, palette: Palette, random: Random): string => {
  const { width, height, street } = layout
  const [top, middle, bottom] = palette.sky
  const stops = `<stop stop-color="${top}"/><stop offset="0.5" stop-color="${middle}"/><stop offset="0.9" stop-color="${bottom}"/>`
  return [
    `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient></defs>`,
    rect({ x: 0, y: 0, width, height }, 'url(#sky)'),
    sun(layout, palette, random),
    town(layout.town, palette, random),
    streetWithCars(street, palette),
  ].join('')
}

const sun = ({ width, town: area }: CardLayout, palette: Palette, random: Random): string => {
  const radius = Math.min(area.height * random.between(0.3, 0.42), width * 0.3)
  const x = area.x + area.width * random.between(0.2, 0.85)
  // Never higher than the town's area: the text above it is as light as the sun.
  const y = area.y + radius + area.height * random.between(0, 0.1)
  const ring = (times: number) => circle(x, y, radius * times, palette.glow, 'opacity="0.14"')
  return ring(2.1) + ring(1.7) + ring(1.33) + circle(x, y, radius, palette.sun)
}

/** Two rows of houses that stand on the lower edge of `area` and fill it from left to right. */
const town = (area: Area, palette: Palette, random: Random): string => {
  // A very small picture has no room for a town: houses without a height would never fill it.
  if (area.height < 1) return ''
  const storey = area.height * 0.2
  const near = houses(area, random, { min: 0.34, max: 0.68, gap: 0.22 })
  return [
    rects(houses(area, random, { min: 0.42, max: 0.78, gap: 0 }), palette.farFacades),
    ...near.map((front) => facade(front, storey, palette, random)),
  ].join('')
}

/** A row of houses. Their heights, and the widest space between two, are shares of the area's height. */
const houses = (
  area: Area,
  random: Random,
  { min, max, gap }: Readonly<Record<'min' | 'max' | 'gap', number>>,
): Area[] => {
  const row: Area[] = []
  let x = area.x - area.height * random.between(0, 0.3)
  while (x < area.x + area.width) {
    const width = area.height * random.between(0.34, 0.72)
    const height = area.height * random.between(min, max)
    row.push({ x, y: area.y + area.height - height, width, height })
    x += width + (random.chance(0.5) ? area.height * random.between(0, gap) : 0)
  }
  return row
}

/** A house front with a flat or pointed roof, and rows of windows, some of them lit. */
const facade = (front: Area, storey: number, palette: Palette, random: Random): string => {
  const { x, y, width, height } = front
  const rise = storey * random.pick([0, 0, 0.7])
  const columns = Math.max(1, Math.round(width / (storey * 0.85)))
  const rows = Math.max(1, Math.floor(height / storey - 0.15))
  const panes = Array.from({ length: columns * rows }, (_, index) => ({
    x: x + (width / columns) * ((index % columns) + 0.5) - storey * 0.19,
    y: y + storey * (0.4 + Math.floor(index / columns)),
    width: storey * 0.38,
    height: storey * 0.52,
    isLit: random.chance(0.45),
  }))
  const windows = (isLit: boolean, colour: string) =>
    rects(
      panes.filter((pane) => pane.isLit === isLit),
      colour,
    )
  return [
    path(
      `M${n(x)} ${n(y + height)}V${n(y)}l${n(width / 2)} ${n(-rise)}l${n(width / 2)} ${n(rise)}V${n(y + height)}z`,
      random.pick(palette.facades),
    ),
    windows(true, palette.litWindow),
    windows(false, palette.darkWindow),
  ].join('')
}

/** The distance between two cars: a multiple of 120, which even steps of a loop of 12 or 15 frames make up. */
export const carGapOf = (street: Area): number => 120 * Math.ceil((street.height * 4) / 120)

/** The street, with cars from its left end on. */
export const streetWithCars = (street: Area, palette: Palette): string => {
  const gap = carGapOf(street)
  const cars = Array.from({ length: Math.ceil(street.width / gap) }, (_, index) =>
    car(street.x + gap * (index + 0.1), street, palette),
  )
  return rect(street, palette.street) + cars.join('')
}

/** A car with its rear at `x`, which drives to the right. */
const car = (x: number, street: Area, palette: Palette): string => {
  const length = street.height * 1.4
  const bottom = street.y + street.height * 0.84
  const unit = street.height * 0.1
  const rim = `stroke="${palette.faintText}" stroke-width="${n(unit * 0.4)}"`
  const wheel = (share: number) => circle(x + length * share, bottom - unit, unit * 1.2, palette.plate, rim)
  const cabin = `M${n(x + length * 0.12)} ${n(bottom - unit * 4)}l${n(unit * 2)} ${n(-unit * 2.6)}h${n(length * 0.34)}l${n(unit * 2.4)} ${n(unit * 2.6)}z`
  return [
    path(cabin, palette.litWindow),
    rect({ x, y: bottom - unit * 4.2, width: length, height: unit * 3.2 }, palette.car, `rx="${n(unit)}"`),
    wheel(0.2),
    wheel(0.78),
  ].join('')
}
