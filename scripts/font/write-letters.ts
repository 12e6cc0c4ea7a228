import { crc32 } from 'node:zlib'
import type { Font } from 'opentype.js'
import { HEAD, PLACE, type Title, UNITS_PER_EM } from '../../src/media/render/card/font.js'
import { outlineBytes } from './outline-bytes.js'

/** The names and terms that go with the letters, for people who look into the file. */
export type Notice = Readonly<Record<'font' | 'copyright' | 'licence', string>>

/** The file that `readLetters` reads, with those of the characters that the font has. */
export const writeLetters = (font: Font, characters: readonly string[], notice: Notice): Buffer => {
  const had = characters.filter((character) => font.charToGlyphIndex(character) !== 0)
  const title: Title & Notice = { ...notice, unitsPerEm: UNITS_PER_EM, characters: had.join('') }
  const outlines: Buffer[] = []
  let start = 0
  const places = had.map((character) => {
    const glyph = font.charToGlyph(character)
    const outline = outlineBytes(glyph.getPath(0, 0, UNITS_PER_EM).commands)
    const place = placeBytes((glyph.advanceWidth * UNITS_PER_EM) / font.unitsPerEm, start, outline.length)
    outlines.push(outline)
    start += outline.length
    return place
  })
  return sealed(Buffer.from(JSON.stringify(title)), Buffer.concat([...places, ...outlines]))
}

const placeBytes = (advance: number, start: number, length: number): Buffer => {
  const bytes = Buffer.alloc(PLACE.bytes)
  bytes.writeUInt16LE(advance, PLACE.advance)
  bytes.writeUInt32LE(start, PLACE.start)
  bytes.writeUInt16LE(length, PLACE.length)
  return bytes
}

/** A file of letters with its head: `letters` are the places and the outlines. */
export const sealed = (title: Buffer, letters: Buffer): Buffer => {
  const file = Buffer.concat([Buffer.alloc(HEAD.bytes), title, letters])
  file.writeUInt32LE(title.length, HEAD.titleBytes)
  file.writeUInt32LE(crc32(file.subarray(HEAD.titleBytes)), HEAD.checksum)
  return file
}
