import type { Random } from '../random.js'
import { type Area, circle, n, path, rect, rects } from '../svg.js'
import type { Palette } from './palette.js'

/** The longest vehicle, in heights of the street. */
export const LONGEST_VEHICLE = 2.3

/** A few vehicles that stand on the street, at random places. */
export const traffic = (street: Area, palette: Palette, random: Random): string => {
  const count = Math.max(1, Math.round(street.width / (street.height * 8)))
  const pitch = street.width / count
  return Array.from({ length: count }, (_, index) =>
    vehicle(street.x + pitch * (index + random.between(0.05, 0.6)), street, palette, random),
  ).join('')
}

/** One vehicle with its rear at `x`. All of them drive to the right. */
export const vehicle = (x: number, street: Area, palette: Palette, random: Random): string => {
  const draw = random.pick([car, truck])
  const unit = street.height * 0.8
  const bottom = street.y + street.height * 0.86
  return draw({ x, bottom, unit, height: street.height }, random.pick(palette.vehicles), palette)
}

interface Position {
  readonly x: number
  readonly bottom: number
  readonly unit: number
  /** Of the street. */
  readonly height: number
}

const car = ({ x, bottom, unit, height }: Position, colour: string, palette: Palette): string => {
  const length = height * 1.55
  const roof = bottom - unit * 0.84
  const belt = bottom - unit * 0.5
  return [
    path(
      `M${n(x + length * 0.14)} ${n(belt)}L${n(x + length * 0.3)} ${n(roof)}H${n(x + length * 0.62)}L${n(x + length * 0.8)} ${n(belt)}z`,
      palette.darkWindow,
    ),
    rect({ x: x + length * 0.44, y: roof, width: unit * 0.06, height: unit * 0.36 }, colour),
    rect({ x, y: belt - unit * 0.04, width: length, height: unit * 0.4 }, colour, `rx="${n(unit * 0.12)}"`),
    wheelsAndLamp({ x, bottom, unit }, length, palette),
  ].join('')
}

const truck = ({ x, bottom, unit, height }: Position, colour: string, palette: Palette): string => {
  const length = height * LONGEST_VEHICLE
  const box = { x, y: bottom - unit * 1.05, width: length * 0.7, height: unit * 0.83 }
  const stripes = [0.1, 0.3, 0.5].map((share) => ({ ...box, x: x + length * share, width: length * 0.08 }))
  const cab = (left: number, top: number, right: number, low: number) =>
    `M${n(x + length * left)} ${n(bottom - unit * low)}V${n(bottom - unit * top)}H${n(x + length * 0.89)}L${n(x + length * right)} ${n(bottom - unit * 0.48)}V${n(bottom - unit * low)}z`
  return [
    rect(box, palette.trim),
    rects(stripes, colour),
    path(cab(0.72, 0.82, 1, 0.14), colour),
    path(cab(0.8, 0.74, 0.96, 0.48), palette.darkWindow),
    rect({ x, y: bottom - unit * 0.24, width: length * 0.98, height: unit * 0.1 }, '#15161a'),
    wheelsAndLamp({ x, bottom, unit }, length, palette),
  ].join('')
}

const wheelsAndLamp = (
  { x, bottom, unit }: Omit<Position, 'height'>,
  length: number,
  palette: Palette,
): string => {
  const wheel = (share: number) =>
    circle(x + length * share, bottom - unit * 0.14, unit * 0.16, '#15161a') +
    circle(x + length * share, bottom - unit * 0.14, unit * 0.07, palette.kerb)
  const lamp = {
    x: x + length - unit * 0.08,
    y: bottom - unit * 0.42,
    width: unit * 0.08,
    height: unit * 0.13,
  }
  return wheel(0.2) + wheel(0.8) + rect(lamp, '#ffe9a8')
}
