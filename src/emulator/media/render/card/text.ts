import { n } from '../drawing.js'
import { drawableCharacters } from './drawable.js'
import { type Font, UNITS_PER_EM } from './font.js'

/** Height of a line of running text, in ems. */
export const LINE_HEIGHT_EM = 1.3

interface TextBox {
  readonly width: number
  readonly height: number
  /** Pixels to the em: the text is as large as it can be between these two. */
  readonly smallest: number
  readonly largest: number
}

const STEP = 0.92

/** Fits a text into a box, as large as possible. What does not fit at the smallest size is cut off with `…`. */
export const fitText = (font: Font, text: string, box: TextBox): { lines: string[]; size: number } => {
  const paragraphs = piecesOf(font, beginningOf(text, box))
  for (let size = box.largest; size > box.smallest; size *= STEP) {
    const lines = wrap(font, paragraphs, box.width / size)
    if (lines.length <= linesIn(box, size)) return { lines, size }
  }
  return { lines: cutToBox(font, paragraphs, box), size: box.smallest }
}

const linesIn = (box: TextBox, size: number): number => Math.floor(box.height / (size * LINE_HEIGHT_EM))

// A long text is measured no further than the box could hold if it were all narrow letters.
const NARROW_EM = 0.25
const beginningOf = (text: string, { width, height, smallest }: TextBox): string => {
  const area = Math.max(width, 0) * Math.max(height, smallest)
  const characters = Math.ceil(area / (smallest ** 2 * NARROW_EM * LINE_HEIGHT_EM)) + 1
  return [...text.slice(0, 2 * characters)].slice(0, characters).join('')
}

const cutToBox = (font: Font, paragraphs: readonly Piece[][], box: TextBox): string[] => {
  const maxEms = box.width / box.smallest
  const lines = wrap(font, paragraphs, maxEms)
  const count = Math.max(1, linesIn(box, box.smallest))
  if (lines.length <= count) return lines
  return [...lines.slice(0, count - 1), cutToWidth(font, `${lines[count - 1]}…`, maxEms)]
}

/**
 * Wraps paragraphs into lines of at most `maxEms`: Latin breaks between words, Chinese between any two characters, a word that
 * is longer than a line wherever the line ends.
 */
export const wrap = (font: Font, paragraphs: readonly Piece[][], maxEms: number): string[] =>
  paragraphs.flatMap((pieces) => {
    const short = pieces.flatMap((piece) =>
      piece.trimmedEms > maxEms
        ? drawableCharacters(font, piece.text).map((one) => measurePiece(font, one))
        : [piece],
    )
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

/** Unbreakable piece of a line: a Latin word or one Chinese character, with the punctuation that belongs to it. */
interface Piece {
  /** With the space behind it, if there is one. */
  readonly text: string
  readonly ems: number
  /** Without the space, which may hang over the end of a line. */
  readonly trimmedEms: number
}

/** Splits a text into paragraphs of pieces, which are measured once and then wrapped for several widths. */
export const piecesOf = (font: Font, text: string): Piece[][] =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).map((paragraph) => {
    const drawn = drawableCharacters(font, paragraph.replace(/\s+/gu, ' ')).join('').trim()
    return (drawn.match(PIECE) ?? []).map((piece) => measurePiece(font, piece))
  })

const measurePiece = (font: Font, text: string): Piece => ({
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

/** Width of a text, in ems. */
export const widthInEms = (font: Font, text: string): number =>
  drawableCharacters(font, text).reduce((sum, character) => sum + font.glyph(character).advance, 0) /
  UNITS_PER_EM

/** The text itself where it fits, otherwise as much of its beginning as fits with `…` behind it. */
export const cutToWidth = (font: Font, text: string, maxEms: number): string => {
  if (widthInEms(font, text) <= maxEms) return text
  let box = maxEms - widthInEms(font, '…')
  const kept = drawableCharacters(font, text).filter((character) => {
    box -= font.glyph(character).advance / UNITS_PER_EM
    return box >= 0
  })
  return `${kept.join('').trimEnd()}…`
}

interface TextStyle {
  /** Where the baseline begins, or its middle where `align` is `middle`. */
  readonly x: number
  readonly y: number
  /** Pixels to the em. */
  readonly size: number
  readonly fill: string
  /** Default: `start`. */
  readonly align?: 'start' | 'middle'
}

/** Draws one line of text as SVG paths, so that it looks the same on machines with other fonts and with none. */
export const drawText = (font: Font, text: string, { x, y, size, fill, align }: TextStyle): string => {
  const scale = size / UNITS_PER_EM
  let pen = 0
  const shapes = drawableCharacters(font, text).map((character) => {
    const { outline, advance, scale: outlineScale } = font.glyph(character)
    const at = pen
    pen += advance
    const scaled = outlineScale === 1 ? '' : ` scale(${outlineScale})`
    return outline === '' ? '' : `<path transform="translate(${n(at)})${scaled}" d="${outline}"/>`
  })
  const left = align === 'middle' ? x - (pen * scale) / 2 : x
  return `<g transform="translate(${n(left)} ${n(y)}) scale(${scale.toFixed(5)})" fill="${fill}">${shapes.join('')}</g>`
}

/** Width of a text as it is drawn, in pixels. */
export const widthOf = (font: Font, text: string, size: number): number => widthInEms(font, text) * size
