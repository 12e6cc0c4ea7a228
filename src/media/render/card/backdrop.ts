import type { Random } from '../random.js'
import type { Palette } from './palette.js'
import { type Area, circle, line, n, path, polygon, rect, rects } from './svg.js'

interface BackdropPlan {
  readonly width: number
  readonly height: number
  /** Where the facades stand; its lower edge is the street's upper one. */
  readonly town: Area
  readonly street: Area
}

/** The evening over the lot: sky, sun, searchlights, hills, facades and the street. No letters. */
export const backdrop = (plan: BackdropPlan, palette: Palette, random: Random): string => {
  const horizon = plan.street.y
  return [
    gradients(palette),
    rect({ x: 0, y: 0, width: plan.width, height: plan.height }, 'url(#sky)'),
    stars(plan, random),
    sun(plan, palette, random),
    searchlights(plan, random),
    hills(plan, horizon - plan.town.height * 0.5, palette.hills[0], random),
    hills(plan, horizon - plan.town.height * 0.28, palette.hills[1], random),
    town(plan.town, palette, random),
    street(plan.street, palette),
  ].join('')
}

const gradients = (palette: Palette): string => {
  const [top, middle, bottom] = palette.sky
  return `<defs>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="0.5" stop-color="${middle}"/><stop offset="0.9" stop-color="${bottom}"/></linearGradient>
<linearGradient id="beam" x1="0" y1="1" x2="0" y2="0"><stop stop-color="#fff" stop-opacity="0.3"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient>
</defs>`
}

const stars = ({ width, height }: BackdropPlan, random: Random): string => {
  const size = Math.max(1, Math.sqrt(width * height) * 0.002)
  const some = Array.from({ length: 60 }, () => {
    const side = size * random.between(0.5, 1.2)
    return { x: random.between(0, width), y: random.between(0, height * 0.5), width: side, height: side }
  })
  return `<g opacity="0.5">${rects(some, '#fff')}</g>`
}

const sun = (plan: BackdropPlan, palette: Palette, random: Random): string => {
  const { town: area } = plan
  const radius = Math.min(area.height * random.between(0.3, 0.42), plan.width * 0.3)
  const x = area.x + area.width * random.between(0.2, 0.85)
  // Never higher than the town's area: letters stand above it, and they are as light as the sun.
  const y = area.y + radius + area.height * random.between(0, 0.1)
  const ring = (times: number) => circle(x, y, radius * times, palette.glow, 'opacity="0.14"')
  return ring(2.1) + ring(1.7) + ring(1.33) + circle(x, y, radius, palette.sun)
}

const searchlights = (plan: BackdropPlan, random: Random): string => {
  const reach = plan.street.y * 0.95
  const lamp = (x: number, angle: number): string => {
    const spread = reach * 0.075
    const tip = x + Math.sin(angle) * reach
    const top = plan.street.y - Math.cos(angle) * reach
    return polygon(
      [
        [x - 2, plan.street.y],
        [x + 2, plan.street.y],
        [tip + spread, top],
        [tip - spread, top],
      ],
      'url(#beam)',
    )
  }
  const at = plan.town.x + plan.town.width * random.between(0.3, 0.7)
  const apart = plan.town.width * random.between(0.04, 0.12)
  return lamp(at - apart, random.between(-0.5, -0.2)) + lamp(at + apart, random.between(0.15, 0.5))
}

const street = (area: Area, palette: Palette): string =>
  rect(area, palette.street) + rect({ ...area, height: Math.max(2, area.height * 0.07) }, palette.kerb)

const hills = (plan: BackdropPlan, top: number, fill: string, random: Random): string => {
  const count = Math.max(2, Math.round(plan.width / plan.town.height))
  const swing = plan.town.height * 0.14
  const pitch = plan.width / count
  const crest = Array.from({ length: count }, (_, index) => {
    const y = top + random.between(-swing, swing)
    return `S${n((index + 0.6) * pitch)} ${n(y)} ${n((index + 1) * pitch)} ${n(top + random.between(-swing, swing))}`
  })
  return path(`M0 ${n(plan.street.y)}V${n(top)}${crest.join('')}V${n(plan.street.y)}z`, fill)
}

