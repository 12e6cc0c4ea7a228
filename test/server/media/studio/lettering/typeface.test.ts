import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { loadTypeface } from '../../../../../src/server/media/studio/lettering/typeface.js'
import { drawSample } from './draw-sample.js'

test('it has Latin, the characters of GB2312 and the watermark', async () => {
  const typeface = await loadTypeface()
  const box = typeface.glyph('\u{1f600}').outline
  for (const character of 'AaZz09éß…“”，。《》AI生成一只橘猫龙齄') {
    expect(typeface.glyph(character).outline).not.toBe(box)
    expect(typeface.glyph(character).outline).toMatch(/^M[-\d. MLQZ]+$/)
  }
})

test('a character that it does not have is a box as wide as its neighbours', async () => {
  const typeface = await loadTypeface()
  expect(typeface.glyph('\u{20000}')).toEqual(typeface.glyph('\u{20001}'))
  expect(typeface.glyph('ກ').advance).toBeLessThan(typeface.glyph('\u{20000}').advance)
})

test('coordinates that round to minus zero keep their distance', async () => {
  const { outline } = (await loadTypeface()).glyph('头')
  const numbers = outline.match(/-?\d+/g)?.map(Number) ?? []
  expect(numbers.every((number) => Math.abs(number) <= 1100)).toBe(true)
})

test('letters look the same where no font is installed', async () => {
  const script = fileURLToPath(new URL('draw-sample.ts', import.meta.url))
  const env = { ...process.env, FONTCONFIG_FILE: '/nowhere/fonts.conf', FONTCONFIG_PATH: '/nowhere' }
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, 'print'], {
    env,
  })
  const here = createHash('sha256')
    .update(await drawSample())
    .digest('hex')
  expect(stdout.trim()).toBe(here)
})
