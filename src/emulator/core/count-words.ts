/** Plural: `1 call`, `2 calls`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`

/** `once`, `2 times`. */
export const howOften = (count: number): string => (count === 1 ? 'once' : `${count} times`)