/** A street of facades that stands on the lower edge of `area` and fills it from left to right. */
const town = (area: Area, palette: Palette, random: Random): string => {
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

type Roof = 'flat' | 'gable' | 'steps' | 'arch' | 'false-front'

/** One house front of the studio lot: windows, a shop with an awning, and at times the beams that prop it up from behind. */
const facade = (front: Area, storey: number, palette: Palette, random: Random): string => {
  const colour = random.pick(palette.facades)
  const roof = random.pick<Roof>(['flat', 'gable', 'steps', 'arch', 'false-front'])
  const hasShop = random.happens(0.7)
  return [
    random.happens(0.5) ? props(front, storey, palette) : '',
    outline(front, roof, storey, colour),
    roof === 'flat' ? rect(cornice(front, storey), palette.trim) : '',
    windows(front, storey, palette, random),
    hasShop ? shop(front, storey, palette, random) : '',
  ].join('')
}

const cornice = ({ x, y, width }: Area, storey: number): Area => ({
  x: x - storey * 0.06,
  y,
  width: width + storey * 0.12,
  height: storey * 0.12,
})

const outline = (front: Area, roof: Roof, storey: number, colour: string): string => {
  const { x, y, width, height } = front
  const rise = storey * 0.7
  switch (roof) {
    case 'flat':
      return rect(front, colour)
    case 'gable':
      return polygon(
        [
          [x, y + height],
          [x, y],
          [x + width / 2, y - rise],
          [x + width, y],
          [x + width, y + height],
        ],
        colour,
      )
    case 'steps': {
      const step = (share: number, up: number): Area => ({
        x: x + width * share,
        y: y - rise * up,
        width: width * (1 - 2 * share),
        height,
      })
      return rects([front, step(0.18, 0.45), step(0.36, 0.9)], colour)
    }
    case 'arch':
      return path(
        `M${n(x)} ${n(y + height)}V${n(y)}Q${n(x + width / 2)} ${n(y - rise * 1.5)} ${n(x + width)} ${n(y)}V${n(y + height)}z`,
        colour,
      )
    case 'false-front':
      return rects([front, { x: x + width * 0.22, y: y - rise * 0.7, width: width * 0.56, height }], colour)
  }
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
    isLit: random.happens(0.45),
  }))
  return (
    rects(
      panes.filter((pane) => pane.isLit),
      palette.litWindow,
    ) +
    rects(
      panes.filter((pane) => !pane.isLit),
      palette.darkWindow,
    )
  )
}

const STRIPES = 7

const shop = (front: Area, storey: number, palette: Palette, random: Random): string => {
  const bottom = front.y + front.height
  const inner = { x: front.x + front.width * 0.12, width: front.width * 0.76 }
  const glass = { ...inner, y: bottom - storey * 0.62, height: storey * 0.62 }
  const awning = { ...inner, y: bottom - storey * 0.84, height: storey * 0.26 }
  const stripe = awning.width / STRIPES
  const stripes = [0, 2, 4, 6].map((index) => ({ ...awning, x: awning.x + index * stripe, width: stripe }))
  return (
    rect(glass, random.happens(0.6) ? palette.litWindow : palette.darkWindow) +
    rect(awning, palette.trim) +
    rects(stripes, random.pick([palette.accent, palette.sky[1], palette.wood]))
  )
}

// What tells a backlot from a town: behind the front there is only a frame of beams.
const props = (front: Area, storey: number, palette: Palette): string => {
  const right = front.x + front.width
  const bottom = front.y + front.height
  const top = front.y + storey * 0.2
  const reach = Math.min(front.height * 0.45, storey * 1.6)
  const width = Math.max(1.5, storey * 0.08)
  return [
    line(right - width, top, right + reach, bottom, palette.wood, width),
    line(
      right,
      top + (bottom - top) * 0.45,
      right + reach * 0.45,
      top + (bottom - top) * 0.45,
      palette.wood,
      width,
    ),
    line(right, bottom - width, right + reach, bottom - width, palette.wood, width),
  ].join('')
}
