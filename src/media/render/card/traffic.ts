import type { Random } from '../random.js'
import type { Palette } from './palette.js'
import { type Area, circle, n, path, rect, rects } from './svg.js'

type Vehicle = 'car' | 'van' | 'truck'

// Lengths of vehicles, in heights of the street.
const LENGTHS: Readonly<Record<Vehicle, number>> = { car: 1.55, van: 1.75, truck: 2.3 }

/** In pixels, even. */
export const streetHeightFor = (width: number, height: number): number =>
  2 * Math.round(Math.max(10, Math.min(width, height) * 0.075) / 2)

/** A few vehicles that stand about on the street, wherever chance has put them. */
export const traffic = (street: Area, palette: Palette, random: Random): string => {
  const count = Math.max(1, Math.round(street.width / (street.height * 8)))
  const pitch = street.width / count
  return Array.from({ length: count }, (_, index) => {
    const x = street.x + pitch * (index + random.between(0.05, 0.6))
    return vehicle(random.pick(['car', 'van', 'truck']), x, street, random.pick(palette.vehicles), palette)
  }).join('')
}

/** `length` pixels of street with one vehicle, which can be laid end to end without a seam. */
export const streetTile = (length: number, street: Area, palette: Palette, random: Random): string => {
  const kind = random.pick<Vehicle>(['car', 'van', 'truck'])
  const x = (length - LENGTHS[kind] * street.height) / 2
  return vehicle(kind, x, street, random.pick(palette.vehicles), palette)
}

// All of them drive to the right.
const vehicle = (kind: Vehicle, x: number, street: Area, colour: string, palette: Palette): string => {
  const unit = street.height * 0.8
  const length = LENGTHS[kind] * street.height
  const bottom = street.y + street.height * 0.86
  const at = { x, bottom, unit, length }
  const bodies = { car, van, truck }
  const wheel = (share: number) =>
    circle(x + length * share, bottom - unit * 0.14, unit * 0.16, '#15161a') +
    circle(x + length * share, bottom - unit * 0.14, unit * 0.07, palette.kerb)
  return bodies[kind](at, colour, palette) + wheel(0.2) + wheel(0.8) + lamp(at)
}

interface Place {
  readonly x: number
  readonly bottom: number
  readonly unit: number
  readonly length: number
}

const lamp = ({ x, bottom, unit, length }: Place): string =>
  rect(
    { x: x + length - unit * 0.08, y: bottom - unit * 0.42, width: unit * 0.08, height: unit * 0.13 },
    '#ffe9a8',
  )

const car = ({ x, bottom, unit, length }: Place, colour: string, palette: Palette): string =>
  path(
    `M${n(x + length * 0.14)} ${n(bottom - unit * 0.5)}L${n(x + length * 0.3)} ${n(bottom - unit * 0.84)}H${n(x + length * 0.62)}L${n(x + length * 0.8)} ${n(bottom - unit * 0.5)}z`,
    palette.darkWindow,
  ) +
  rect({ x: x + length * 0.44, y: bottom - unit * 0.84, width: unit * 0.06, height: unit * 0.36 }, colour) +
  rect({ x, y: bottom - unit * 0.54, width: length, height: unit * 0.4 }, colour, `rx="${n(unit * 0.12)}"`)

const van = ({ x, bottom, unit, length }: Place, colour: string, palette: Palette): string =>
  path(
    `M${n(x)} ${n(bottom - unit * 0.14)}V${n(bottom - unit)}H${n(x + length * 0.72)}L${n(x + length * 0.9)} ${n(bottom - unit * 0.55)}H${n(x + length)}V${n(bottom - unit * 0.14)}z`,
    colour,
  ) +
  path(
    `M${n(x + length * 0.6)} ${n(bottom - unit * 0.88)}H${n(x + length * 0.7)}L${n(x + length * 0.83)} ${n(bottom - unit * 0.55)}H${n(x + length * 0.6)}z`,
    palette.darkWindow,
  ) +
  rect(
    { x, y: bottom - unit * 0.45, width: length * 0.56, height: unit * 0.09 },
    palette.darkWindow,
    'opacity="0.5"',
  )

const truck = ({ x, bottom, unit, length }: Place, colour: string, palette: Palette): string =>
  rect({ x, y: bottom - unit * 1.05, width: length * 0.7, height: unit * 0.83 }, palette.trim) +
  rects(
    [0.1, 0.3, 0.5].map((share) => ({
      x: x + length * share,
      y: bottom - unit * 1.05,
      width: length * 0.08,
      height: unit * 0.83,
    })),
    colour,
  ) +
  path(
    `M${n(x + length * 0.72)} ${n(bottom - unit * 0.14)}V${n(bottom - unit * 0.82)}H${n(x + length * 0.9)}L${n(x + length)} ${n(bottom - unit * 0.48)}V${n(bottom - unit * 0.14)}z`,
    colour,
  ) +
  path(
    `M${n(x + length * 0.8)} ${n(bottom - unit * 0.74)}H${n(x + length * 0.88)}L${n(x + length * 0.955)} ${n(bottom - unit * 0.48)}H${n(x + length * 0.8)}z`,
    palette.darkWindow,
  ) +
  rect({ x, y: bottom - unit * 0.24, width: length * 0.98, height: unit * 0.1 }, '#15161a')
