import { readFile } from 'node:fs/promises'
import { EmulatorError } from '../../../../core/emulator-error.js'
import { assetPath } from './assets.js'
import type { Glyph } from './glyph.js'
import { readGlyphs } from './letters-file.js'

/** The one typeface of the studio. A character that it does not have is a box. */
export interface Font {
  glyph(character: string): Glyph
}

let shared: Promise<Font> | undefined

/**
 * The typeface, read at the first call in a process.
 *
 * @throws EmulatorError `asset-missing` when its file is not where the package keeps it, and `font-unreadable`
 */
export const loadFont = (): Promise<Font> => {
  shared ??= fontPath()
    .then(readFont)
    .catch((error: unknown) => {
      shared = undefined
      throw error
    })
  return shared
}

/** Where its file is: `scripts/make-font.ts` makes it. */
export const fontPath = (): Promise<string> => assetPath('fonts/NotoSansSC-Medium-letters.bin')

/** @throws EmulatorError `font-unreadable` when the file is cut, garbled or another one */
export const readFont = async (path: string): Promise<Font> => {
  const file = await readFile(path)
  try {
    return typefaceOf(readGlyphs(file))
  } catch (cause) {
    throw new EmulatorError(`The font ${path} cannot be read.`, {
      code: 'font-unreadable',
      hint: 'Install the package again.',
      cause,
    })
  }
}

const typefaceOf = (read: (character: string) => Glyph | undefined): Font => {
  const known = new Map<string, Glyph>()
  return {
    glyph: (character) => {
      const glyph = known.get(character) ?? read(character)
      // Characters without a glyph are without number; those with one are some 8,000 and a few hundred bytes each.
      if (glyph === undefined) return boxFor(character)
      known.set(character, glyph)
      return glyph
    },
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
