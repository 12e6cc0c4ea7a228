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

/** Font: the one typeface of all cards. A character that it does not have is a box. */
export interface Font {
  glyph(character: string): Glyph
}

/**
 * Loads the typeface at the first call in a process.
 * @throws EmulatorError `asset-missing` when its file is not where the package keeps it, and `font-unreadable`
 */
export const loadFont = memoizeLoad(() => readFont(fontPath()))

/** Path of the font file, which `scripts/make-font.ts` makes. Brotli makes it a third smaller than the package's gzip would. */
export const fontPath = (): string =>
  join(packageRoot(), 'assets', 'fonts', 'NotoSansSC-Medium-outlines.txt.br')

/** @throws EmulatorError `asset-missing`, or `font-unreadable` when the file is cut, garbled or another one */
export const readFont = async (path: string): Promise<Font> => {
  const file = await readFile(path).catch((cause: unknown) => {
    throw new EmulatorError(`The package's file ${path} was not found.`, {
      code: 'asset-missing',
      hint: 'Install the package again; a bundler has to leave "backlot" outside of its bundle.',
      cause,
    })
  })
  try {
    return parseFont(await decompress(file))
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
 * @throws Error where the file is not as it was made: cut, garbled, or another one
 */
export const parseFont = (file: Buffer): Font => {
  const begin = file.indexOf('\n') + 1
  const [checksum] = file.toString('latin1', 0, begin).split(' ')
  if (begin === 0 || Number(checksum) !== crc32(file.subarray(begin)))
    throw new Error('Its checksum is wrong.')
  const lines = file.toString('latin1', begin).trimEnd().split('\n')
  const lineOf = new Map(lines.map((line) => [String.fromCodePoint(Number.parseInt(line, 16)), line]))
  return {
    // Lines are taken apart when their characters are drawn: all of them would hold the event loop for some 20 ms.
    glyph: (character) => {
      const [, advance, outline] = lineOf.get(character)?.split('\t') ?? []
      return outline === undefined ? boxFor(character) : { advance: Number(advance), outline }
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

/** Outlines are measured in this many units per em, the y axis downwards, the baseline at 0. */
export const UNITS_PER_EM = 1000

/** Height of a capital letter and a Chinese character above the baseline, in ems. */
export const CAPITAL_HEIGHT_EM = 0.733

interface Glyph {
  /** Units to the next character. */
  readonly advance: number
  /** What an SVG path takes in its `d`; empty for a space. */
  readonly outline: string
}
