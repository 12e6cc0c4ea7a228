import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { type Glyph, UNITS_PER_EM } from './glyph.js'
import { pathOf } from './outline.js'

/**
 * How a file of letters begins: with a checksum of all that follows it (CRC-32) and the bytes of its title, which is JSON.
 * Then comes for each character of the title where its outline is, and at last come the outlines. Numbers are little
 * endian and without a sign, the short ones of two bytes and the others of four.
 */
export const HEAD = { checksum: 0, titleBytes: 4, bytes: 8 } as const
/** For one character: its advance (short), where its outline begins among the outlines, and the bytes it has (short). */
export const PLACE = { advance: 0, start: 2, length: 6, bytes: 8 } as const

const titleSchema = z.object({
  unitsPerEm: z.literal(UNITS_PER_EM),
  characters: z.string(),
})

export type Title = z.output<typeof titleSchema>

/**
 * The letters of a file; undefined for a character that it does not have. An outline is written out when it is asked
 * for: most drawings have some dozens of the thousands.
 *
 * @throws Error where the file is not as it was made: cut, garbled, or another one
 */
export const readGlyphs = (file: Buffer): ((character: string) => Glyph | undefined) => {
  const { characters, places, outlines } = opened(file)
  return (character) => {
    const nth = characters.get(character)
    if (nth === undefined) return undefined
    const place = places.subarray(nth * PLACE.bytes)
    const start = place.readUInt32LE(PLACE.start)
    const outline = outlines.subarray(start, start + place.readUInt16LE(PLACE.length))
    return { advance: place.readUInt16LE(PLACE.advance), outline: pathOf(outline) }
  }
}

const opened = (file: Buffer) => {
  if (file.length < HEAD.bytes) throw new Error(`It has ${file.length} bytes.`)
  const sum = crc32(file.subarray(HEAD.titleBytes))
  if (sum !== file.readUInt32LE(HEAD.checksum)) throw new Error('Its checksum is wrong.')
  const placesAt = HEAD.bytes + file.readUInt32LE(HEAD.titleBytes)
  const title = titleSchema.parse(JSON.parse(file.toString('utf8', HEAD.bytes, placesAt)))
  const characters = numbered(title.characters)
  const outlinesAt = placesAt + characters.size * PLACE.bytes
  return { characters, places: file.subarray(placesAt, outlinesAt), outlines: file.subarray(outlinesAt) }
}

const numbered = (characters: string): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  for (const character of characters) numbers.set(character, numbers.size)
  return numbers
}
