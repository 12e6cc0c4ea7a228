import { expect, test } from 'vitest'
import type { Font } from '../../../../../src/emulator/media/render/card/font.js'
import {
  cutToWidth,
  fitText,
  piecesOf,
  widthInEms,
  wrap,
} from '../../../../../src/emulator/media/render/card/text.js'

// Latin is half an em wide and Chinese a whole one, so that lines can be counted on fingers.
const font: Font = {
  has: () => true,
  glyph: (character) => ({ advance: character > '⺀' ? 1000 : 500, outline: 'M0 0h1v1z', scale: 1 }),
}

const lines = (text: string, maxEms: number) => wrap(font, piecesOf(font, text), maxEms)

test.each([
  ['Latin between words', 'one two three', 4, ['one two', 'three']],
  ['Chinese between any two characters', '一二三四五', 2, ['一二', '三四', '五']],
  ['both in one line', '一只cat在这里', 4, ['一只cat', '在这里']],
  ['a long word where the line ends', 'abcdefgh', 2, ['abcd', 'efgh']],
  ['at the writer’s own line ends', 'one\ntwo', 9, ['one', 'two']],
  ['no line in front of a full stop', '一二三。四', 3, ['一二', '三。四']],
  ['no line behind an opening bracket', '一二（三四', 3, ['一二', '（三四']],
  ['nothing for an empty text', '', 5, []],
])('breaks %s', (_, text, maxEms, expected) => {
  expect(lines(text, maxEms)).toEqual(expected)
})

test('no line is wider than it may be', () => {
  const text = 'Mixed 混合 text, with（brackets）and averyveryverylongword 结束。'.repeat(5)
  for (const line of lines(text, 7)) expect(widthInEms(font, line)).toBeLessThanOrEqual(7)
})

test('joiners and accents of their own take no room', () => {
  expect(widthInEms(font, 'a\u200d\ufe0fb')).toBe(1)
})

test.each([
  ['abcd', 2, 'abcd'],
  ['abcde', 2, 'abc…'],
])('%s in %i ems is %s', (text, maxEms, expected) => {
  expect(cutToWidth(font, text, maxEms)).toBe(expected)
})

const room = { width: 100, height: 60, smallest: 10, largest: 30 }

test('a short text is as large as it may be', () => {
  expect(fitText(font, 'Hi', room)).toEqual({ lines: ['Hi'], size: 30 })
})

test('a longer text is smaller, and whole', () => {
  const { lines: fitted, size } = fitText(font, '一二三四五六七八九十', room)
  expect(fitted.join('')).toBe('一二三四五六七八九十')
  expect(size).toBeLessThan(30)
})

test.each([
  ['', '字'.repeat(500), '字字字字字字字字字…'],
  [' of many short lines', '字\n'.repeat(50), '字…'],
])('a text%s that does not fit at the smallest size ends in an ellipsis', (_, text, last) => {
  const { lines: fitted, size } = fitText(font, text, room)
  expect(size).toBe(10)
  expect(fitted).toHaveLength(4)
  expect(fitted.at(-1)).toBe(last)
})
