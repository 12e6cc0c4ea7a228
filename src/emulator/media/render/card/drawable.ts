import type { Font } from './font.js'

/** The characters of a text that change their neighbours alone: joiners, variation selectors, skin tones and the like. */
const UNDRAWN = /[\p{Cf}\p{Mn}\p{Me}\p{Cc}\p{Cs}\p{Emoji_Modifier}]/gu

/**
 * The characters that are drawn of a text. What the font lacks is never a box: a letter with a mark is drawn without it, a flag as its two
 * letters, and a run of another script is named: `(Arabic, 62 characters)`, one symbol by its code point: `(U+2E3B)`.
 */
export const drawableCharacters = (font: Font, text: string): string[] => {
  const characters = [...text.normalize('NFC').replace(UNDRAWN, '')]
  if (characters.every(font.has)) return characters
  let drawn = ''
  let run: string[] = []
  // Spaces within a run of one script belong to it; those behind it do not.
  let spaces = ''
  const endRun = (): void => {
    drawn += (run.length === 0 ? '' : nameOf(run)) + spaces
    run = []
    spaces = ''
  }
  for (const character of characters) {
    const shown = shownAs(font, character)
    if (shown !== undefined && (character !== ' ' || run.length === 0)) {
      endRun()
      drawn += shown
    } else if (character === ' ') spaces += ' '
    else {
      if (run[0] !== undefined && scriptOf(run[0]) !== scriptOf(character)) endRun()
      run.push(...spaces, character)
      spaces = ''
    }
  }
  endRun()
  return [...drawn]
}

const FIRST_FLAG_LETTER = 0x1f1e6
const LETTER_A = 0x41

/** What stands for a character: itself, or the letter in it. Undefined where the font has neither. */
const shownAs = (font: Font, character: string): string | undefined => {
  if (font.has(character)) return character
  if (/\p{Regional_Indicator}/u.test(character))
    return String.fromCodePoint((character.codePointAt(0) ?? 0) - FIRST_FLAG_LETTER + LETTER_A)
  const [letter = ''] = character.normalize('NFKD')
  return letter !== character && font.has(letter) ? letter : undefined
}

/** Scripts that prompts are written in, by their English names. */
const SCRIPTS = [
  ['Arabic', /\p{Script_Extensions=Arabic}/u],
  ['Hebrew', /\p{Script_Extensions=Hebrew}/u],
  ['Syriac', /\p{Script_Extensions=Syriac}/u],
  ['Korean', /\p{Script_Extensions=Hangul}/u],
  ['Thai', /\p{Script_Extensions=Thai}/u],
  ['Devanagari', /\p{Script_Extensions=Devanagari}/u],
  ['Bengali', /\p{Script_Extensions=Bengali}/u],
  ['Tamil', /\p{Script_Extensions=Tamil}/u],
  ['Telugu', /\p{Script_Extensions=Telugu}/u],
  ['Kannada', /\p{Script_Extensions=Kannada}/u],
  ['Malayalam', /\p{Script_Extensions=Malayalam}/u],
  ['Gujarati', /\p{Script_Extensions=Gujarati}/u],
  ['Punjabi', /\p{Script_Extensions=Gurmukhi}/u],
  ['Sinhala', /\p{Script_Extensions=Sinhala}/u],
  ['Khmer', /\p{Script_Extensions=Khmer}/u],
  ['Lao', /\p{Script_Extensions=Lao}/u],
  ['Burmese', /\p{Script_Extensions=Myanmar}/u],
  ['Tibetan', /\p{Script_Extensions=Tibetan}/u],
  ['Mongolian', /\p{Script_Extensions=Mongolian}/u],
  ['Georgian', /\p{Script_Extensions=Georgian}/u],
  ['Armenian', /\p{Script_Extensions=Armenian}/u],
  ['Amharic', /\p{Script_Extensions=Ethiopic}/u],
  ['Cherokee', /\p{Script_Extensions=Cherokee}/u],
  ['Chinese', /\p{Script_Extensions=Han}/u],
  ['Japanese', /\p{Script_Extensions=Hiragana}|\p{Script_Extensions=Katakana}/u],
  ['Greek', /\p{Script_Extensions=Greek}/u],
  ['Cyrillic', /\p{Script_Extensions=Cyrillic}/u],
  ['Latin', /\p{Script_Extensions=Latin}/u],
  ['letters', /\p{L}/u],
] as const

const scriptOf = (character: string): string =>
  SCRIPTS.find(([, isOf]) => isOf.test(character))?.[0] ?? 'symbols'

const nameOf = (run: readonly string[]): string => {
  const [first = ''] = run
  const script = scriptOf(first)
  if (run.length === 1) {
    const codePoint = (first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return script === 'symbols' || script === 'letters' ? `(U+${codePoint})` : `(${script}, 1 character)`
  }
  return script === 'symbols' || script === 'letters'
    ? `(${run.length} ${script})`
    : `(${script}, ${run.length} characters)`
}
