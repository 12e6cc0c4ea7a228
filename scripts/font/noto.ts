import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import opentype, { type Font } from 'opentype.js'

const FOLDER = '../../node_modules/@expo-google-fonts/'

const at = (path: string) => fileURLToPath(new URL(FOLDER + path, import.meta.url))

export const FONT_NAME = 'Noto Sans SC Medium'
export const EMOJI_NAME = 'Noto Emoji Regular'

/** The font that the letters are taken from. */
export const openFont = (): Promise<Font> => open('noto-sans-sc/500Medium/NotoSansSC_500Medium.ttf')

/** The font that the emoji are taken from, in one colour. */
export const openEmoji = (): Promise<Font> => open('noto-emoji/400Regular/NotoEmoji_400Regular.ttf')

const open = async (path: string): Promise<Font> => {
  const file = await readFile(at(path))
  return opentype.parse(new Uint8Array(file).buffer, { lowMemory: true })
}

/** The SIL Open Font License with the font's copyright, which is its first line. */
export const fontLicence = (): Promise<string> => readFile(at('noto-sans-sc/LICENSE_FONT'), 'utf8')
export const emojiLicence = (): Promise<string> => readFile(at('noto-emoji/LICENSE_FONT'), 'utf8')
