/**
 * How an outline stands in the file of letters: one command after the other, each a byte, which is its place in this
 * list, and its numbers. They are SVG's relative commands, so that most numbers take one byte (signed); one that needs
 * two (signed, little endian) stands behind WIDE. Subpaths are not closed: a fill closes them anyway.
 */
export const COMMANDS = [
  { letter: 'm', numbers: 2 },
  { letter: 'l', numbers: 2 },
  { letter: 'h', numbers: 1 },
  { letter: 'v', numbers: 1 },
  { letter: 'q', numbers: 4 },
] as const

export const WIDE = -128

/** What an SVG path takes in its `d`, of an outline in the file. */
export const pathOf = ({ buffer, byteOffset, length }: Uint8Array): string => {
  // Elements are read several times faster than by a Buffer's methods as long as a process is young.
  const bytes = new Int8Array(buffer, byteOffset, length)
  const element = (at: number): number => bytes[at] ?? 0
  let path = ''
  let at = 0
  while (at < length) {
    const { letter, numbers } = commandOf(element(at++))
    path += letter
    for (let nth = 0; nth < numbers; nth += 1) {
      let number = element(at++)
      if (number === WIDE) number = (element(at++) & 0xff) | (element(at++) << 8)
      path += nth === 0 || number < 0 ? number : ` ${number}`
    }
  }
  return path
}

const commandOf = (place: number) => {
  const command = COMMANDS[place]
  if (command === undefined) throw new Error(`There is no command ${place}.`)
  return command
}
