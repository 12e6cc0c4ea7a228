import { charactersOf, widthInEms } from './measure.js'
import type { Font } from './typeface.js'

/** What a line cannot be broken within: a Latin word or one Chinese character, with the marks that stick to it. */
export interface Piece {
  /** With the space behind it, if there is one. */
  readonly text: string
  readonly ems: number
  /** Without the space, which may hang over the end of a line. */
  readonly trimmedEms: number
}

/** The paragraphs of a text, each in pieces: measured once, then put into lines for as many widths as one likes. */
export const piecesOf = (font: Font, text: string): Piece[][] =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).map((paragraph) => {
    const drawn = charactersOf(paragraph.replace(/\s+/gu, ' ')).join('').trim()
    return (drawn.match(PIECE) ?? []).map((piece) => measured(font, piece))
  })

/** A piece character by character, for a line that is shorter than the piece. */
export const brokenUp = (font: Font, piece: Piece): Piece[] =>
  charactersOf(piece.text).map((character) => measured(font, character))

const measured = (font: Font, text: string): Piece => ({
  text,
  ems: widthInEms(font, text),
  trimmedEms: widthInEms(font, text.trimEnd()),
})

// Punctuation is within the range of Chinese; opening marks stick to what follows and closing ones to what precedes.
const CHINESE = '\\u2e80-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\uff00-\\uffef\\u{20000}-\\u{3ffff}'
const OPENING = '“（〔［｛〈《「『【'
const CLOSING = '”’）〕］｝〉》」』】、。，．：；！？…'
const WORD = `[^\\s${CHINESE}“”…]+`
const PIECE = new RegExp(`[${OPENING}]*(?:${WORD}|[${CHINESE}]|.)[${CLOSING},.:;!?)]* ?`, 'gu')
