import type { PictureSpec } from '../../core/media/spec.js'
import { backdrop } from './card/backdrop.js'
import { footerOf, itemsOf } from './card/footer.js'
import { galleryOf } from './card/gallery.js'
import { brand, prompt, watermarkOf } from './card/labels.js'
import { type CardLayoutOptions, cardLayoutOf, marginFor, typeSizeFor } from './card/layout.js'
import { paletteOf } from './card/palette.js'
import { streetHeightFor, traffic } from './card/traffic.js'
import type { Inputs } from './input-pictures.js'
import { randomOf } from './random.js'
import { paintPng } from './raster.js'
import { type Font, loadFont } from './text/font.js'

/** A picture as a PNG of exactly the spec's width and height (§A, §A2). */
export const drawPicture = async (spec: PictureSpec, inputs: Inputs): Promise<Buffer> => {
  const { width, height, card, seed } = spec
  const font = await loadFont()
  const palette = paletteOf(seed)
  const mark = spec.hasWatermark ? watermarkOf(font, width, height) : undefined
  const footer = footerFor(font, spec, mark?.area.width ?? 0)
  const layout = cardLayoutOf(stageOptions(spec, footer.height))
  const style = { size: layout.size, palette }
  const gallery = await galleryOf(font, inputs, spec.inputs, layout.gallery, style)
  const drawing = [
    backdrop(layout, palette, randomOf(seed, `town ${card.index ?? ''}`)),
    traffic(layout.street, palette, randomOf(seed, `traffic ${card.index ?? ''}`)),
    brand(font, layout.brand, 'placeholder picture', palette),
    prompt(font, card.prompt, layout.prompt, layout.promptSizes, palette),
    gallery.svg,
    footer.draw(height - footer.height, palette),
    mark?.svg ?? '',
  ]
  return paintPng({ width, height, layers: [drawing.join(''), ...gallery.pictures] })
}

const stageOptions = ({ width, height, inputs }: PictureSpec, footerHeight: number): CardLayoutOptions => ({
  ...{ width, height, footerHeight, leftEdge: 0, rightOfBrand: 0 },
  hasGallery: inputs.length > 0,
  streetHeight: streetHeightFor(width, height),
})

const footerFor = (font: Font, { width, height, card }: PictureSpec, keepFree: number) => {
  const size = typeSizeFor(width, height)
  const margin = marginFor(width, height)
  return footerOf(font, itemsOf(card), { width, left: margin, right: margin, size, keepFree })
}
