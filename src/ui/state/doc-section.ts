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

const isHeading = (line: string): boolean => /^#+ /.test(line)

const levelOf = (line: string): number => line.indexOf(' ')

const anchorOf = (line: string): string =>
  line
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .trim()
    .replaceAll(' ', '-')
