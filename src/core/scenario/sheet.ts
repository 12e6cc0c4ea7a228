import { letterOf, type Verdict } from './look.js'

/**
 * What became of each step, as it was last written. From one occasion to the next little of it changes, and as long as
 * nothing does, its text is not made again and all occasions share it.
 */
export interface Sheet {
  readonly verdicts: Verdict[]
  text: string | undefined
}

/** A sheet with a place for each step. */
export const newSheet = (places: number): Sheet => ({
  verdicts: Array.from({ length: places }, () => 'acted'),
  text: undefined,
})

export const write = (sheet: Sheet, place: number, verdict: Verdict): void => {
  if (sheet.verdicts[place] === verdict) return
  sheet.verdicts[place] = verdict
  sheet.text = undefined
}

/** A letter for each place. */
export const textOf = (sheet: Sheet): string => {
  sheet.text ??= sheet.verdicts.map(letterOf).join('')
  return sheet.text
}
