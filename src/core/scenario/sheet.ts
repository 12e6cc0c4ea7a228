import { isNumbered, letterOf, type Verdict } from './look.js'

/**
 * What became of each step, as it was last written. From one occasion to the next little of it changes, and as long as
 * nothing does, its text is not made again and all occasions share it.
 */
export interface Sheet {
  readonly verdicts: Verdict[]
  /** By place; out of date where the verdict has none. */
  readonly numbers: number[]
  text: string | undefined
  /** The places whose verdicts have numbers; undefined, as the text is, where it has to be made again. */
  numbered: readonly number[] | undefined
}

/** A sheet with a place for each step. */
export const newSheet = (places: number): Sheet => ({
  verdicts: Array.from({ length: places }, () => 'acted'),
  numbers: Array.from({ length: places }, () => 0),
  text: undefined,
  numbered: undefined,
})

export const write = (sheet: Sheet, place: number, verdict: Verdict): void => {
  if (sheet.verdicts[place] === verdict) return
  sheet.verdicts[place] = verdict
  sheet.text = undefined
  sheet.numbered = undefined
}

/** A letter for each place. */
export const textOf = (sheet: Sheet): string => {
  sheet.text ??= sheet.verdicts.map(letterOf).join('')
  return sheet.text
}

/** A number for each verdict that has one, in order. The list is just as long as it has to be, since many are kept. */
export const numbersOf = (sheet: Sheet): readonly number[] => {
  sheet.numbered ??= sheet.verdicts.flatMap((verdict, place) => (isNumbered(verdict) ? [place] : []))
  return sheet.numbered.length === 0 ? noNumbers : sheet.numbered.map((place) => sheet.numbers[place] ?? 0)
}

export const noNumbers: readonly number[] = []
