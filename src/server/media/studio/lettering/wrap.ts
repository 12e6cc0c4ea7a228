import { brokenUp, type Piece } from './pieces.js'
import type { Font } from './typeface.js'

/**
 * Paragraphs in lines of at most `maxEms`: Latin breaks between words, Chinese between any two characters, a word that
 * is longer than a line wherever the line ends.
 */
export const wrap = (font: Font, paragraphs: readonly Piece[][], maxEms: number): string[] =>
  paragraphs.flatMap((pieces) => {
    const short = pieces.flatMap((piece) => (piece.trimmedEms > maxEms ? brokenUp(font, piece) : [piece]))
    return linesOf(short, maxEms)
  })

const linesOf = (pieces: readonly Piece[], maxEms: number): string[] => {
  const lines: string[] = []
  let line = ''
  let ems = 0
  for (const piece of pieces) {
    if (line !== '' && ems + piece.trimmedEms > maxEms) {
      lines.push(line.trimEnd())
      line = ''
      ems = 0
    }
    line += piece.text
    ems += piece.ems
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}
