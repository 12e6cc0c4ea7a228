import { builtIn } from '../../src/emulator/families/index.js'

const grades: ReadonlyMap<string, string> = new Map(builtIn.gaps.map(({ id, grade }) => [id, grade]))

/**
 * A text with the ids of gaps that it has in brackets, `(gap X11)` or `(F8, F10)`, as small links to their rows, which say how sure
 * the answer is: an id says nothing to a reader who does not know the table.
 * @param page the path of docs/gaps.md from the page of the text
 */
export const withGapLinks = (text: string, page = 'gaps.md'): string =>
  text.replaceAll(/ \((?:gaps? )?([A-Z]\d+(?:, [A-Z]\d+)*)\)/g, (whole, list: string) => {
    const ids = list.split(', ')
    if (!ids.every((id) => grades.has(id))) return whole
    return `<sup>${ids.map((id) => `[${grades.get(id)}](${page}#${id.toLowerCase()})`).join(' ')}</sup>`
  })

/** What an introduction says of these links. */
export const GAP_LINKS =
  'A small `seen`, `assumed` or `spec` marks an answer that the specification leaves open; it leads to its row of [the table of gaps](gaps.md).'
