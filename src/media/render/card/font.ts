import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { memoizeLoad } from '../../../concurrency.js'
import { EmulatorError } from '../../../core/errors.js'
import { packageRoot } from '../../../package-root.js'

/** Font: the one typeface of all cards. A character that it does not have is a box. */
export interface Font {
  glyph(character: string): Glyph
}

/**
 * Loads the typeface at the first call in a process.
 * @throws EmulatorError `asset-missing` when its file is not where the package keeps it, and `font-unreadable`
 */
export const loadFont = memoizeLoad(() => readFont(fontPath()))

/** Path of the font file, which `scripts/make-font.ts` makes. */
export const fontPath = (): string => join(packageRoot(), 'assets', 'fonts', 'NotoSansSC-Medium-letters.bin')

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
    return fontOf(readGlyphs(file))
  } catch (cause) {
    throw new EmulatorError(`The font ${path} cannot be read.`, {
      code: 'font-unreadable',
      hint: 'Install the package again.',
      cause,
    })
  }
}

const fontOf = (read: (character: string) => Glyph | undefined): Font => {
  const known = new Map<string, Glyph>()
  return {
    glyph: (character) => {
      const glyph = known.get(character) ?? read(character)
      // Only glyphs are cached: there are some 8,000 of a few hundred bytes each, and any number of other characters.
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

/**
 * Header of a font file: it begins with a checksum of all that follows it (CRC-32) and the bytes of its title, which is JSON.
 * Then comes for each character of the title where its outline is, and at last come the outlines. Numbers are little
 * endian and without a sign, the short ones of two bytes and the others of four.
 */
export const HEAD = { checksum: 0, titleBytes: 4, bytes: 8 } as const
/** Record of one character: its advance (short), where its outline begins among the outlines, and the bytes it has (short). */
export const PLACE = { advance: 0, start: 2, length: 6, bytes: 8 } as const

/** Outlines are measured in this many units per em, the y axis downwards, the baseline at 0. */
export const UNITS_PER_EM = 1000

const titleSchema = z.object({ unitsPerEm: z.literal(UNITS_PER_EM), characters: z.string() })

export type Title = z.output<typeof titleSchema>

/**
 * Reader of the glyphs of a font file; undefined for a character that it does not have. An outline is decoded when it
 * is needed: most drawings use some dozens of the thousands.
 * @throws Error where the file is not as it was made: cut, garbled, or another one
 */
export const readGlyphs = (file: Buffer): ((character: string) => Glyph | undefined) => {
  const { characters, places, outlines } = parseFontFile(file)
  return (character) => {
    const nth = characters.get(character)
    if (nth === undefined) return undefined
    const place = places.subarray(nth * PLACE.bytes)
    const start = place.readUInt32LE(PLACE.start)
    const outline = outlines.subarray(start, start + place.readUInt16LE(PLACE.length))
    return { advance: place.readUInt16LE(PLACE.advance), outline: pathOf(outline) }
  }
}

const parseFontFile = (file: Buffer) => {
  if (file.length < HEAD.bytes) throw new Error(`It has ${file.length} bytes.`)
  const sum = crc32(file.subarray(HEAD.titleBytes))
  if (sum !== file.readUInt32LE(HEAD.checksum)) throw new Error('Its checksum is wrong.')
  const placesAt = HEAD.bytes + file.readUInt32LE(HEAD.titleBytes)
  const title = titleSchema.parse(JSON.parse(file.toString('utf8', HEAD.bytes, placesAt)))
  const characters = indexByCharacter(title.characters)
  const outlinesAt = placesAt + characters.size * PLACE.bytes
  return { characters, places: file.subarray(placesAt, outlinesAt), outlines: file.subarray(outlinesAt) }
}

const indexByCharacter = (characters: string): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  for (const character of characters) numbers.set(character, numbers.size)
  return numbers
}

/**
 * Commands of an outline in the font file: one command after the other, each a byte, which is its place in this
 * list, and its numbers. They are SVG's relative commands, so that most numbers take one byte (signed); one that needs
 * two (signed, little endian) stands behind WIDE. Subpaths are not closed: a fill closes them anyway.
 */
export const COMMANDS = [
  { letter: 'm', numbers: 2 },
  { letter: 'l', numbers: 2 },
  { letter: 'h', numbers: 1 },
  { letter: 'v', numbers: 1 },
  { letter: 'q', numbers: 4 },
] as const

export const WIDE = -128

/** Decodes an outline of the font file into the `d` of an SVG path. */
const pathOf = ({ buffer, byteOffset, length }: Uint8Array): string => {
  // Elements are read several times faster than by a Buffer's methods as long as a process is young.
  const bytes = new Int8Array(buffer, byteOffset, length)
  const element = (at: number): number => bytes[at] ?? 0
  let path = ''
  let at = 0
  while (at < length) {
    const { letter, numbers } = commandOf(element(at++))
    path += letter
    for (let nth = 0; nth < numbers; nth += 1) {
      let number = element(at++)
      if (number === WIDE) number = (element(at++) & 0xff) | (element(at++) << 8)
      path += nth === 0 || number < 0 ? number : ` ${number}`
    }
  }
  return path
}

const commandOf = (place: number) => {
  const command = COMMANDS[place]
  if (command === undefined) throw new Error(`There is no command ${place}.`)
  return command
}

/** Height of a capital letter and a Chinese character above the baseline, in ems. */
export const CAPITAL_HEIGHT_EM = 0.733

interface Glyph {
  /** Units to the next character. */
  readonly advance: number
  /** What an SVG path takes in its `d`; empty for a space. */
  readonly outline: string
}
