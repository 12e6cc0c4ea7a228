import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { EMOJI_UNITS_PER_EM } from '../src/emulator/media/render/card/font.js'
import { wantedCharacters, wantedEmoji } from './font/characters.js'
import { EMOJI_NAME, emojiLicence, FONT_NAME, fontLicence, openEmoji, openFont } from './font/noto.js'
import { writeLetters } from './font/write-letters.js'

/**
 * Makes the fonts that pictures and videos are lettered with: `npx tsx scripts/make-font.ts`.
 *
 * Of Noto Sans SC and Noto Emoji the studio needs the outline and the advance of some 9,000 characters and nothing else. They are
 * taken from them here, once, so that no process has to read a font before its first drawing.
 */

const at = (path: string) => fileURLToPath(new URL(`../assets/fonts/${path}`, import.meta.url))

const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }

/** The notice in a file, for people who look into it. @param licence whose first line is the copyright */
const noticeOf = (name: string, licence: string, file: string): string =>
  `${name}. ${licence.split('\n')[0]}. SIL Open Font License 1.1, in ${file} beside this file.`

const write = async (name: string, letters: string, licenceName: string, licence: string): Promise<void> => {
  const compressed = brotliCompressSync(letters, { params })
  await writeFile(at(`${name}-outlines.txt.br`), compressed)
  await writeFile(at(licenceName), licence)
  console.log(`${name}: ${letters.length} bytes, ${compressed.length} compressed`)
}

await mkdir(at(''), { recursive: true })
const licence = await fontLicence()
const notice = noticeOf(FONT_NAME, licence, 'OFL.txt')
await write(
  'NotoSansSC-Medium',
  writeLetters(await openFont(), wantedCharacters(), notice),
  'OFL.txt',
  licence,
)
const ofEmoji = await emojiLicence()
const emojiNotice = noticeOf(EMOJI_NAME, ofEmoji, 'OFL-NotoEmoji.txt')
const emoji = writeLetters(await openEmoji(), wantedEmoji(), emojiNotice, EMOJI_UNITS_PER_EM)
await write('NotoEmoji-Regular', emoji, 'OFL-NotoEmoji.txt', ofEmoji)
