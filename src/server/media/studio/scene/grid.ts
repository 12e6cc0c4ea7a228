import type { Area } from './svg.js'

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
