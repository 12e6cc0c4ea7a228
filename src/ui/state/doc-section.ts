/**
 * The section of a page in Markdown under a heading, up to the next heading of its level; the whole page where it has no such
 * heading. @param anchor as in a link: `media-forms`
 */
export const sectionOf = (markdown: string, anchor: string): string => {
  const lines = markdown.split('\n')
  const from = lines.findIndex((line) => isHeading(line) && anchorOf(line) === anchor)
  if (from < 0) return markdown
  const level = levelOf(lines[from] as string)
  const length = lines.slice(from + 1).findIndex((line) => isHeading(line) && levelOf(line) <= level)
  return lines
    .slice(from, length < 0 ? undefined : from + 1 + length)
    .join('\n')
    .trim()
}

/** Markdown as a plain text: paragraphs without line breaks of their own, links and notes without addresses. */
export const plainText = (markdown: string): string =>
  markdown
    .split(/(```[\s\S]*?```)/)
    .map((part) => (part.startsWith('```') ? part.replace(/^```.*\n|\n?```$/g, '') : plainParagraphs(part)))
    .join('')

const plainParagraphs = (markdown: string): string =>
  markdown
    .replace(/<sup>(.*?)<\/sup>/g, ' ($1)')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^#+ /gm, '')
    // A line that begins a list, a row of a table or a quotation stands by itself.
    .replace(/(?<=[^\s|])\n(?=[^\s|>#*-])(?!\d+\. )/g, ' ')

const isHeading = (line: string): boolean => /^#+ /.test(line)

const levelOf = (line: string): number => line.indexOf(' ')

const anchorOf = (line: string): string =>
  line
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .trim()
    .replaceAll(' ', '-')
