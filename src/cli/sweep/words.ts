import { parseDuration } from '../../core/schedule/duration.js'
import { suggestion } from '../../core/suggest.js'
import { usageError } from '../command.js'

/** Words of an option, with commas between them; `none` is no word, undefined no option. @throws EmulatorError `wrong-usage` */
export const wordList = <W extends string>(
  flag: string,
  text: string | undefined,
  known: readonly W[],
): readonly W[] | undefined => {
  if (text === undefined) return undefined
  if (text === 'none') return []
  return text.split(',').map((word) => {
    const trimmed = word.trim() as W
    if (known.includes(trimmed)) return trimmed
    throw usageError(
      `${flag} has no ${JSON.stringify(trimmed)}${withStop(suggestion(trimmed, known))}`,
      `It takes ${known.join(', ')}, or none.`,
    )
  })
}

const withStop = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** Whole number of an option, 1 or more; undefined: not given. @throws EmulatorError `wrong-usage` */
export const countOption = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw usageError(`${flag} must be a whole number, 1 or more, found ${JSON.stringify(text)}.`)
}

/** Duration of an option in milliseconds; undefined: not given. @throws EmulatorError `wrong-usage` */
export const durationOption = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const ms = durationOf(text)
  if (ms !== undefined && ms > 0) return ms
  throw usageError(`${flag} must be a duration such as 90s, 10m or 1h, found ${JSON.stringify(text)}.`)
}

const durationOf = (text: string): number | undefined => {
  try {
    return parseDuration(text)
  } catch {
    return undefined
  }
}

/** Shard of an option, `2/4`; undefined: not given. @throws EmulatorError `wrong-usage` */
export const shardOption = (
  text: string | undefined,
): { readonly index: number; readonly of: number } | undefined => {
  if (text === undefined) return undefined
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index >= 1 && index <= of) return { index, of }
  throw usageError(
    `--shard must be INDEX/COUNT with an index from 1 to the count, found ${JSON.stringify(text)}.`,
    'For example --shard 2/4.',
  )
}
