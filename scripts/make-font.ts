import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { wantedCharacters } from './font/characters.js'
import { FONT_NAME, fontLicence, openFont } from './font/noto.js'
import { writeLetters } from './font/write-letters.js'

/**
 * Makes the one font that pictures and videos are lettered with: `npx tsx scripts/make-font.ts`.
 *
 * Of Noto Sans SC the studio needs the outline and the advance of some 8,000 characters and nothing else. They are taken
 * from it here, once, so that no process has to read a font before its first drawing.
 */

const at = (path: string) => fileURLToPath(new URL(`../assets/fonts/${path}`, import.meta.url))

const licence = await fontLicence()
const [copyright = ''] = licence.split('\n')
const notice = `${FONT_NAME}. ${copyright}. SIL Open Font License 1.1, in OFL.txt beside this file.`
const letters = writeLetters(await openFont(), wantedCharacters(), notice)

await mkdir(at(''), { recursive: true })
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
await writeFile(at('NotoSansSC-Medium-outlines.txt.br'), brotliCompressSync(letters, { params }))
await writeFile(at('OFL.txt'), licence)
console.log(`${letters.length} bytes`)
