import type { MediaInput, TitleCard } from '../../../core/media/spec.js'
import type { InputPictures } from '../input-pictures.js'
import { randomOf } from '../random.js'
import type { PlacedRaster } from '../raster.js'
import { backdrop } from './backdrop.js'
import { loadFont } from './font.js'
import { galleryOf } from './gallery.js'
import { brand, type FooterItem, footerItems, footerOf, promptText, watermarkOf } from './labels.js'
import { type CardLayout, cardLayoutOf, marginFor, typeSizeFor } from './layout.js'
import { type Palette, paletteOf } from './palette.js'

interface TitleCardOptions {
  readonly width: number
  readonly height: number
  readonly seed: number
  readonly card: TitleCard
  readonly hasWatermark: boolean
  readonly inputs: readonly MediaInput[]
  /** Stands beside the emulator's name: `placeholder picture`. */
  readonly what: string
  readonly moreItems?: readonly FooterItem[]
  /** Pixels at the left edge that are taken by something else. Default: 0. */
  readonly leftEdge?: number
}

/** A title card as SVG and the inputs' pixels on top of it. The street is still empty. */
interface DrawnTitleCard {
  readonly svg: string
  readonly pictures: readonly PlacedRaster[]
  readonly layout: CardLayout
  readonly palette: Palette
}

/** Title card: the evening over the studio lot, the prompt, the user's inputs, and what made the picture. */
export const drawTitleCard = async (
  { width, height, seed, card, inputs, ...options }: TitleCardOptions,
  pictures: InputPictures,
): Promise<DrawnTitleCard> => {
  const { leftEdge = 0, moreItems = [] } = options
  const font = await loadFont()
  const palette = paletteOf(seed)
  const mark = options.hasWatermark ? watermarkOf(font, width, height) : undefined
  const margin = marginFor(width, height)
  const room = { width, left: leftEdge + margin, right: margin, size: typeSizeFor(width, height) }
  const footer = footerOf(font, footerItems(card, moreItems), { ...room, keepFree: mark?.area.width ?? 0 })
  const hasGallery = inputs.length > 0
  const layout = cardLayoutOf({ width, height, footerHeight: footer.height, hasGallery, leftEdge })
  const gallery = await galleryOf(font, pictures, inputs, layout.gallery, { size: layout.size, palette })
  const svg = [
    backdrop(layout, palette, randomOf(seed, `town ${card.index ?? ''}`)),
    brand(font, layout.brand, options.what, palette),
    promptText(font, card.prompt, layout, palette),
    gallery.svg,
    footer.draw(height - footer.height, palette),
    mark?.svg ?? '',
  ]
  return { svg: svg.join(''), pictures: gallery.pictures, layout, palette }
}
