import { expect, test } from 'vitest'
import { bodies, openStudio, paths } from '../conversations/rendered-media.js'

const { as } = openStudio()

const padded = (text: string): string => text + ' '.repeat(600 * 1024)

test.each([
  [
    'a byte order mark',
    `\uFEFF${JSON.stringify(bodies.image())}`,
    'Unexpected token U+FEFF, a byte order mark, which JSON does not have',
  ],
  [
    'a space that does not break',
    '{\u00A0"model": 1}',
    "Expected property name or '}' in JSON at position 1",
  ],
  ['such a space where a value begins', '\u00A0{}', 'Unexpected token U+00A0'],
  ['a letter', 'x', "Unexpected token 'x'"],
])('what is wrong with %s is said in a small body as in a large one', async (_, text, complaint) => {
  for (const body of [text, padded(text)]) {
    const { status, body: answer } = await as('k').post(paths.image, body)
    expect(status).toBe(400)
    expect(answer.message).toContain(`The request body is not valid JSON: ${complaint}`)
  }
})
