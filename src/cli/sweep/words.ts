import { suggestion } from '../../core/errors.js'
import { parseDuration } from '../../core/schedule/time.js'
import type { Report } from '../../sweep/report.js'
import { sentences, usageError } from '../command.js'

/** Words of an option, with commas between them; `none` is no word, undefined no option. @throws EmulatorError `wrong-usage` */
export const wordList = <W extends string>(
  flag: string,
  text: string | undefined,
  known: readonly W[],
): readonly W[] | undefined =>
  text === 'none'
    ? []
    : text?.split(',').map((part) => {
        const word = part.trim() as W
        if (known.includes(word)) return word
        throw usageError(
          sentences([`${flag} has no ${JSON.stringify(word)}${suggestion(word, known)}`]),
          `It takes ${known.join(', ')}, or none.`,
        )
      })

/** Whole number of an option, 1 or more; undefined: not given. @throws EmulatorError `wrong-usage` */
export const countOption = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw usageError(`${flag} must be a whole number, 1 or more, found ${JSON.stringify(text)}.`)
}

/** Duration of an option in milliseconds; undefined: not given. @throws EmulatorError `wrong-usage` */
export const durationOption = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  try {
    const ms = parseDuration(text)
    if (ms > 0) return ms
  } catch {
    // It says the same in other words, and does not name the flag.
  }
  throw usageError(`${flag} must be a duration such as 90s, 10m or 1h, found ${JSON.stringify(text)}.`)
}

/** Shard of an option, `2/4`; undefined: not given. @throws EmulatorError `wrong-usage` */
export const shardOption = (text: string | undefined): Report['shard'] => {
  if (text === undefined) return undefined
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index >= 1 && index <= of) return { index, of }
  throw usageError(
    `--shard must be INDEX/COUNT with an index from 1 to the count, found ${JSON.stringify(text)}.`,
    'For example --shard 2/4.',
  )
}
