const range = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')

// GB2312 is the square 0xA1..0xF7 by 0xA1..0xFE of the encoding that Node knows by the name of its successor.
const gb2312 = (): string => {
  const decoder = new TextDecoder('gbk')
  const pairs = Array.from({ length: 0xf7 - 0xa1 + 1 }, (_, row) =>
    Array.from({ length: 0xfe - 0xa1 + 1 }, (_, column) =>
      decoder.decode(Uint8Array.of(0xa1 + row, 0xa1 + column)),
    ),
  )
  return pairs.flat().join('').replace(notOfGb2312, '')
}

// What the square holds besides: nothing, and 12 characters that were added later, which Node's decoder knows from version 22 on.
const notOfGb2312 = /[\ufffd\ufe10-\ufe19\u01f9\u1e3f]/g

const latin = [
  range(0x20, 0x7e),
  range(0xa0, 0x17f),
  range(0x2010, 0x2027),
  '‰′″‹›€₩₽™←↑→↓−×÷≤≥≠≅∋∞●○■□▲△★☆',
].join('')

/** What the studio can letter with: the characters of GB2312 (which hold Greek, Cyrillic and kana too) and the Latin ones. */
export const wantedCharacters = (): readonly string[] => [...new Set(latin + gb2312())].sort()

/** Emoji as prompts have them: those that are pictures by themselves, and the signs that are often made into one. */
export const wantedEmoji = (): readonly string[] =>
  [...range(0x2000, 0x1fbff)].filter((character) => EMOJI.test(character))

const EMOJI =
  /^(?!\p{Emoji_Modifier}|\p{Regional_Indicator})(\p{Emoji_Presentation}|[☀☁☂☃☎☮☯☹☺♀♂♥♻⚓⚔⚙⚠⛰⛱✂✈✉✌✍✏✨❄❣❤➡⬅⬆⬇])$/u
