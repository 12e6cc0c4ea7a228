import type { Command, Font } from 'opentype.js'
import { expect, test } from 'vitest'
import { writeLetters } from '../../../../../scripts/font/write-letters.js'
import { parseFont } from '../../../../../src/emulator/media/render/card/font.js'

/** A font of 2048 units per em, whose glyphs are as wide as given and drawn by these commands. */
const fontOf = (
  glyphs: Readonly<Record<string, readonly [advanceWidth: number, commands: readonly Command[]]>>,
): Font => ({
  unitsPerEm: 2048,
  charToGlyphIndex: (character) => Object.keys(glyphs).indexOf(character) + 1,
  charToGlyph: (character) => {
    const [advanceWidth, commands] = glyphs[character] ?? [0, []]
    return { advanceWidth, getPath: () => ({ commands }) }
  },
})

test('a written font file can be read, beyond the Basic Multilingual Plane too', () => {
  const font = fontOf({
    a: [
      1024,
      [
        { type: 'M', x: 10, y: -20 },
        { type: 'L', x: 10, y: -148 },
        { type: 'L', x: 137, y: -148 },
        { type: 'L', x: 265, y: -149 },
        { type: 'L', x: 265, y: -149 },
        { type: 'Q', x1: 300.4, y1: 0.6, x: 10.5, y: -20.5 },
        { type: 'M', x: 1000, y: 900 },
        { type: 'L', x: 872, y: 901 },
      ],
    ],
    ' ': [512, []],
    '\u{20000}': [2048, [{ type: 'M', x: -0.4, y: 300 }]],
  })
  const { glyph } = parseFont(Buffer.from(writeLetters(font, [' ', 'a', 'b', '\u{20000}'], 'Test')))
  expect([' ', 'a', '\u{20000}'].map(glyph)).toEqual([
    { advance: 250, outline: '', scale: 1 },
    { advance: 500, outline: 'm10-20v-128h127l128-1q35 150-254 129m989 920l-128 1', scale: 1 },
    { advance: 1000, outline: 'm0 300', scale: 1 },
  ])
  expect(glyph('b')).toEqual(glyph('c'))
})

test('outlines that are measured more coarsely are drawn larger', () => {
  const font = fontOf({ a: [1024, [{ type: 'M', x: 100, y: 50 }]] })
  const { has, glyph } = parseFont(Buffer.from(writeLetters(font, ['a', 'b'], 'Test', 250)), 250)
  expect(glyph('a')).toEqual({ advance: 500, outline: 'm100 50', scale: 4 })
  expect([has('a'), has('b')]).toEqual([true, false])
})

test('a subpath that is closed cannot be written', () => {
  const font = fontOf({ a: [1, [{ type: 'Z' }]] })
  expect(() => writeLetters(font, ['a'], 'Test')).toThrow('no command for a subpath that is closed')
})
