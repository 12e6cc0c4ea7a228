/**
 * Makes the one font that pictures and videos are lettered with: `npx tsx scripts/make-font.ts`.
 *
 * A subset of Noto Sans SC: the characters of GB2312 (which hold Greek, Cyrillic and kana too) and the Latin ones.
 * What the studio never reads is left out, because opentype.js parses every table that it finds.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const SOURCE = '../node_modules/@expo-google-fonts/noto-sans-sc/'
const UNREAD_TABLES = ['GSUB', 'GPOS', 'GDEF', 'BASE', 'STAT', 'VORG', 'gasp', 'meta', 'vhea', 'vmtx']

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const range = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index))

// GB2312 is the square 0xA1..0xF7 by 0xA1..0xFE of the encoding that Node knows by the name of its successor.
const gb2312 = (): string => {
  const decoder = new TextDecoder('gbk')
  const pairs = Array.from({ length: 0xf7 - 0xa1 + 1 }, (_, row) =>
    Array.from({ length: 0xfe - 0xa1 + 1 }, (_, column) =>
      decoder.decode(Uint8Array.of(0xa1 + row, 0xa1 + column)),
    ),
  )
  return pairs.flat().join('').replaceAll('\ufffd', '')
}

const latin = [
  range(0x20, 0x7e),
  range(0xa0, 0x17f),
  range(0x2010, 0x2027),
  '‰′″‹›€₩₽™←↑→↓−×÷≤≥≠∞●○■□▲△★☆',
].join('')

const characters = [...new Set(latin + gb2312())].join('')
const subset = await subsetFont(
  await readFile(at(`${SOURCE}500Medium/NotoSansSC_500Medium.ttf`)),
  characters,
  {
    targetFormat: 'sfnt',
    keepFeatures: [],
    noLayoutClosure: true,
    noHinting: true,
    dropTables: UNREAD_TABLES,
  },
)

await mkdir(at('../assets/fonts'), { recursive: true })
await writeFile(at('../assets/fonts/NotoSansSC-Medium-subset.ttf'), subset)
await writeFile(at('../assets/fonts/OFL.txt'), await readFile(at(`${SOURCE}LICENSE_FONT`)))
console.log(`${[...characters].length} characters, ${subset.byteLength} bytes`)
