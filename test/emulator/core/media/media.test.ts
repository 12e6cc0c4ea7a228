import { expect, test } from 'vitest'
import { redactedText, shorten } from '../../../../src/emulator/core/journal/redact.js'
import { withoutMedia } from '../../../../src/emulator/core/journal/sent.js'
import { attachedIn } from '../../../../src/emulator/core/media/input.js'

const HEAD = 'data:image/png;base64,'

test('the reference that replaces Base64 has its attachment, its length and its beginning', () => {
  expect(attachedIn(`${HEAD}@12:2000:`)).toEqual({ head: HEAD, number: 12, length: 2000, beginning: '' })
  expect(attachedIn(`${HEAD}@0:2000:%:\n%`)).toMatchObject({ number: 0, length: 2000, beginning: '%:\n%' })
})

test.each([`${HEAD}@0:2000`, `${HEAD}@:2000:`, `${HEAD}@-1:5:`, `${HEAD}AAAA`, `x${HEAD}@0:2000:`, 'a text'])(
  '%s is no reference',
  (text) => expect(attachedIn(text)).toBeUndefined(),
)

test('Base64 is shown, kept and recorded with its length, whether it was taken out or not', () => {
  const name = `data:image/png;${'x'.repeat(150)};base64,`
  for (const head of [HEAD, name])
    for (const text of [head + 'A'.repeat(9_000), `${head}@0:9000:`]) {
      expect(redactedText(text)).toBe(`${head}… (9000 characters)`)
      expect(shorten(text)).toBe(`${head}… (9000 characters)`)
      expect(withoutMedia(text, new Map()).media).toEqual([{ is: `${head}{medium 1}`, characters: 9000 }])
    }
})

test('text that is no Base64 is shown as it was sent, whether it was taken out or not', () => {
  const sent = '%'.repeat(9_000)
  const shown = `${HEAD}${'%'.repeat(8_192 - HEAD.length)}… (${9_000 + HEAD.length} characters)`
  expect(redactedText(HEAD + sent)).toBe(shown)
  expect(redactedText(`${HEAD}@3:9000:${sent.slice(0, 8_192)}`)).toBe(shown)
})

test('Base64 in many lines is shown as one piece', () => {
  expect(redactedText(`${HEAD}${'QUJD'.repeat(19)}\r\nQUJD`)).toBe(`${HEAD}… (82 characters)`)
  expect(redactedText(`${HEAD}QUJD is a picture`)).toBe(`${HEAD}… (4 characters) is a picture`)
})
