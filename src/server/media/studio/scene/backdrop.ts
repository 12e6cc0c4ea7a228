import type { Random } from './chance.js'
import type { Palette } from './palette.js'
import { type Area, circle, n, path, polygon, rect, rects } from './svg.js'
import { town } from './town.js'

export interface BackdropPlan {
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
