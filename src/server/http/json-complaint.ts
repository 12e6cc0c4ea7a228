/**
 * What the runtime has against a text that is no JSON, without the piece of the text that it quotes: that can be a part
 * of a key, and what is wrong is said without.
 */
export const jsonErrorMessage = (message: string): string =>
  message
    .replace(/,? ?(?:\.\.\.)?"[\s\S]*"(?:\.\.\.)? is not valid JSON$/, '')
    .replace(INVISIBLE_TOKEN, (_, token: string) => nameOf(token))

// A character that nobody sees in a message has to be named.
const INVISIBLE_TOKEN = /'([\p{C}\p{Z}])'/u

const nameOf = (token: string): string => {
  const code = `U+${(token.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return token === '\uFEFF' ? `${code}, a byte order mark, which JSON does not have` : code
}
