import { stripVTControlCharacters } from 'node:util'

// From the most telling to the least: a named error, a failed assertion of other languages, the name of a failed test.
const signs = [
  /\b[A-Z]?\w*(?:Error|Exception)(?: \[\w+\])?: \S/,
  /^(?:E {3,}\S|panic: |thread '.*' panicked)/,
  /^(?:not ok \d|--- FAIL|FAILED? |[✖✗×●] )/,
]

const MAX_CHARACTERS = 200

/** First line of an error in the output of tests, whatever runs them; undefined: no line looks like one. */
export const firstErrorIn = (output: string): string | undefined => {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim().replace(/\p{Cc}/gu, ' '))
  for (const sign of signs) {
    const line = lines.find((text) => sign.test(text))
    if (line !== undefined)
      return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line
  }
  return undefined
}
