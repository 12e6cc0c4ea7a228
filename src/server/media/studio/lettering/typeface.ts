import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Command, Font } from 'opentype.js'
import { EmulatorError } from '../../../../core/emulator-error.js'
import { loadOpentype } from '../load.js'
import { assetPath } from './assets.js'

/** Outlines are measured in this many units per em, the y axis downwards, the baseline at 0. */
export const UNITS_PER_EM = 1000
/** How high a capital letter and a Chinese character stand above the baseline, in ems. */
export const CAPITAL_HEIGHT_EM = 0.733

export interface Glyph {
  /** Units to the next character. */
  readonly advance: number
  /** What an SVG path takes in its `d`; empty for a space. */
  readonly outline: string
}

/** The one typeface of the studio. A character that it does not have is a box. */
export interface Typeface {
  glyph(character: string): Glyph
}

let shared: Promise<Typeface> | undefined

/** The typeface, read at the first call in a process. EmulatorError when the font file is not where the package keeps it. */
export const loadTypeface = (): Promise<Typeface> => {
  shared ??= readTypeface().catch((error: unknown) => {
    shared = undefined
    throw error
  })
  return shared
}

const readTypeface = async (): Promise<Typeface> => {
  const path = await assetPath('fonts/NotoSansSC-Medium-subset.ttf')
  const file = await readFile(path)
  try {
    // Glyphs are read one by one when they are asked for: reading all of them stops the process for 120 ms.
    const font = loadOpentype().parse(new Uint8Array(file).buffer, { lowMemory: true })
    await nextTurn()
    return typefaceOf(font)
  } catch (cause) {
    throw new EmulatorError(`The font ${path} cannot be read.`, {
      code: 'font-unreadable',
      hint: 'Install the package again.',
      cause,
    })
  }
}

const typefaceOf = (font: Font): Typeface => {
  const known = new Map<string, Glyph>()
  const read = (character: string): Glyph => {
    if (font.charToGlyphIndex(character) === 0) return boxFor(character)
    const glyph = font.charToGlyph(character)
    const outline = glyph.getPath(0, 0, UNITS_PER_EM).commands.map(written).join('')
    return { advance: (glyph.advanceWidth * UNITS_PER_EM) / font.unitsPerEm, outline }
  }
  return {
    glyph: (character) => {
      const glyph = known.get(character) ?? read(character)
      // Characters without a glyph are without number; those with one are some 8,000 and a few hundred bytes each.
      if (glyph !== HALF_BOX && glyph !== FULL_BOX) known.set(character, glyph)
      return glyph
    },
  }
}

// The package's own way to write a path loses the space before a coordinate that rounds to minus zero.
const written = (command: Command): string => {
  switch (command.type) {
    case 'M':
    case 'L':
      return `${command.type}${Math.round(command.x)} ${Math.round(command.y)}`
    case 'Q':
      return `Q${Math.round(command.x1)} ${Math.round(command.y1)} ${Math.round(command.x)} ${Math.round(command.y)}`
    case 'Z':
      return 'Z'
  }
}

const box = (width: number): Glyph => ({
  advance: width + 120,
  outline: `M60 -720h${width}v720h-${width}zM110 -670v620h${width - 100}v-620z`,
})
const HALF_BOX = box(440)
const FULL_BOX = box(840)

// From the first of the East Asian blocks on, characters are a whole em wide.
const boxFor = (character: string): Glyph => ((character.codePointAt(0) ?? 0) < 0x2e80 ? HALF_BOX : FULL_BOX)
