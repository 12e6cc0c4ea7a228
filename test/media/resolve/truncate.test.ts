import { expect, test } from 'vitest'
import { truncate } from '../../../src/media/resolve/resolve-media.js'

test.each([
  ['a name of 80 characters is said as it is', 'a'.repeat(80), 'a'.repeat(80)],
  ['one of 81 is cut', 'a'.repeat(81), `${'a'.repeat(60)}… (81 characters)`],
  [
    'no character is cut in half',
    `${'a'.repeat(59)}${'😀'.repeat(20)}`,
    `${'a'.repeat(59)}… (99 characters)`,
  ],
])('%s', (_, name, said) => expect(truncate(name)).toBe(said))
