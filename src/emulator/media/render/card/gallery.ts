import type { MediaInput } from '../../../core/media/spec.js'
import { type Area, type PlacedRaster, path, rect } from '../drawing.js'
import type { InputPictures, Preview } from '../input-pictures.js'
import type { Font } from './font.js'
import type { Palette } from './palette.js'
import { cutToWidth, drawText, widthOf } from './text.js'

/** What the text and the colours of a gallery are measured and chosen by. */
interface GalleryStyle {
  /** Pixels to the em. */
  readonly size: number
  readonly palette: Palette
}

// More have no room on the smallest card that can have so many (gap E1), and the time to arrange them grows with their square.
const MAX_PRINTS = 240

/**
 * The user's inputs as prints on paper, in their order, in rows, up to a number. `svg` is what lies below the pixels: paper,
 * shadows, labels, and tiles of inputs that have no pixels.
 */
export const galleryOf = async (
  font: Font,
  pictures: InputPictures,
  allInputs: readonly MediaInput[],
  area: Area,
  style: GalleryStyle,
): Promise<{ svg: string; pictures: PlacedRaster[] }> => {
  const inputs = allInputs.slice(0, MAX_PRINTS)
  const paper = { border: Math.round(style.size * 0.4), label: Math.round(style.size * 1.45) }
  const previews = await Promise.all(inputs.map((input) => pictures.preview(input)))
  const prints = printAreas(previews.map(shapeOf), area, { gap: Math.round(style.size * 0.8), paper })
  const drawn = await Promise.all(
    inputs.map(async (input, index) => {
      const preview = previews[index] as Preview
      const print = prints[index] as Area
      const { border, label } = paper
      const size = { width: print.width - 2 * border, height: print.height - border - label }
      const inner = { x: print.x + border, y: print.y + border, ...size }
      const sheet = drawPaper(font, input.label, print, inner, style.size)
      if (preview.kind === 'text')
        return { svg: sheet + placeholder(font, input, preview.text, inner, style) }
      const raster = await pictures.cover(input, inner.width, inner.height)
      return { svg: sheet, picture: { raster, left: inner.x, top: inner.y } }
    }),
  )
  return {
    svg: drawn.map(({ svg }) => svg).join(''),
    pictures: drawn.flatMap(({ picture }) => (picture ? [picture] : [])),
  }
}

const shapeOf = (preview: Preview): number =>
  preview.kind === 'pixels' ? preview.width / preview.height : 4 / 3

const drawPaper = (font: Font, label: string, print: Area, inner: Area, size: number): string => {
  const textSize = size * 0.78
  const labelHeight = print.y + print.height - inner.y - inner.height
  const baseline = print.y + print.height - labelHeight * 0.32
  const caption = cutToWidth(font, label, inner.width / textSize)
  return [
    rect({ ...print, x: print.x + size * 0.25, y: print.y + size * 0.35 }, '#000', 'fill-opacity="0.35"'),
    rect(print, '#f7f4ee'),
    drawText(font, caption, { x: inner.x, y: baseline, size: textSize, fill: '#33302b' }),
  ].join('')
}

/** A tile for an input without pixels: its kind as an icon, and a text that says what it is. */
export const placeholder = (
  font: Font,
  { kind }: MediaInput,
  text: string,
  area: Area,
  { size, palette }: GalleryStyle,
): string => {
  const textSize = Math.min(size, (area.width * 0.86) / Math.max(1, widthOf(font, text, 1)))
  const side = Math.min(area.width, area.height) * 0.4
  const x = area.x + area.width / 2
  const y = area.y + area.height / 2 - side * 0.75
  const frameSize = { width: area.width - size * 0.6, height: area.height - size * 0.6 }
  const frame = { x: area.x + size * 0.3, y: area.y + size * 0.3, ...frameSize }
  const dashes = `stroke="${palette.faintText}" stroke-opacity="0.5" stroke-dasharray="${size * 0.4}"`
  const place = `translate(${(x - side / 2).toFixed(1)} ${y.toFixed(1)}) scale(${(side / 24).toFixed(4)})`
  const caption = { y: y + side + textSize * 1.5, size: textSize, fill: palette.text }
  return [
    rect(area, palette.plate),
    rect(frame, 'none', dashes),
    path(ICONS[kind], palette.accent, `fill-rule="evenodd" transform="${place}"`),
    drawText(font, text, { ...caption, x, align: 'middle' }),
  ].join('')
}

