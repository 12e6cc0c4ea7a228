import { crc32 } from 'node:zlib'
import type { Command, Font } from 'opentype.js'
import { UNITS_PER_EM } from '../../src/emulator/media/render/card/font.js'

/** The file that `parseFont` reads, with those of the characters that the font has. `notice`: for people who look into it. */
export const writeLetters = (
  font: Font,
  characters: readonly string[],
  notice: string,
  unitsPerEm = UNITS_PER_EM,
): string => {
  const had = characters.filter((character) => font.charToGlyphIndex(character) !== 0)
  const lines = had.map((character) => {
    const glyph = font.charToGlyph(character)
    const advance = (glyph.advanceWidth * unitsPerEm) / font.unitsPerEm
    const outline = outlineText(glyph.getPath(0, 0, unitsPerEm).commands)
    return `${character.codePointAt(0)?.toString(16)}\t${advance}\t${outline}\n`
  })
  const letters = lines.join('')
  return `${crc32(letters)} ${notice}\n${letters}`
}

/**
 * An outline as the `d` of an SVG path, in relative commands. Coordinates are rounded before their differences are taken, so
 * that no error adds up. Lines of no length, of which opentype.js writes one between a curve and a line, are dropped.
 * Subpaths are not closed: a fill closes them anyway.
 */
const outlineText = (commands: readonly Command[]): string => {
  let [x, y] = [0, 0]
  const texts = commands.map((command) => {
    if (command.type === 'Z') throw new Error('The format has no command for a subpath that is closed.')
    const [toX, toY] = [Math.round(command.x), Math.round(command.y)]
    const [byX, byY] = [toX - x, toY - y]
    const control = command.type === 'Q' ? [Math.round(command.x1) - x, Math.round(command.y1) - y] : []
    x = toX
    y = toY
    if (command.type !== 'L') return `${command.type.toLowerCase()}${joined([...control, byX, byY])}`
    if (byX !== 0 && byY !== 0) return `l${joined([byX, byY])}`
    if (byX !== 0) return `h${byX}`
    return byY === 0 ? '' : `v${byY}`
  })
  return texts.join('')
}

/** Numbers of an SVG path: a minus sign separates them as well as a space. */
const joined = (numbers: readonly number[]): string =>
  numbers.map((number, nth) => (nth === 0 || number < 0 ? `${number}` : ` ${number}`)).join('')
