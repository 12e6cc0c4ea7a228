import type { Random } from './chance.js'
import type { Palette } from './palette.js'
import { type Area, line, n, path, polygon, rect, rects } from './svg.js'

type Roof = 'flat' | 'gable' | 'steps' | 'arch' | 'false-front'

/** One house front of the studio lot: windows, a shop with an awning, and at times the beams that prop it up from behind. */
export const facade = (front: Area, storey: number, palette: Palette, random: Random): string => {
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
