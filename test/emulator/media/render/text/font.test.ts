import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fontPath, loadFont, readFont } from '../../../../../src/emulator/media/render/card/font.js'
import { newFolder } from '../../../../folder.js'
import { drawSample } from './draw-sample.js'

test('the font has Latin, the characters of GB2312 and the watermark', async () => {
  const font = await loadFont()
  for (const character of 'AaZz09éß…“”，。《》AI生成一只橘猫龙齄') {
    expect(font.has(character)).toBe(true)
    expect(font.glyph(character).outline).toMatch(/^m[-\d mlhvq]+$/)
  }
})

test('a character that it does not have is empty', async () => {
  const font = await loadFont()
  expect([font.has('\u{20000}'), font.glyph('\u{20000}').outline]).toEqual([false, ''])
})

test('emoji are there for a text that has some, and letters are the same with them', async () => {
  const letters = await loadFont('a fox')
  const both = await loadFont('a fox', 'a 🦊 among 🌸')
  for (const emoji of ['🦊', '🌸', '👩', '🚀', '❤', '🐈']) {
    expect([letters.has(emoji), both.has(emoji)]).toEqual([false, true])
    expect(both.glyph(emoji).outline).toMatch(/^m[-\d mlhvq]+$/)
  }
  expect(both.glyph('狐')).toEqual(letters.glyph('狐'))
})

const whole = await readFile(fontPath())
const garbled = Buffer.from(whole)
garbled.writeUInt8(garbled.readUInt8(1_000_000) ^ 1, 1_000_000)

test.each([
  ['has nothing in it', Buffer.of()],
  ['ends in its first line', whole.subarray(0, 6)],
  ['ends in its first characters', whole.subarray(0, 500)],
  ['lacks its last byte', whole.subarray(0, -1)],
  ['has another bit somewhere', garbled],
  ['is a font', Buffer.from('0001000000120100', 'hex')],
])('a file that %s is an error that names it', async (_, bytes) => {
  const path = join(newFolder(), 'outlines.txt.br')
  await writeFile(path, bytes)
  await expect(readFont(path)).rejects.toMatchObject({
    name: 'EmulatorError',
    code: 'font-unreadable',
    sentence: `The font ${path} cannot be read.`,
    hint: 'Install the package again.',
  })
})

test('a file that the package does not have is an error that says where it was looked for', () =>
  expect(readFont('/none/fonts/none.bin')).rejects.toMatchObject({
    name: 'EmulatorError',
    code: 'asset-missing',
    sentence: "The package's file /none/fonts/none.bin was not found.",
  }))

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
