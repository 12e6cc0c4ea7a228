import { type Area, circle, n, path, polygon, type Random, rect, rects } from '../drawing.js'
import type { CardLayout } from './layout.js'
import type { Palette } from './palette.js'

/** The evening over the studio lot: sky, sun, searchlights, hills, facades and the street. No text. */
export const backdrop = (layout: CardLayout, palette: Palette, random: Random): string =>
  [
    gradients(palette),
    rect({ x: 0, y: 0, width: layout.width, height: layout.height }, 'url(#sky)'),
    stars(layout, random),
    sun(layout, palette, random),
    searchlights(layout, random),
    hills(layout, palette.hills, random),
    town(layout.town, palette, random),
    rect(layout.street, palette.street),
    rect({ ...layout.street, height: kerbHeight(layout.street) }, palette.kerb),
  ].join('')

/** The kerb along the upper edge of the street, in even pixels. */
export const kerbHeight = (street: Area): number => 2 * Math.ceil(street.height * 0.035)

const gradients = ({ sky: [top, middle, bottom] }: Palette): string => `<defs>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="0.5" stop-color="${middle}"/><stop offset="0.9" stop-color="${bottom}"/></linearGradient>
<linearGradient id="beam" x1="0" y1="1" x2="0" y2="0"><stop stop-color="#fff" stop-opacity="0.3"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient>
</defs>`

const stars = ({ width, height }: CardLayout, random: Random): string => {
  const size = Math.max(1, Math.sqrt(width * height) * 0.002)
  const squares = Array.from({ length: 60 }, () => {
    const side = size * random.between(0.5, 1.2)
    return { x: random.between(0, width), y: random.between(0, height * 0.5), width: side, height: side }
  })
  return `<g opacity="0.5">${rects(squares, '#fff')}</g>`
}

const sun = ({ width, town: area }: CardLayout, palette: Palette, random: Random): string => {
  const radius = Math.min(area.height * random.between(0.3, 0.42), width * 0.3)
  const x = area.x + area.width * random.between(0.2, 0.85)
  // Never higher than the town's area: the text above it is as light as the sun.
  const y = area.y + radius + area.height * random.between(0, 0.1)
  const ring = (times: number) => circle(x, y, radius * times, palette.glow, 'opacity="0.14"')
  return ring(2.1) + ring(1.7) + ring(1.33) + circle(x, y, radius, palette.sun)
}

const searchlights = ({ street, town: area }: CardLayout, random: Random): string => {
  const reach = street.y * 0.95
  const spread = reach * 0.075
  const lamp = (x: number, angle: number): string => {
    const tip = x + Math.sin(angle) * reach
    const top = street.y - Math.cos(angle) * reach
    return polygon(
      [
        [x - 2, street.y],
        [x + 2, street.y],
        [tip + spread, top],
        [tip - spread, top],
      ],
      'url(#beam)',
    )
  }
  const x = area.x + area.width * random.between(0.3, 0.7)
  const apart = area.width * random.between(0.04, 0.12)
  return lamp(x - apart, random.between(-0.5, -0.2)) + lamp(x + apart, random.between(0.15, 0.5))
}

const hills = ({ width, street, town: area }: CardLayout, fill: string, random: Random): string => {
  const count = Math.max(2, Math.round(width / area.height))
  const top = street.y - area.height * 0.4
  const swing = area.height * 0.16
  const pitch = width / count
  const crest = Array.from({ length: count }, (_, index) => {
    const y = top + random.between(-swing, swing)
    return `S${n((index + 0.6) * pitch)} ${n(y)} ${n((index + 1) * pitch)} ${n(top + random.between(-swing, swing))}`
  })
  return path(`M0 ${n(street.y)}V${n(top)}${crest.join('')}V${n(street.y)}z`, fill)
}

