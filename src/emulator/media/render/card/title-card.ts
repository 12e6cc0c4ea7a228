import type { PictureSpec, TitleCard } from '../../../core/media/spec.js'
import { type Area, n, path, randomOf, rect, translated } from '../drawing.js'
import type { InputPictures } from '../input-pictures.js'
import { backdrop } from './backdrop.js'
import { CAPITAL_HEIGHT_EM, type Font, loadFont } from './font.js'
import { galleryOf } from './gallery.js'
import { type CardLayout, cardLayoutOf, marginFor, typeSizeFor } from './layout.js'
import { type Palette, paletteOf } from './palette.js'
import { cutToWidth, drawText, fitText, LINE_HEIGHT_EM, widthOf } from './text.js'

interface TitleCardOptions extends Omit<PictureSpec, 'kind'> {
  /** Stands beside the emulator's name: `placeholder picture`. */
  readonly what: string
  readonly moreItems?: readonly FooterItem[]
  /** Pixels that stay free right of the emulator's name; default: none. */
  readonly freeBesideBrand?: number
}

/**
 * Title card: the studio lot at the hour of the model, the prompt, the user's inputs, and what made the picture; as SVG and the
 * inputs' pixels on top of it.
 */
export const drawTitleCard = async (
  {
    width,
    height,
    seed,
    card,
    inputs,
    what,
    hasWatermark,
    moreItems = [],
    freeBesideBrand = 0,
  }: TitleCardOptions,
  pictures: InputPictures,
) => {
  const labels = inputs.map(({ label }) => label)
  const font = await loadFont(card.prompt, card.size, card.model, ...labels)
  const palette = paletteOf(seed, card.model)
  const mark = hasWatermark ? watermarkOf(font, width, height) : undefined
  const room = { width, margin: marginFor(width, height), size: typeSizeFor(width, height) }
  const footer = footerOf(font, footerItems(card, moreItems), { ...room, keepFree: mark?.area.width ?? 0 })
  const hasGallery = inputs.length > 0
  const layout = cardLayoutOf({ width, height, footerHeight: footer.height, hasGallery })
  const gallery = await galleryOf(font, pictures, inputs, layout.gallery, { size: layout.size, palette })
  const svg = [
    backdrop(layout, palette, randomOf(seed, `town ${card.index ?? ''}`)),
    brand(font, { ...layout.brand, width: layout.brand.width - freeBesideBrand }, what, palette),
    promptText(font, card.prompt, layout, palette),
    gallery.svg,
    footer.draw(height - footer.height, palette),
    mark?.svg ?? '',
  ]
  return { svg: svg.join(''), pictures: gallery.pictures, street: layout.street, palette }
}

/** Brand of the emulator: a clapperboard, its name and, where there is room, what the picture is. */
const brand = (font: Font, { x, y, width, height: size }: Area, what: string, palette: Palette): string => {
  const style = { x: size * 1.55, y: size * (0.5 + CAPITAL_HEIGHT_EM / 2), size, fill: palette.text }
  const name = drawText(font, 'BACKLOT', style)
  const after = style.x + widthOf(font, 'BACKLOT', size) + size * 0.7
  const isFitting = after + widthOf(font, what, size * 0.8) <= width
  const rest = drawText(font, what, { ...style, x: after, size: size * 0.8, fill: palette.accent })
  return translated(x, y, clapperboard(size, palette) + name + (isFitting ? rest : ''))
}

const clapperboard = (size: number, palette: Palette): string =>
  `<g transform="scale(${(size / 20).toFixed(4)})">` +
  rect({ x: 0, y: 7, width: 22, height: 13 }, palette.text, 'rx="2"') +
  path('M0.4 4.6L20.6 -0.8L21.6 3L1.4 8.4z', palette.text) +
  path('M4 3.6l3.6 -1l1.2 3.9l-3.6 1zM11.4 1.7l3.6 -1l1.2 3.9l-3.6 1z', palette.plate) +
  path('M8.6 10.2l6 3.3l-6 3.3z', palette.plate) +
  '</g>'

/** The prompt, as large as its area allows. Nothing for an empty prompt. */
const promptText = (font: Font, text: string, layout: CardLayout, palette: Palette): string => {
  const { x, y, width, height } = layout.prompt
  const { lines, size } = fitText(font, text, { width, height, ...layout.promptSizes })
  const lineAt = (index: number) => y + size * (0.95 + index * LINE_HEIGHT_EM)
  return lines
    .map((line, index) => drawText(font, line, { x, y: lineAt(index), size, fill: palette.text }))
    .join('')
}

