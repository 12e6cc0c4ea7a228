/** Text in a report: plain, as code, or in a tone that says how good it is. */
export type ReportText =
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
export interface ReportSection {
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

/** Sections that have something to show. */
export const shownSections = ({ sections }: ReportDocument): readonly ReportSection[] =>
  sections.filter(({ list = [], table }) => list.length + (table?.rows.length ?? 0) > 0)

/** Report as Markdown. */
export const markdownOf = (document: ReportDocument): string =>
  [
    `# ${document.title}`,
    '',
    ...document.intro,
    ...shownSections(document).flatMap(({ heading, list = [], table }) => [
      ...['', `## ${heading}`, ''],
      ...list.map((item) => `- ${item}`),
      ...(table === undefined ? [] : [markdownTable(table.head, table.rows.map(textsOf))]),
      ...(table?.rows ?? []).flatMap(detailsOf),
    ]),
    '',
  ].join('\n')

/** Table in Markdown. Cells are Markdown; bars and line breaks in them are escaped. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(inCell).join(' | ')} |`).join('\n')

const inCell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

const textsOf = ({ cells }: ReportRow): string[] =>
  cells.map((cell) => {
    if (typeof cell === 'string') return cell
    if ('text' in cell) return cell.text
    return cell.code.includes('`') ? cell.code : `\`${cell.code}\``
  })

const detailsOf = ({ cells: [first], details, isNotable = false }: ReportRow): string[] =>
  details === undefined || !isNotable
    ? []
    : [
        ...['', '<details>', `<summary>${first}: ${details.sentences.join(' ')}</summary>`, ''],
        ...['```sh', ...details.lines, '```', '', '</details>'],
      ]
