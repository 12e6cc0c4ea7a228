import type { MediaInput, VideoSpec } from '../../core/media/spec.js'
import { kerbHeight } from './card/backdrop.js'
import { loadFont } from './card/font.js'
import { placeholder } from './card/gallery.js'
import { typeSizeFor } from './card/layout.js'
import { paletteOf } from './card/palette.js'
import { drawTitleCard, watermarkOf } from './card/title-card.js'
import { LONGEST_VEHICLE, vehicle } from './card/traffic.js'
import type { InputPictures } from './input-pictures.js'
import { randomOf } from './random.js'
import { type Composition, columnsOf, composeRaster, type Raster } from './raster.js'
import { type Area, rect, rects, translated } from './svg.js'

/** The title card of a video: what stands still, and the traffic that drives over it in a loop. */
export interface VideoCard {
  readonly still: Composition
  readonly traffic: Traffic
}

/** Traffic that drives to the right: a long picture of which a window is shown that moves to the left. */
interface Traffic {
  readonly raster: Raster
  /** Where it is shown. Even numbers: colours of video are stored for two by two pixels. */
  readonly window: Area
  readonly pixelsPerFrame: number
  /** Where the window begins in the first frame. After a loop it is back there. */
  readonly start: number
}

/** Video is repeated in loops of half a second; both frame rates of the services, 24 and 30, are even. */
export const framesPerLoop = ({ framesPerSecond }: VideoSpec): number => framesPerSecond / 2

export const videoCardOf = async (spec: VideoSpec, pictures: InputPictures): Promise<VideoCard> => {
  const { width, height, framesPerSecond, seed, references } = spec
  const edge = filmEdge(spec)
  const card = await drawTitleCard(
    {
      ...{ width, height, seed, card: spec.card, hasWatermark: spec.hasWatermark, inputs: references },
      what: 'placeholder video',
      moreItems: [
        ['FPS', String(framesPerSecond)],
        ['SOUND', spec.hasAudio ? 'on' : 'off'],
      ],
      leftEdge: edge.width,
    },
    pictures,
  )
  const { street } = card.layout
  const kerb = kerbHeight(street)
  const window = {
    x: edge.width,
    y: street.y + kerb,
    width: width - edge.width,
    height: street.height - kerb,
  }
  // A vehicle for each loop, at a third of the card's width a second or what its length needs.
  const speed = Math.max(
    width / 3 / framesPerSecond,
    (LONGEST_VEHICLE * street.height * 1.2) / framesPerLoop(spec),
  )
  const pixelsPerFrame = 2 * Math.ceil(speed / 2)
  const gap = pixelsPerFrame * framesPerLoop(spec)
  const count = Math.ceil(window.width / gap) + 1
  const lane = { x: 0, y: -kerb, width: gap * count, height: street.height }
  const one = vehicle(gap * 0.1, lane, card.palette, randomOf(seed, 'traffic'))
  const convoy = Array.from({ length: count }, (_, index) => translated(index * gap, 0, one))
  const size = { width: lane.width, height: window.height }
  const ground = rect({ x: 0, y: 0, ...size }, card.palette.street)
  const raster = await composeRaster({ ...size, layers: [ground + convoy.join('')] })
  return {
    still: { width, height, layers: [card.svg + edge.svg, ...card.pictures] },
    traffic: { raster, window, pixelsPerFrame, start: gap },
  }
}

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
  return {
    width,
    height,
    layers: [placeholder(font, input, text, { x: 0, y: 0, width, height }, style), ...mark],
  }
}