/** A row of facades that stands on the lower edge of `area` and fills it from left to right. */
const town = (area: Area, palette: Palette, random: Random): string => {
  // A very small picture has no room for a town: houses without a height would never fill it.
  if (area.height < 1) return ''
  const storey = area.height * 0.2
  const near = houses(area, random, { min: 0.34, max: 0.68, gap: 0.22 })
  return [
    rects(houses(area, random, { min: 0.42, max: 0.78, gap: 0 }), palette.farFacades),
    waterTower(area, palette, random),
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

const waterTower = ({ x, y, width, height }: Area, palette: Palette, random: Random): string => {
  const middle = x + width * random.between(0.15, 0.85)
  const top = y + height * 0.08
  const half = height * 0.13
  const tank = { x: middle - half, y: top, width: half * 2, height: height * 0.22 }
  const leg = (share: number) =>
    `M${n(middle + half * share * 0.8)} ${n(top + height * 0.2)}L${n(middle + half * share * 1.25)} ${n(y + height)}`
  const band = (share: number) => ({ ...tank, y: top + height * share, height: height * 0.012 })
  return [
    path(leg(-1) + leg(1), 'none', `stroke="${palette.darkWindow}" stroke-width="${n(height * 0.022)}"`),
    rect(tank, palette.facades[3]),
    rects([band(0.07), band(0.15)], palette.darkWindow),
    polygon(
      [
        [middle - half * 1.12, top],
        [middle, top - height * 0.12],
        [middle + half * 1.12, top],
      ],
      palette.facades[1],
    ),
  ].join('')
}

/** One house front: windows, mostly a shop with an awning, and at times the beams that prop it up from behind. */
const facade = (front: Area, storey: number, palette: Palette, random: Random): string =>
  [
    random.chance(0.5) ? props(front, storey, palette.wood) : '',
    path(outline(front, storey * 0.7, random), random.pick(palette.facades)),
    windows(front, storey, palette, random),
    random.chance(0.7) ? shop(front, storey, palette, random) : '',
  ].join('')

/** A front with a flat, pointed, round or stepped roof. */
const outline = ({ x, y, width, height }: Area, rise: number, random: Random): string => {
  const right = x + width
  const bottom = y + height
  const roofs: readonly [string, ...string[]] = [
    `H${n(right)}`,
    `L${n(x + width / 2)} ${n(y - rise)}L${n(right)} ${n(y)}`,
    `Q${n(x + width / 2)} ${n(y - rise * 1.5)} ${n(right)} ${n(y)}`,
    `h${n(width * 0.22)}v${n(-rise * 0.7)}h${n(width * 0.56)}v${n(rise * 0.7)}H${n(right)}`,
  ]
  return `M${n(x)} ${n(bottom)}V${n(y)}${random.pick(roofs)}V${n(bottom)}z`
}

const windows = (front: Area, storey: number, palette: Palette, random: Random): string => {
  const columns = Math.max(1, Math.round(front.width / (storey * 0.85)))
  const rows = Math.max(1, Math.floor(front.height / storey - 1.15))
  const pitch = front.width / columns
  const panes = Array.from({ length: columns * rows }, (_, index) => ({
    x: front.x + pitch * ((index % columns) + 0.5) - storey * 0.19,
    y: front.y + storey * (0.4 + Math.floor(index / columns)),
    width: storey * 0.38,
    height: storey * 0.52,
    isLit: random.chance(0.45),
  }))
  const lit = panes.filter((pane) => pane.isLit)
  const dark = panes.filter((pane) => !pane.isLit)
  return rects(lit, palette.litWindow) + rects(dark, palette.darkWindow)
}

const STRIPES = 7

const shop = (front: Area, storey: number, palette: Palette, random: Random): string => {
  const bottom = front.y + front.height
  const inner = { x: front.x + front.width * 0.12, width: front.width * 0.76 }
  const awning = { ...inner, y: bottom - storey * 0.84, height: storey * 0.26 }
  const stripe = awning.width / STRIPES
  const stripes = [0, 2, 4, 6].map((index) => ({ ...awning, x: awning.x + index * stripe, width: stripe }))
  const glass = random.chance(0.6) ? palette.litWindow : palette.darkWindow
  return (
    rect({ ...inner, y: bottom - storey * 0.62, height: storey * 0.62 }, glass) +
    rect(awning, palette.trim) +
    rects(stripes, random.pick([palette.accent, palette.sky[1], palette.wood]))
  )
}

// What tells a backlot from a town: behind the front there is only a frame of beams.
const props = ({ x, y, width, height }: Area, storey: number, wood: string): string => {
  const right = x + width
  const bottom = y + height
  const top = y + storey * 0.2
  const reach = Math.min(height * 0.45, storey * 1.6)
  const middle = top + (bottom - top) * 0.45
  const beams = `M${n(right)} ${n(top)}L${n(right + reach)} ${n(bottom)}M${n(right)} ${n(middle)}h${n(reach * 0.45)}`
  return path(beams, 'none', `stroke="${wood}" stroke-width="${n(Math.max(1.5, storey * 0.08))}"`)
}
