import { appendFile } from 'node:fs/promises'

type ReportText =
  | string
  | { readonly code: string }
  | { readonly text: string; readonly tone: 'good' | 'fair' | 'bad' | 'quiet' }

/** Row of a table. */
export interface ReportRow {
  readonly cells: readonly ReportText[]
  /** What unfolds under the row: sentences, and lines to copy. */
  readonly details?: { readonly sentences: readonly string[]; readonly lines: readonly string[] }
  /** Whether Markdown unfolds it too; default: only a page does. */
  readonly isNotable?: boolean
}

/** Section of a report: a list, a table, or both. */
interface ReportSection {
  readonly heading: string
  readonly list?: readonly string[]
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly ReportRow[] }
}

/** Report as a document, which is rendered as Markdown or as an HTML page. */
export interface ReportDocument {
  readonly title: string
  /** Plain sentences under the title. */
  readonly intro: readonly string[]
  /** One without list and rows is not shown. */
  readonly sections: readonly ReportSection[]
}

const shownSections = ({ sections }: ReportDocument): readonly ReportSection[] =>
  sections.filter(({ list = [], table }) => list.length + (table?.rows.length ?? 0) > 0)

/** Report as Markdown. */
export const markdownOf = (document: ReportDocument): string =>
  [
    `# ${document.title}`,
    '',
    ...document.intro.map(plain),
    ...shownSections(document).flatMap(({ heading, list = [], table }) => [
      ...['', `## ${heading}`, ''],
      ...list.map((item) => `- ${plain(item)}`),
      ...(table === undefined ? [] : [markdownTable(table.head, table.rows.map(textsOf))]),
      ...(table?.rows ?? []).flatMap(detailsOf),
    ]),
    '',
  ].join('\n')

/** Text as it stands in Markdown; what is between backticks is code. */
const plain = (text: string): string =>
  text.replace(/(`[^`]+`)|[\\*_~<[]/g, (sign, code?: string) => code ?? `\\${sign}`)

/** Table in Markdown. Cells are Markdown; bars and line breaks in them are escaped. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(inCell).join(' | ')} |`).join('\n')

const inCell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

const textsOf = ({ cells }: ReportRow): string[] =>
  cells.map((cell) => {
    if (typeof cell === 'string') return plain(cell)
    if ('text' in cell) return plain(cell.text)
    return cell.code.includes('`') ? `\`\` ${cell.code} \`\`` : `\`${cell.code}\``
  })

const detailsOf = ({ cells: [first], details, isNotable = false }: ReportRow): string[] => {
  if (details === undefined || !isNotable) return []
  const summary = escapeMarkup(`${first}: ${details.sentences.join(' ')}`)
  const lines = ['```sh', ...details.lines, '```']
  return ['', '<details>', `<summary>${summary}</summary>`, '', ...lines, '', '</details>']
}

/** Text as it stands in HTML and XML, in attributes too. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Report as one HTML page: style included, no script, no request to anywhere. */
export const htmlOf = (document: ReportDocument): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(document.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(document.title)}</h1>
${document.intro.map((sentence) => `<p class="quiet">${escapeMarkup(sentence)}</p>`).join('\n')}
${shownSections(document).map(sectionOf).join('\n')}
</main>
</body>
</html>
`

const sectionOf = ({ heading, list = [], table }: ReportSection): string =>
  [
    `<h2>${escapeMarkup(heading)}</h2>`,
    ...(list.length === 0
      ? []
      : [`<ul>${list.map((item) => `<li>${escapeMarkup(item)}</li>`).join('')}</ul>`]),
    ...(table === undefined
      ? []
      : [
          '<div class="table"><table>',
          `<thead><tr>${table.head.map((cell) => `<th scope="col">${escapeMarkup(cell)}</th>`).join('')}</tr></thead>`,
          `<tbody>${table.rows.map(rowOf).join('\n')}</tbody>`,
          '</table></div>',
        ]),
  ].join('\n')

const rowOf = ({ cells: [first = '', ...others], details }: ReportRow): string =>
  `<tr>${[unfolding(first, details), ...others.map(cellOf)].map((cell) => `<td>${cell}</td>`).join('')}</tr>`

const cellOf = (cell: ReportText): string => {
  if (typeof cell === 'string') return escapeMarkup(cell)
  return 'code' in cell
    ? `<code>${escapeMarkup(cell.code)}</code>`
    : `<span class="${cell.tone}">${escapeMarkup(cell.text)}</span>`
}

const unfolding = (cell: ReportText, details: ReportRow['details']): string => {
  if (details === undefined) return cellOf(cell)
  const sentences = details.sentences.map((sentence) => `<p>${escapeMarkup(sentence)}</p>`).join('')
  const lines = details.lines.length === 0 ? '' : `<pre>${escapeMarkup(details.lines.join('\n'))}</pre>`
  return `<details><summary>${cellOf(cell)}</summary>${sentences}${lines}</details>`
}

const STYLE = `
:root { color-scheme: light dark; --text: #1d2127; --quiet: #59616b; --ground: #fff; --line: #d6dae0;
  --good: #17693a; --fair: #8a5a00; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --quiet: #a3abb5; --ground: #15181c; --line: #363c44;
  --good: #6fcf97; --fair: #f2c15a; --bad: #ff8a80; } }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } .quiet { color: var(--quiet); }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; }
code, pre { font: 13px/1.5 ui-monospace, monospace; } code { display: block; min-width: 26rem; overflow-wrap: anywhere; }
pre { overflow-x: auto; margin: .25rem 0; white-space: pre-wrap; }
summary { cursor: pointer; white-space: nowrap; }
.good { color: var(--good); } .fair { color: var(--fair); } .bad { color: var(--bad); font-weight: 600; }
`

/** Appends Markdown to the summary of a GitHub job. Does nothing elsewhere. */
export const appendSummary = async (markdown: string): Promise<void> => {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (file !== undefined && file !== '') await appendFile(file, `${markdown}\n`)
}
