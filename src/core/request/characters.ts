/** How many characters a text has as people count them: one emoji is one, though it takes two places (gap N11). */
export const charactersIn = (text: string): number =>
  text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)