type FooterItem = readonly [name: string, value: string]

const footerItems = (card: TitleCard, more: readonly FooterItem[]): FooterItem[] => {
  const items: FooterItem[] = [
    ['MODEL', card.model],
    ['SIZE', card.size],
    ['SEED', card.id === '' ? '' : String(card.seed)],
    ['NO.', card.index ?? ''],
    ...more,
    ['ID', card.id],
  ]
  return items.filter(([, value]) => value !== '')
}

interface FooterRoom {
  /** Pixels of the whole card, and of the margins within it. */
  readonly width: number
  readonly margin: number
  /** Pixels to the em. */
  readonly size: number
  /** Pixels at the right end of the last row that stay empty for the watermark. */
  readonly keepFree: number
}

const FOOTER_LINE_EM = 1.6
const FOOTER_PADDING_EM = 0.75
const NAME_EM = 0.74
const ITEM_GAP_EM = 1.5
const SMALLEST_VALUE_EM = 0.78

interface PlacedItem {
  readonly text: string
  readonly x: number
  readonly size: number
  readonly fill: 'text' | 'faintText'
}

/** Footer: the strip at the lower edge that says what made the picture, in as many rows as it needs. Its height is even. */
const footerOf = (font: Font, items: readonly FooterItem[], room: FooterRoom) => {
  const { width, size } = room
  const rows = footerRows(font, items, room)
  const height = 2 * Math.ceil(((rows.length * FOOTER_LINE_EM + 2 * FOOTER_PADDING_EM) * size) / 2)
  return {
    height,
    draw: (top: number, palette: Palette): string => {
      const baseline = (row: number) =>
        top + (FOOTER_PADDING_EM + (row + 0.5) * FOOTER_LINE_EM + CAPITAL_HEIGHT_EM / 2) * size
      const texts = rows.flatMap((row, index) =>
        row.map(({ text, fill, ...place }) =>
          drawText(font, text, { ...place, y: baseline(index), fill: palette[fill] }),
        ),
      )
      return rect({ x: 0, y: top, width, height }, palette.plate) + texts.join('')
    },
  }
}

const footerRows = (font: Font, items: readonly FooterItem[], room: FooterRoom): PlacedItem[][] => {
  const end = room.width - room.margin
  const rows: PlacedItem[][] = [[]]
  let x = room.margin
  for (const [name, value] of items) {
    const nameWidth = widthOf(font, `${name} `, room.size * NAME_EM)
    const max = end - room.margin - nameWidth
    // An id that is a little too long for a narrow card is set smaller; one that is much too long is cut.
    const fitting = Math.min(room.size, max / Math.max(0.01, widthOf(font, value, 1)))
    const size = Math.max(room.size * SMALLEST_VALUE_EM, fitting)
    const text = cutToWidth(font, value, max / size + 0.001)
    const width = nameWidth + widthOf(font, text, size)
    if (x > room.margin && x + width > end) {
      rows.push([])
      x = room.margin
    }
    rows.at(-1)?.push({ text: name, x, size: room.size * NAME_EM, fill: 'faintText' })
    rows.at(-1)?.push({ text, x: x + nameWidth, size, fill: 'text' })
    x += width + ITEM_GAP_EM * room.size
  }
  if (x - ITEM_GAP_EM * room.size > end - room.keepFree) rows.push([])
  return rows
}

const MARK = 'AI生成'

/** Watermark in the bottom-right corner (§A other parameters, gap Z32). Its own background makes it legible. */
export const watermarkOf = (font: Font, width: number, height: number) => {
  const unit = typeSizeFor(width, height)
  const size = Math.max(13, unit * 1.2)
  const padding = size * 0.5
  const box = { width: widthOf(font, MARK, size) + 2 * padding, height: size * 1.55 }
  const x = width - box.width - unit * 0.6
  const y = height - box.height - unit * 0.6
  const area = { ...box, x, y }
  const ground = `fill-opacity="0.62" stroke="#fff" stroke-opacity="0.75" stroke-width="1" rx="${n(size * 0.3)}"`
  const text = drawText(font, MARK, { x: x + padding, y: y + size * 1.14, size, fill: '#fff' })
  return { area, svg: rect(area, '#000', ground) + text }
}
