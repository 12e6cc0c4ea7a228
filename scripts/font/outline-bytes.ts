import type { Command } from 'opentype.js'
import { COMMANDS, WIDE } from '../../src/media/render/card/font.js'

type Letter = (typeof COMMANDS)[number]['letter']

/**
 * An outline as `pathOf` reads it. Coordinates are rounded before their differences are taken, so that no error adds up.
 * Lines of no length, of which opentype.js writes one between a curve and a line, are dropped.
 */
export const outlineBytes = (commands: readonly Command[]): Buffer => {
  const bytes: number[] = []
  let [x, y] = [0, 0]
  const write = (letter: Letter, ...numbers: readonly number[]): void => {
    bytes.push(
      COMMANDS.findIndex((command) => command.letter === letter),
      ...numbers.flatMap(numberBytes),
    )
  }
  for (const command of commands) {
    if (command.type === 'Z') throw new Error('The format has no command for a subpath that is closed.')
    const [toX, toY] = [Math.round(command.x), Math.round(command.y)]
    const [byX, byY] = [toX - x, toY - y]
    if (command.type === 'Q') {
      write('q', Math.round(command.x1) - x, Math.round(command.y1) - y, byX, byY)
    } else if (command.type === 'M') write('m', byX, byY)
    else if (byX !== 0 && byY !== 0) write('l', byX, byY)
    else if (byX !== 0) write('h', byX)
    else if (byY !== 0) write('v', byY)
    x = toX
    y = toY
  }
  return Buffer.from(bytes)
}

const numberBytes = (number: number): readonly number[] => {
  if (number > WIDE && number < -WIDE) return [number]
  const wide = Buffer.alloc(3)
  wide.writeInt8(WIDE)
  wide.writeInt16LE(number, 1)
  return [...wide]
}
