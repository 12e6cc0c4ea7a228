/**
 * What the runtime has against a text that is no JSON, without the piece of the text that it quotes: that can be a part
 * of a key, and what is wrong is said without.
 */
export const jsonComplaint = (message: string): string =>
  message.replace(/,? ?(?:\.\.\.)?"[\s\S]*"(?:\.\.\.)? is not valid JSON$/, '')
