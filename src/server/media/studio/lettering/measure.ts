import { UNITS_PER_EM } from './glyph.js'
import type { Font } from './typeface.js'

/** The characters of a text that are drawn: joiners, variation selectors and the like only change their neighbours. */
export const charactersOf = (text: string): string[] => [...text.normalize('NFC').replace(UNDRAWN, '')]

const UNDRAWN = /[\p{Cf}\p{Mn}\p{Me}\p{Cc}\p{Cs}]/gu

/** How wide a text runs, in ems. */
export const widthInEms = (font: Font, text: string): number =>
  charactersOf(text).reduce((sum, character) => sum + font.glyph(character).advance, 0) / UNITS_PER_EM

/** The text itself where it fits, otherwise as much of its beginning as fits with `…` behind it. */
export const cutToWidth = (font: Font, text: string, maxEms: number): string => {
  if (widthInEms(font, text) <= maxEms) return text
  let room = maxEms - widthInEms(font, '…')
  const kept = charactersOf(text).filter((character) => {
    room -= font.glyph(character).advance / UNITS_PER_EM
    return room >= 0
  })
  return `${kept.join('').trimEnd()}…`
}
