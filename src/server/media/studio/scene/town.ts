import type { Random } from './chance.js'
import { facade } from './facade.js'
import type { Palette } from './palette.js'
import { type Area, n, path, polygon, rect, rects } from './svg.js'

/** A street of facades that stands on the lower edge of `area` and fills it from left to right. */
export const town = (area: Area, palette: Palette, random: Random): string => {
  // A very small picture has no room for a street: houses without a height would never fill it.
  if (area.height < 1) return ''
  const storey = area.height * 0.2
  return [
    rects(row(area, random, { least: 0.42, most: 0.78, gap: 0 }), palette.farFacades),
    waterTower(area, palette, random),
    ...row(area, random, { least: 0.34, most: 0.68, gap: 0.22 }).map((front) =>
      facade(front, storey, palette, random),
    ),
  ].join('')
}

interface RowStyle {
  /** Heights, as shares of the area's. */
  readonly least: number
  readonly most: number
  /** The widest space between two houses, as a share of the area's height. */
  readonly gap: number
}

const row = (area: Area, random: Random, style: RowStyle): Area[] => {
  const houses: Area[] = []
  let x = area.x - area.height * random.between(0, 0.3)
  while (x < area.x + area.width) {
    const width = area.height * random.between(0.34, 0.72)
    const height = area.height * random.between(style.least, style.most)
    houses.push({ x, y: area.y + area.height - height, width, height })
    x += width + (random.happens(0.5) ? area.height * random.between(0, style.gap) : 0)
  }
  return houses
}

const waterTower = (area: Area, palette: Palette, random: Random): string => {
  const unit = area.height
  const x = area.x + area.width * random.between(0.15, 0.85)
  const top = area.y + unit * 0.08
  const half = unit * 0.13
  const tank = { x: x - half, y: top, width: half * 2, height: unit * 0.22 }
  const bottom = area.y + unit
  const leg = (share: number) =>
    `M${n(x + half * share * 0.8)} ${n(top + unit * 0.2)}L${n(x + half * share * 1.25)} ${n(bottom)}`
  return [
    path(
      `${leg(-1)}${leg(1)}${leg(-0.1)}`,
      'none',
      `stroke="${palette.darkWindow}" stroke-width="${n(unit * 0.022)}"`,
    ),
    rect(tank, palette.facades[3], `rx="${n(unit * 0.02)}"`),
    rects(
      [
        { ...tank, y: top + unit * 0.07, height: unit * 0.012 },
        { ...tank, y: top + unit * 0.15, height: unit * 0.012 },
      ],
      palette.darkWindow,
    ),
    polygon(
      [
        [x - half * 1.12, top],
        [x, top - unit * 0.12],
        [x + half * 1.12, top],
      ],
      palette.facades[1],
    ),
  ].join('')
}