// A picture frame, a strip of film and a sound wave, in a square of 24 by 24.
const ICONS: Readonly<Record<MediaInput['kind'], string>> = {
  image:
    'M2 4h20v16h-20zM4 6v12h16v-12zM5 17l5-7l4 5l2-2.5l3 4.5zM15.5 8a1.6 1.6 0 1 1 0 3.2a1.6 1.6 0 1 1 0-3.2z',
  video:
    'M2 4h20v16h-20zM4 6v2h2v-2zM4 11v2h2v-2zM4 16v2h2v-2zM18 6v2h2v-2zM18 11v2h2v-2zM18 16v2h2v-2zM9.5 8v8l6.5-4z',
  audio: 'M3 10h2v4h-2zM7 7h2v10h-2zM11 3h2v18h-2zM15 8h2v8h-2zM19 10.5h2v3h-2z',
}

interface Spacing {
  /** Between two prints, in whole pixels. */
  readonly gap: number
  /** What the paper adds around a picture, in whole pixels: a border on three sides, the label below. */
  readonly paper: { readonly border: number; readonly label: number }
}

/**
 * Layout of prints within an area, in whole pixels: of all numbers of columns the one whose smallest print is largest.
 * `shapes` are the pictures' widths divided by their heights. A picture keeps its shape unless that is too thin to be seen.
 */
export const printAreas = (shapes: readonly number[], around: Area, spacing: Spacing): Area[] => {
  const x = Math.ceil(around.x)
  const y = Math.ceil(around.y)
  const right = Math.floor(around.x + around.width)
  const bottom = Math.floor(around.y + around.height)
  const area = { x, y, width: right - x, height: bottom - y }
  const arrangements = shapes.map((_, index) => arrangeInColumns(index + 1, shapes, area, spacing))
  const smallest = (prints: readonly Area[]) => Math.min(...prints.map(({ width, height }) => width * height))
  return arrangements.reduce(
    (best, prints) => (smallest(prints) > smallest(best) ? prints : best),
    arrangements[0] ?? [],
  )
}

// Less of a picture cannot be seen.
const MIN_SIDE = 8

const arrangeInColumns = (
  columns: number,
  shapes: readonly number[],
  area: Area,
  { gap, paper }: Spacing,
): Area[] => {
  const rows = Math.ceil(shapes.length / columns)
  const besides = 2 * paper.border
  const above = paper.border + paper.label
  const width = Math.floor((area.width - gap * (columns - 1)) / columns) - besides
  const height = Math.floor((area.height - gap * (rows - 1)) / rows) - above
  // Not everything fits into a very small area: then this arrangement is the worst.
  if (width < 1 || height < 1) return shapes.map(() => ({ x: area.x, y: area.y, width: 0, height: 0 }))
  const sizes = shapes.map((shape) => ({
    width: clamp(Math.round(height * shape), width) + besides,
    height: clamp(Math.round(width / shape), height) + above,
  }))
  return Array.from({ length: rows }, (_, row) => {
    const inRow = sizes.slice(row * columns, (row + 1) * columns)
    const total = inRow.reduce((sum, print) => sum + print.width + gap, -gap)
    const middle = area.y + row * (height + above + gap) + (height + above) / 2
    let left = area.x + Math.floor((area.width - total) / 2)
    return inRow.map((print) => {
      const x = left
      left += print.width + gap
      return { x, y: Math.floor(middle - print.height / 2), ...print }
    })
  }).flat()
}

const clamp = (side: number, room: number): number => Math.max(Math.min(side, room), Math.min(MIN_SIDE, room))
