import { expect, test } from 'vitest'
import { charactersIn } from '../../../src/core/request/characters.js'

test.each([
  ['nothing', '', 0],
  ['letters', 'abc', 3],
  ['Chinese characters', '灯塔', 2],
  ['emoji, which take two places each', '🎬🎬', 2],
  ['half an emoji', '\ud83c', 1],
])('%s are counted as people count them', (_, text, count) => expect(charactersIn(text)).toBe(count))
