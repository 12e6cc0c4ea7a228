/** How many characters a text has as people count them: one emoji is one, though it takes two places in a string. */
export const charactersIn = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}
