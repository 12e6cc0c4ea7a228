import type { PictureSpec } from '../../../core/media/spec.js'
import type { Inputs } from './inputs/inputs.js'
import { loadTypeface, type Typeface } from './lettering/typeface.js'
import { backdrop } from './scene/backdrop.js'
import { brand } from './scene/brand.js'
import { chanceOf } from './scene/chance.js'
import { footerOf, itemsOf } from './scene/footer.js'
import { galleryOf } from './scene/gallery.js'
import { paintPng } from './scene/paint.js'
import { paletteOf } from './scene/palette.js'
import { prompt } from './scene/prompt.js'
import { marginFor, type StageOptions, stageOf, typeSizeFor } from './scene/stage.js'
import { streetHeightFor, traffic } from './scene/traffic.js'
import { watermarkOf } from './scene/watermark.js'

/** A picture as a PNG of exactly the spec's width and height (§A, §A2). */
export const drawPicture = async (spec: PictureSpec, inputs: Inputs): Promise<Buffer> => {
  const { width, height, card, seed } = spec
  const typeface = await loadTypeface()
  const palette = paletteOf(seed)
  const mark = spec.hasWatermark ? watermarkOf(typeface, width, height) : undefined
  const footer = footerFor(typeface, spec, mark?.area.width ?? 0)
  const stage = stageOf(stageOptions(spec, footer.height))
  const style = { size: stage.size, palette }
  const gallery = await galleryOf(typeface, inputs, spec.inputs, stage.gallery, style)
  const drawing = [
    backdrop(stage, palette, chanceOf(seed, `town ${card.index ?? ''}`)),
    traffic(stage.street, palette, chanceOf(seed, `traffic ${card.index ?? ''}`)),
    brand(typeface, stage.brand, 'placeholder picture', palette),
    prompt(typeface, card.prompt, stage.prompt, stage.promptSizes, palette),
    gallery.svg,
    footer.draw(height - footer.height, palette),
    mark?.svg ?? '',
  ]
  return paintPng({ width, height, layers: [drawing.join(''), ...gallery.pictures] })
}

const stageOptions = ({ width, height, inputs }: PictureSpec, footerHeight: number): StageOptions => ({
  ...{ width, height, footerHeight, leftEdge: 0, rightOfBrand: 0 },
  hasGallery: inputs.length > 0,
  streetHeight: streetHeightFor(width, height),
})

const footerFor = (typeface: Typeface, { width, height, card }: PictureSpec, keepFree: number) => {
  const size = typeSizeFor(width, height)
  const margin = marginFor(width, height)
  return footerOf(typeface, itemsOf(card), { width, left: margin, right: margin, size, keepFree })
}
