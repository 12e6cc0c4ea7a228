import type { MediaInput, VideoSpec } from '../../core/media/spec.js'
import { CAR_LENGTH, paletteOf, streetWithCars } from './card/backdrop.js'
import { loadFont } from './card/font.js'
import { placeholder } from './card/gallery.js'
import { typeSizeFor } from './card/layout.js'
import { drawTitleCard, watermarkOf } from './card/title-card.js'
import { type Composition, columnsOf, composeRaster, randomOf } from './drawing.js'
import type { InputPictures } from './input-pictures.js'

/** Video is repeated in loops of half a second; both frame rates of the services, 24 and 30, are even. */
export const framesPerLoop = ({ framesPerSecond }: VideoSpec): number => framesPerSecond / 2

/** The title card of a video: what stands still, and the traffic that drives over it in a loop. */
export const videoCardOf = async (spec: VideoSpec, pictures: InputPictures) => {
  const { width, height, framesPerSecond, seed, hasAudio, references } = spec
  const moreItems = [['FPS', String(framesPerSecond)] as const, ['SOUND', hasAudio ? 'on' : 'off'] as const]
  const options = { inputs: references, what: 'placeholder video', moreItems }
  const { street, palette, ...card } = await drawTitleCard({ ...spec, ...options }, pictures)
  // A car for each loop, at a third of the card's width a second or what its length needs.
  const frames = framesPerLoop(spec)
  const speed = Math.max(width / 3 / framesPerSecond, (CAR_LENGTH * street.height * 1.2) / frames)
  // Even numbers: colours of video are stored for two by two pixels.
  const pixelsPerFrame = 2 * Math.ceil(speed / 2)
  const gap = pixelsPerFrame * frames
  const size = { width: gap * (Math.ceil(width / gap) + 1), height: street.height }
  const strip = streetWithCars({ x: 0, y: 0, ...size }, gap, palette, randomOf(seed, 'traffic'))
  const raster = await composeRaster({ ...size, layers: [strip] })
  const still: Composition = { width, height, layers: [card.svg, ...card.pictures] }
  // Traffic drives to the right: of a long picture a window is shown, which moves to the left. It begins in the first frame
  // where it is again after a loop.
  return { still, traffic: { raster, window: street, pixelsPerFrame, start: gap } }
}

type VideoCard = Awaited<ReturnType<typeof videoCardOf>>

/** The card as it looks at the end of each loop. */
export const lastFrameOf = ({ still, traffic }: VideoCard, spec: VideoSpec): Composition => {
  const { raster, window, pixelsPerFrame, start } = traffic
  const left = start - pixelsPerFrame * (framesPerLoop(spec) - 1)
  const shown = { raster: columnsOf(raster, left, window.width), left: window.x, top: window.y }
  return { ...still, layers: [...still.layers, shown] }
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
