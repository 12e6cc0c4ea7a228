import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import opentype, { type Font } from 'opentype.js'

const FOLDER = '../../node_modules/@expo-google-fonts/noto-sans-sc/'

const at = (path: string) => fileURLToPath(new URL(FOLDER + path, import.meta.url))

export const FONT_NAME = 'Noto Sans SC Medium'

/** The font that the letters are taken from. */
export const openFont = async (): Promise<Font> => {
  const file = await readFile(at('500Medium/NotoSansSC_500Medium.ttf'))
  return opentype.parse(new Uint8Array(file).buffer, { lowMemory: true })
}

/** The SIL Open Font License with the font's copyright, which is its first line. */
export const fontLicence = (): Promise<string> => readFile(at('LICENSE_FONT'), 'utf8')
