import type { Command } from 'opentype.js'
import { expect, test } from 'vitest'
import { wantedCharacters } from '../../../../../scripts/font/characters.js'
import { openFont } from '../../../../../scripts/font/noto.js'
import { loadFont } from '../../../../../src/emulator/media/render/card/font.js'

type Point = readonly number[]

/** Where an outline's commands lead, and by which points, in absolute coordinates. */
const pointsIn = (outline: string): Point[] => {
  let [x, y] = [0, 0]
  return [...outline.matchAll(/([mlhvq])([-\d ]+)/g)].map(([, letter, text = '']) => {
    const numbers = (text.match(/-?\d+/g) ?? []).map(Number)
    const pairs = letter === 'h' ? [...numbers, 0] : letter === 'v' ? [0, ...numbers] : numbers
    const points = pairs.map((number, nth) => number + (nth % 2 === 0 ? x : y))
    x = points.at(-2) ?? x
    y = points.at(-1) ?? y
    return points
  })
}

const pointsOf = (commands: readonly Command[]): Point[] =>
  commands.flatMap((command, nth) => {
    if (command.type === 'Z') return []
    const before = commands[nth - 1]
    const stays = command.type === 'L' && before && 'x' in before && rounded(before) === rounded(command)
    if (stays) return []
    const to = [Math.round(command.x), Math.round(command.y)]
    return [command.type === 'Q' ? [Math.round(command.x1), Math.round(command.y1), ...to] : to]
  })

const rounded = ({ x, y }: { readonly x: number; readonly y: number }): string =>
  `${Math.round(x) + 0} ${Math.round(y) + 0}`

const plain = (points: readonly Point[]): number[][] =>
  points.map((point) => point.map((number) => number + 0))

const letters = await loadFont()
const font = await openFont()

test('the file has those characters of the font that are wanted, and no others', () => {
  const had = wantedCharacters().filter((character) => font.charToGlyphIndex(character) !== 0)
  const all = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint))
  expect(all.filter(letters.has)).toEqual(had)
  expect(had.length).toBe(7691)
})

// One of them, 头, has a coordinate that rounds to minus zero.
const sample = ['头', '≅', ...wantedCharacters().filter((_, nth) => nth % 40 === 0)]

test('outlines and advances are those of the font', () => {
  for (const character of sample.filter((one) => font.charToGlyphIndex(one) !== 0)) {
    const glyph = font.charToGlyph(character)
    const expected = plain(pointsOf(glyph.getPath(0, 0, 1000).commands))
    const { advance, outline } = letters.glyph(character)
    expect([character, advance, pointsIn(outline)]).toEqual([character, glyph.advanceWidth, expected])
  }
})
