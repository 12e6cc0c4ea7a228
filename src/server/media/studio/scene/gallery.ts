import type { MediaInput } from '../../../../core/media/spec.js'
import type { Inputs, Look } from '../inputs/inputs.js'
import { drawText, widthOf } from '../lettering/letters.js'
import { cutToWidth } from '../lettering/measure.js'
import type { Font } from '../lettering/typeface.js'
import { cellsFor } from './grid.js'
import { icon } from './icons.js'
import type { Placed } from './paint.js'
import type { Palette } from './palette.js'
import { type Area, inset, rect } from './svg.js'

export interface Gallery {
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
