import { expect, test } from 'vitest'
import { drawableCharacters } from '../../../../../src/emulator/media/render/card/drawable.js'
import { loadFont } from '../../../../../src/emulator/media/render/card/font.js'

const font = await loadFont('🦊')

test.each([
  ['Latin, Chinese and emoji as they are', 'a fox 狐狸 🦊', 'a fox 狐狸 🦊'],
  [
    'a script that the font lacks by its name, once for all of its words',
    'منارة في الضباب',
    '(Arabic, 15 characters)',
  ],
  ['what is beside it as it is', 'say שלום עולם, twice', 'say (Hebrew, 9 characters), twice'],
  ['two scripts by both of their names', 'سلام 서울', '(Arabic, 4 characters) (Korean, 2 characters)'],
  ['one letter of a script', 'ก', '(Thai, 1 character)'],
  ['one symbol by its code point', 'a ⺻ b \u{1d100}', 'a (Chinese, 1 character) b (U+1D100)'],
  ['several symbols by their number', '\u{1d100}\u{1d101}', '(2 symbols)'],
  ['a letter with marks that the font lacks without them', 'Việt', 'Viet'],
  ['people with their skin and their joiners as the pictures in them', '👩🏽‍🚀', '👩🚀'],
  ['a flag as its letters', '🇫🇷', 'FR'],
  ['a heart without its variation', '❤️', '❤'],
])('draws %s', (_, text, drawn) => expect(drawableCharacters(font, text).join('')).toBe(drawn))

test('what is drawn is in the font, whatever is asked for', () => {
  const points = Array.from({ length: 1_300 }, (_, nth) => String.fromCodePoint(nth * 101))
  const drawn = points.flatMap((character) => drawableCharacters(font, `x${character} y`))
  expect(drawn.filter((character) => !font.has(character))).toEqual([])
})

test('a text that was made drawable stays as it is', () => {
  const once = drawableCharacters(font, 'منارة 🦊 Việt').join('')
  expect(drawableCharacters(font, once).join('')).toBe(once)
})
