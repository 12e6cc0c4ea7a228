import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { memoizeLoad } from '../../../concurrency.js'
import { EmulatorError } from '../../../core/errors.js'
import { packageRoot } from '../../../package-root.js'

// Looked up here: an import by its name would fail on an older Node before the package can say which one it needs.
const { crc32 } = zlib
const decompress = promisify(zlib.brotliDecompress)

/** Font: the typeface of all cards, with emoji where a text has some. */
export interface Font {
  has(this: void, character: string): boolean
  /** The outline of a character; one that it does not have is as wide as a space, and empty. */
  glyph(this: void, character: string): Glyph
}

const loadLetters = memoizeLoad(() => readFont(fontPath()))
const loadEmoji = memoizeLoad(() => readFont(emojiPath(), EMOJI_UNITS_PER_EM))

/**
 * Loads the typeface at the first call in a process, and the emoji at the first text that has some.
 * @param texts what is to be drawn
 * @throws EmulatorError `asset-missing` when a file is not where the package keeps it, and `font-unreadable`
 */
export const loadFont = async (...texts: readonly string[]): Promise<Font> => {
  const letters = await loadLetters()
  const isEmoji = (character: string) =>
    /\p{Extended_Pictographic}/u.test(character) && !letters.has(character)
  if (!texts.some((text) => [...text].some(isEmoji))) return letters
  const emoji = await loadEmoji()
  return {
    has: (character) => letters.has(character) || emoji.has(character),
    glyph: (character) => (letters.has(character) ? letters : emoji).glyph(character),
  }
}

/** Path of the font file, which `scripts/make-font.ts` makes. Brotli makes it a third smaller than the package's gzip would. */
export const fontPath = (): string =>
  join(packageRoot(), 'assets', 'fonts', 'NotoSansSC-Medium-outlines.txt.br')

/** Path of the emoji, which `scripts/make-font.ts` makes. They are read apart, since few texts have any. */
const emojiPath = (): string => join(packageRoot(), 'assets', 'fonts', 'NotoEmoji-Regular-outlines.txt.br')

/** @throws EmulatorError `asset-missing`, or `font-unreadable` when the file is cut, garbled or another one */
export const readFont = async (path: string, unitsPerEm = UNITS_PER_EM): Promise<Font> => {
  const file = await readFile(path).catch((cause: unknown) => {
    throw new EmulatorError(`The package's file ${path} was not found.`, {
      code: 'asset-missing',
      hint: 'Install the package again; a bundler has to leave "backlot" outside of its bundle.',
      cause,
    })
  })
  try {
    return parseFont(await decompress(file), unitsPerEm)
  } catch (cause) {
    throw new EmulatorError(`The font ${path} cannot be read.`, {
      code: 'font-unreadable',
      hint: 'Install the package again.',
      cause,
    })
  }
}

/**
 * Parses a font file: a line with the checksum of all that follows it (CRC-32), and then a line for each character, with tabs
 * between its code point in hex, its advance and its outline.
 * @param unitsPerEm in which its outlines are measured
 * @throws Error where the file is not as it was made: cut, garbled, or another one
 */
export const parseFont = (file: Buffer, unitsPerEm = UNITS_PER_EM): Font => {
  const begin = file.indexOf('\n') + 1
  const [checksum] = file.toString('latin1', 0, begin).split(' ')
  if (begin === 0 || Number(checksum) !== crc32(file.subarray(begin)))
    throw new Error('Its checksum is wrong.')
  const lines = file.toString('latin1', begin).trimEnd().split('\n')
  const lineOf = new Map(lines.map((line) => [String.fromCodePoint(Number.parseInt(line, 16)), line]))
  const scale = UNITS_PER_EM / unitsPerEm
  return {
    has: (character) => lineOf.has(character),
    // Lines are taken apart when their characters are drawn: all of them would hold the event loop for some 20 ms.
    glyph: (character) => {
      const [, advance, outline] = lineOf.get(character)?.split('\t') ?? []
      return outline === undefined ? NO_GLYPH : { advance: Number(advance) * scale, outline, scale }
    },
  }
}

const NO_GLYPH: Glyph = { advance: 300, outline: '', scale: 1 }

/** Advances and outlines are measured in this many units per em, the y axis downwards, the baseline at 0. */
export const UNITS_PER_EM = 1000

/** Outlines of emoji are measured more coarsely: they have many points, and are a third smaller so. */
export const EMOJI_UNITS_PER_EM = 250

/** Height of a capital letter and a Chinese character above the baseline, in ems. */
export const CAPITAL_HEIGHT_EM = 0.733

interface Glyph {
  /** Units to the next character. */
  readonly advance: number
  /** What an SVG path takes in its `d`; empty for a space. */
  readonly outline: string
  /** What the outline is to be scaled by. */
  readonly scale: number
}
