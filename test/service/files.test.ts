import { expect, test } from 'vitest'
import { isUnchanged } from '../../src/service/files.js'

test.each([
  ['the ETag', { 'if-none-match': '"a"' }, true],
  ['the ETag as a weak one', { 'if-none-match': 'W/"a"' }, true],
  ['one of several', { 'if-none-match': '"b", "a"' }, true],
  ['any', { 'if-none-match': '*' }, true],
  ['no-cache beside it', { 'if-none-match': '"a"', 'cache-control': 'no-cache' }, true],
  ['another ETag', { 'if-none-match': '"b"' }, false],
  ['one that begins like it', { 'if-none-match': '"aa"' }, false],
  ['nothing', {}, false],
  ['both conditions', { 'if-none-match': '"a"', 'if-match': '"a"' }, false],
])('a caller that says %s', (_, headers, isKnown) => expect(isUnchanged(headers, '"a"')).toBe(isKnown))
