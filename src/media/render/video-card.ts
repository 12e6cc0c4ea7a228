import type { MediaInput, VideoSpec } from '../../core/media/spec.js'
import { kerbHeight } from './card/backdrop.js'
import { loadFont } from './card/font.js'
import { placeholder } from './card/gallery.js'
import { typeSizeFor } from './card/layout.js'
import { type Palette, paletteOf } from './card/palette.js'
import { drawTitleCard, watermarkOf } from './card/title-card.js'
import {
  type Area,
  type Composition,
  circle,
  columnsOf,
  composeRaster,
  n,
  path,
  type Random,
  randomOf,
  rect,
  rects,
  translated,
} from './drawing.js'
import type { InputPictures } from './input-pictures.js'

/** Video is repeated in loops of half a second; both frame rates of the services, 24 and 30, are even. */
export const framesPerLoop = ({ framesPerSecond }: VideoSpec): number => framesPerSecond / 2

/** The title card of a video: what stands still, and the traffic that drives over it in a loop. */
export const videoCardOf = async (spec: VideoSpec, pictures: InputPictures) => {
  const { width, height, framesPerSecond, seed, hasAudio, references } = spec
  const edge = filmEdge(spec)
  const moreItems = [['FPS', String(framesPerSecond)] as const, ['SOUND', hasAudio ? 'on' : 'off'] as const]
  const options = { inputs: references, what: 'placeholder video', moreItems, leftEdge: edge.width }
  const card = await drawTitleCard({ ...spec, ...options }, pictures)
  const { street } = card.layout
  const kerb = kerbHeight(street)
  const size = { width: width - edge.width, height: street.height - kerb }
  // Even numbers: colours of video are stored for two by two pixels.
  const window = { x: edge.width, y: street.y + kerb, ...size }
  // A vehicle for each loop, at a third of the card's width a second or what its length needs.
  const frames = framesPerLoop(spec)
  const speed = Math.max(width / 3 / framesPerSecond, (LONGEST_VEHICLE * street.height * 1.2) / frames)
  const pixelsPerFrame = 2 * Math.ceil(speed / 2)
  const gap = pixelsPerFrame * frames
  const count = Math.ceil(window.width / gap) + 1
  const lane = { x: 0, y: -kerb, width: gap * count, height: street.height }
  const loop = vehicle(gap * 0.1, lane, card.palette, randomOf(seed, 'traffic'))
  const convoy = Array.from({ length: count }, (_, index) => translated(index * gap, 0, loop))
  const strip = { width: lane.width, height: window.height }
  const ground = rect({ x: 0, y: 0, ...strip }, card.palette.street)
  const raster = await composeRaster({ ...strip, layers: [ground + convoy.join('')] })
  const still: Composition = { width, height, layers: [card.svg + edge.svg, ...card.pictures] }
  // Traffic drives to the right: of a long picture a window is shown, which moves to the left. It begins in the first frame
  // where it is again after a loop.
  return { still, traffic: { raster, window, pixelsPerFrame, start: gap } }
}

type VideoCard = Awaited<ReturnType<typeof videoCardOf>>

/** The card as it looks at the end of each loop. */
export const lastFrameOf = ({ still, traffic }: VideoCard, spec: VideoSpec): Composition => {
  const { raster, window, pixelsPerFrame, start } = traffic
  const left = start - pixelsPerFrame * (framesPerLoop(spec) - 1)
  const shown = { raster: columnsOf(raster, left, window.width), left: window.x, top: window.y }
  return { ...still, layers: [...still.layers, shown] }
}

/** The perforated edge of a film, along the left side of the card; an even number of pixels wide. */
const filmEdge = ({ width, height }: VideoSpec): { readonly width: number; readonly svg: string } => {
  const side = 2 * Math.round(Math.min(width, height) * 0.0225)
  const count = Math.round(height / (side * 1.4))
  const pitch = height / count
  const holes = Array.from({ length: count }, (_, index) => ({
    x: side * 0.24,
    y: (index + 0.25) * pitch,
    width: side * 0.52,
    height: pitch * 0.5,
  }))
  return { width: side, svg: rect({ x: 0, y: 0, width: side, height }, '#0d0d10') + rects(holes, '#e9e4d8') }
}

/** The user's first or last frame, cut to the video's size; a placeholder where it has no pixels. */
export const userFrameOf = async (
  { width, height, hasWatermark, seed }: VideoSpec,
  input: MediaInput,
  pictures: InputPictures,
): Promise<Composition> => {
  const font = await loadFont()
  const mark = hasWatermark ? [watermarkOf(font, width, height)] : []
  const preview = await pictures.preview(input)
  if (preview.kind === 'pixels') {
    const raster = await pictures.cover(input, width, height)
    return { width, height, layers: [{ raster, left: 0, top: 0 }, ...mark] }
  }
  const style = { size: typeSizeFor(width, height) * 1.6, palette: paletteOf(seed) }
  const text = `${input.label}: ${preview.text}`
  const tile = placeholder(font, input, text, { x: 0, y: 0, width, height }, style)
  return { width, height, layers: [tile, ...mark] }
}

/** The longest vehicle, in heights of the street. */
const LONGEST_VEHICLE = 2.3

/** A few vehicles that stand on the street, at random places. */
export const traffic = (street: Area, palette: Palette, random: Random): string => {
  const count = Math.max(1, Math.round(street.width / (street.height * 8)))
  const pitch = street.width / count
  return Array.from({ length: count }, (_, index) =>
    vehicle(street.x + pitch * (index + random.between(0.05, 0.6)), street, palette, random),
  ).join('')
}

/** One vehicle with its rear at `x`. All of them drive to the right. */
const vehicle = (x: number, street: Area, palette: Palette, random: Random): string => {
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
  const size = { width: unit * 0.08, height: unit * 0.13 }
  const lamp = { x: x + length - size.width, y: bottom - unit * 0.42, ...size }
  return wheel(0.2) + wheel(0.8) + rect(lamp, '#ffe9a8')
}
