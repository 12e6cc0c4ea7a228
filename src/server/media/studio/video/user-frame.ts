import type { MediaInput, VideoSpec } from '../../../../core/media/spec.js'
import type { Inputs } from '../inputs/inputs.js'
import { type Font, loadFont } from '../lettering/typeface.js'
import { stand } from '../scene/gallery.js'
import type { Bounded, Painting } from '../scene/paint.js'
import { paletteOf } from '../scene/palette.js'
import { typeSizeFor } from '../scene/stage.js'
import { watermarkOf } from '../scene/watermark.js'

const markOf = (font: Font, width: number, height: number): Bounded => {
  const { svg, area } = watermarkOf(font, width, height)
  return { drawing: svg, area }
}

/** The first or last frame that the user supplied, cut to the video's size; where it has no pixels, words in its place. */
export const userFrame = async (spec: VideoSpec, input: MediaInput, inputs: Inputs): Promise<Painting> => {
  const { width, height } = spec
  const font = await loadFont()
  const mark = spec.hasWatermark ? [markOf(font, width, height)] : []
  const look = await inputs.look(input)
  if (look.kind === 'pixels') {
    const raster = await inputs.cut(input, width, height)
    return { width, height, layers: [{ raster, left: 0, top: 0 }, ...mark] }
  }
  const style = { size: typeSizeFor(width, height) * 1.6, palette: paletteOf(spec.seed) }
  const words = stand(font, input, `${input.label}: ${look.words}`, { x: 0, y: 0, width, height }, style)
  return { width, height, layers: [words, ...mark] }
}
