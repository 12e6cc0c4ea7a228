import type { MediaInput } from '../../../core/media/spec.js'
import type { Inputs, Look } from '../input-pictures.js'
import type { Placed } from '../raster.js'
import { drawText, widthOf } from '../text/draw-text.js'
import type { Font } from '../text/font.js'
import { cutToWidth } from '../text/layout.js'
import type { Palette } from './palette.js'
import { type Area, icon, inset, rect } from './svg.js'

interface Gallery {
  /** What lies below the pixels: paper, shadows, labels, and tiles of inputs that have no pixels. */
  readonly svg: string
  readonly pictures: readonly Placed[]
}

/** The user's inputs as prints on paper, in their order: one large, two or three side by side, more in a grid. */
export const galleryOf = async (
  font: Font,
  inputs: Inputs,
  wanted: readonly MediaInput[],
  area: Area,
  style: { readonly size: number; readonly palette: Palette },
): Promise<Gallery> => {
  if (wanted.length === 0) return { svg: '', pictures: [] }
  const looks = await Promise.all(wanted.map((input) => inputs.look(input)))
  const cells = cellsFor(looks.map(shapeOf), area, { gap: style.size * 0.8, paper: paperAround(style.size) })
  const prints = await Promise.all(
    wanted.map(async (input, index) => {
      const look = looks[index] as Look
      const cell = cells[index] as Area
      const print = drawPrint(font, input, look, cell, style)
      return look.kind === 'words'
        ? { svg: print.svg }
        : { svg: print.svg, picture: await placed(inputs, input, print.inner) }
    }),
  )
  return {
    svg: prints.map(({ svg }) => svg).join(''),
    pictures: prints.flatMap(({ picture }) => (picture ? [picture] : [])),
  }
}

const shapeOf = (look: Look): number => (look.kind === 'pixels' ? look.width / look.height : 4 / 3)

const paperAround = (size: number) => ({ border: Math.round(size * 0.4), label: Math.round(size * 1.45) })

const placed = async (inputs: Inputs, input: MediaInput, inner: Area): Promise<Placed> => ({
  raster: await inputs.cut(input, inner.width, inner.height),
  left: inner.x,
  top: inner.y,
})

const drawPrint = (
  font: Font,
  input: MediaInput,
  look: Look,
  cell: Area,
  { size, palette }: { readonly size: number; readonly palette: Palette },
): { svg: string; inner: Area } => {
  const { border, label } = paperAround(size)
  const inner = {
    x: cell.x + border,
    y: cell.y + border,
    width: cell.width - 2 * border,
    height: cell.height - border - label,
  }
  const textSize = size * 0.78
  const caption = cutToWidth(font, input.label, inner.width / textSize)
  const shadow = { ...cell, x: cell.x + size * 0.25, y: cell.y + size * 0.35 }
  return {
    inner,
    svg: [
      rect(shadow, '#000', 'fill-opacity="0.35"'),
      rect(cell, '#f7f4ee'),
      drawText(font, caption, {
        x: inner.x,
        y: cell.y + cell.height - label * 0.32,
        size: textSize,
        fill: '#33302b',
      }),
      look.kind === 'words' ? stand(font, input, look.words, inner, { size, palette }) : '',
    ].join(''),
  }
}

/** What stands in for an input without pixels: its kind as an icon, and what it is in words. */
export const stand = (
  font: Font,
  input: MediaInput,
  words: string,
  area: Area,
  { size, palette }: { readonly size: number; readonly palette: Palette },
): string => {
  const textSize = Math.min(size, (area.width * 0.86) / Math.max(1, widthOf(font, words, 1)))
  const middle = area.y + area.height / 2
  const side = Math.min(area.width, area.height) * 0.4
  const place = { x: area.x + (area.width - side) / 2, y: middle - side * 0.75, width: side, height: side }
  return [
    rect(area, palette.plate),
    rect(
      inset(area, size * 0.3),
      'none',
      `stroke="${palette.faintLetters}" stroke-opacity="0.5" stroke-dasharray="${size * 0.4}"`,
    ),
    icon(input.kind, place, palette.accent),
    drawText(font, words, {
      x: area.x + area.width / 2,
      y: place.y + side + textSize * 1.5,
      size: textSize,
      fill: palette.letters,
      align: 'middle',
    }),
  ].join('')
}

interface Spacing {
  /** Between two prints, in pixels. */
  readonly gap: number
  /** What the paper adds around a picture: a border on all sides but the lower one, which holds the label. */
  readonly paper: { readonly border: number; readonly label: number }
}

/** Widths of pictures divided by their heights, row by row. */
type Rows = readonly (readonly number[])[]

// Up to this many pictures keep their own shape; in a larger grid equal tiles look calmer.
const MOST_IN_OWN_SHAPE = 3

/**
 * Where prints go within an area, in whole pixels: of all arrangements in rows the one whose smallest print is largest.
 * `shapes` are the pictures' widths divided by their heights, however extreme: no print leaves the area, and one too
 * thin to be seen is cut to a visible width or height.
 */
