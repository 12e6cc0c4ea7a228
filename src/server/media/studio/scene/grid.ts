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
 * `shapes` are the pictures' widths divided by their heights.
 */
export const cellsFor = (shapes: readonly number[], area: Area, spacing: Spacing): Area[] => {
  const arrangements = shapes.length > MOST_IN_OWN_SHAPE ? equalRows(shapes.length, area) : partitions(shapes)
  return arrangements
    .map((rows) => cellsIn(rows, area, spacing))
    .reduce((best, cells) => (smallest(cells) > smallest(best) * 1.02 ? cells : best))
}

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
  const labelled = paper.border + paper.label
  const heights = heightsOf(rows, area, spacing)
  const total = heights.reduce((sum, height) => sum + height + labelled + gap, -gap)
  let y = Math.round(area.y + (area.height - total) / 2)
  return rows.flatMap((row, index) => {
    const height = heights[index] ?? 0
    const widths = row.map((shape) => Math.max(8, Math.floor(height * shape)) + 2 * paper.border)
    let x = Math.round(area.x + (area.width - widths.reduce((sum, width) => sum + width + gap, -gap)) / 2)
    const top = y
    y = Math.round(y + height + labelled + gap)
    return widths.map((width) => {
      const left = x
      x = Math.round(x + width + gap)
      return { x: left, y: top, width, height: height + labelled }
    })
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
  const room = area.height - gap * (rows.length - 1) - (paper.border + paper.label) * rows.length
  const share = Math.min(1, room / wishes.reduce((sum, wish) => sum + wish, 0))
  return wishes.map((wish) => Math.max(8, Math.floor(wish * share)))
}
