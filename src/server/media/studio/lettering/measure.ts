import { UNITS_PER_EM } from './glyph.js'
import type { Typeface } from './typeface.js'

/** The characters of a text that are drawn: joiners, variation selectors and the like only change their neighbours. */
export const charactersOf = (text: string): string[] => [...text.normalize('NFC').replace(UNDRAWN, '')]

const UNDRAWN = /[\p{Cf}\p{Mn}\p{Me}\p{Cc}\p{Cs}]/gu

/** How wide a text runs, in ems. */
export const widthInEms = (typeface: Typeface, text: string): number =>
  charactersOf(text).reduce((sum, character) => sum + typeface.glyph(character).advance, 0) / UNITS_PER_EM

/** The text itself where it fits, otherwise as much of its beginning as fits with `…` behind it. */
export const cutToWidth = (typeface: Typeface, text: string, maxEms: number): string => {
  if (widthInEms(typeface, text) <= maxEms) return text
  let room = maxEms - widthInEms(typeface, '…')
  const kept = charactersOf(text).filter((character) => {
    room -= typeface.glyph(character).advance / UNITS_PER_EM
    return room >= 0
  })
  return `${kept.join('').trimEnd()}…`
}