export const cellsFor = (shapes: readonly number[], around: Area, spacing: Spacing): Area[] => {
  const area = wholePixels(around)
  const arrangements = shapes.length > MOST_IN_OWN_SHAPE ? equalRows(shapes.length, area) : partitions(shapes)
  const worth = (cells: readonly Area[]) =>
    cells.every((cell) => isWithin(cell, area)) ? smallest(cells) : 0
  return arrangements
    .map((rows) => cellsIn(rows, area, { ...spacing, gap: Math.round(spacing.gap) }))
    .reduce((best, cells) => (worth(cells) > worth(best) * 1.02 ? cells : best))
}

const wholePixels = ({ x, y, width, height }: Area): Area => {
  const [left, top] = [Math.ceil(x), Math.ceil(y)]
  return { x: left, y: top, width: Math.floor(x + width) - left, height: Math.floor(y + height) - top }
}

const isWithin = (cell: Area, area: Area): boolean =>
  cell.x >= area.x &&
  cell.y >= area.y &&
  cell.x + cell.width <= area.x + area.width &&
  cell.y + cell.height <= area.y + area.height

const smallest = (cells: readonly Area[]): number =>
  Math.min(...cells.map(({ width, height }) => width * height))

/** All ways to cut a list into rows: [a b c], [a b][c], [a][b c], [a][b][c]. */
const partitions = (shapes: readonly number[]): Rows[] =>
  shapes.slice(1).reduce<Rows[]>(
    (found, shape) =>
      found.flatMap((rows) => [
        [...rows.slice(0, -1), [...(rows.at(-1) ?? []), shape]],
        [...rows, [shape]],
      ]),
    [[shapes.slice(0, 1)]],
  )

const equalRows = (count: number, area: Area): Rows[] =>
  Array.from({ length: count }, (_, index) => {
    const columns = index + 1
    const rows = Math.ceil(count / columns)
    const shape = Math.min(1.5, Math.max(0.8, area.width / columns / (area.height / rows)))
    return Array.from({ length: rows }, (_, row) =>
      Array(Math.min(columns, count - row * columns)).fill(shape),
    )
  })

/** Prints of one row are equally high, as high as the area allows, and the whole stands in the middle of it. */
const cellsIn = (rows: Rows, area: Area, spacing: Spacing): Area[] => {
  const { gap, paper } = spacing
  const heights = heightsOf(rows, area, spacing).map((height) => height + paper.border + paper.label)
  const tops = inTheMiddle(heights, area.y, area.height, gap)
  return rows.flatMap((row, index) => {
    const [y, height] = [tops[index] ?? 0, heights[index] ?? 0]
    const widths = widthsOf(row, height - paper.border - paper.label, area, spacing)
    const lefts = inTheMiddle(widths, area.x, area.width, gap)
    return widths.map((width, place) => ({ x: lefts[place] ?? 0, y, width, height }))
  })
}

/** Where each of several lengths begins, one behind the other with gaps between them, in the middle of a stretch. */
const inTheMiddle = (lengths: readonly number[], from: number, room: number, gap: number): number[] => {
  const total = lengths.reduce((sum, length) => sum + length + gap, -gap)
  let next = from + Math.floor((room - total) / 2)
  return lengths.map((length) => {
    const begin = next
    next += length + gap
    return begin
  })
}

/** Heights of the pictures themselves, for each row. */
const heightsOf = (rows: Rows, area: Area, { gap, paper }: Spacing): number[] => {
  const full = Math.max(...rows.map((row) => row.length))
  const isGrid = rows.flat().length > MOST_IN_OWN_SHAPE
  const wishes = rows.map((row) => {
    const count = isGrid ? full : row.length
    const shapes = row.reduce((sum, shape) => sum + shape, 0) * (count / row.length)
    return (area.width - gap * (count - 1) - 2 * paper.border * count) / shapes
  })
  return shareOut(wishes, area.height - gap * (rows.length - 1) - (paper.border + paper.label) * rows.length)
}

/** Widths of the prints of a row, paper included. */
const widthsOf = (row: readonly number[], height: number, area: Area, { gap, paper }: Spacing): number[] => {
  const wishes = row.map((shape) => height * shape)
  const room = area.width - gap * (row.length - 1) - 2 * paper.border * row.length
  return shareOut(wishes, room).map((width) => width + 2 * paper.border)
}

// Less of a picture is nothing that anybody could see.
const LEAST = 8

/** Whole pixels for each, at most what it wishes for but a visible number, and at most the room together where it is enough for one pixel each. */
const shareOut = (wishes: readonly number[], room: number): number[] => {
  const share = Math.min(1, room / sumOf(wishes))
  const shares = wishes.map((wish) => Math.floor(wish * share))
  const least = Math.max(1, Math.min(LEAST, Math.floor(room / wishes.length)))
  if (shares.every((one) => one >= least)) return shares
  // Who wishes for less than is visible gets that; the others share what is left.
  const rest = wishes.map((wish) => Math.max(0, wish - least))
  const shareOfRest = Math.min(1, Math.max(0, room - least * wishes.length) / Math.max(1, sumOf(rest)))
  return rest.map((wish) => least + Math.floor(wish * shareOfRest))
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
