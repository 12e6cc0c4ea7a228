import { readFile, writeFile } from 'node:fs/promises'
import type { EmulatorError } from '../../core/errors.js'
import { shapeRefusals } from '../../core/request/shape.js'
import { appendSummary } from '../../report/markdown.js'
import {
  ACCEPTED_FILE,
  type Accepted,
  acceptedFileSchema,
  type Comparison,
  compareWith,
  DEFAULT_FAIL_ON,
  type FailWord,
  failWords,
  updated,
} from '../../sweep/accepted.js'
import { isComplete, type Report } from '../../sweep/report.js'
import { htmlText } from '../../sweep/reports/html.js'
import { junitText } from '../../sweep/reports/junit.js'
import { annotationLines, markdownText } from '../../sweep/reports/markdown.js'
import { terminalText } from '../../sweep/reports/terminal.js'
import { type Arguments, type CliOption, textOption, usageError } from '../command.js'
import { paintFor } from '../output/screen.js'
import { wordList } from './words.js'

/** Options of everything that prints a report. */
export const publishOptions: readonly CliOption[] = [
  { flags: '--json <file>', description: 'write the report as JSON' },
  { flags: '--junit <file>', description: 'write it as JUnit XML' },
  { flags: '--html <file>', description: 'write it as one HTML page' },
  {
    flags: '--summary',
    description: 'print it as Markdown in place of the matrix; in GitHub jobs the summary has it without',
  },
  {
    flags: '--fail-on <list>',
    description: `what makes it fail where nothing is accepted: ledger entries and verdicts with commas, or none (default ${DEFAULT_FAIL_ON.join(',')})`,
  },
  { flags: '--update', description: `write the verdicts into ${ACCEPTED_FILE}, as accepted` },
]

/** What decides whether a report is fine. */
export interface Terms {
  readonly failOn: readonly FailWord[]
  readonly accepted: readonly Accepted[]
}

/** Terms of the options and of the file of accepted verdicts. @throws EmulatorError `wrong-usage` */
export const readTerms = async (options: Arguments['options']): Promise<Terms> => ({
  failOn: wordList('--fail-on', textOption(options.failOn), failWords) ?? DEFAULT_FAIL_ON,
  accepted: await readAccepted(),
})

const readAccepted = async (): Promise<readonly Accepted[]> => {
  const text = await readFile(ACCEPTED_FILE, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw brokenFile(`it cannot be read (${error.message})`)
  })
  if (text === undefined) return []
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw brokenFile(`it is not JSON (${(error as Error).message})`)
  }
  const shape = acceptedFileSchema.safeParse(document)
  if (shape.success) return shape.data.accepted
  throw brokenFile(String(shapeRefusals(shape.error.issues, document)[0]?.message))
}

const brokenFile = (problem: string): EmulatorError =>
  usageError(`${ACCEPTED_FILE} cannot be used: ${problem}.`, 'docs/sweep.md describes it.')

/** Exit codes of a sweep. */
const FINE = 0
const WORSE = 1
const INCOMPLETE = 3

/** Prints a report, writes it as the options say, and resolves with the exit code. */
export const publish = async (
  report: Report,
  { failOn, accepted }: Terms,
  options: Arguments['options'],
): Promise<number> => {
  const today = new Date().toISOString().slice(0, 10)
  const isUpdate = options.update === true
  const terms = isUpdate ? updated(accepted, report.cells) : accepted
  if (isUpdate)
    await write(
      ACCEPTED_FILE,
      `${JSON.stringify({ $schema: schemaUrl('accepted'), accepted: terms }, null, 2)}\n`,
    )
  const comparison = compareWith(report.cells, terms, failOn, today)
  await writeFiles(report, comparison, options)
  process.stdout.write(
    options.summary === true
      ? `${markdownText(report, comparison)}\n`
      : terminalText(report, comparison, paintFor(process.stdout, process.env)),
  )
  if (process.env.GITHUB_ACTIONS !== undefined) {
    await appendSummary(markdownText(report, comparison), process.env)
    for (const line of annotationLines(comparison)) process.stdout.write(`${line}\n`)
  }
  if (comparison.worse.length > 0) return WORSE
  return isComplete(report) ? FINE : INCOMPLETE
}

const writeFiles = async (
  report: Report,
  comparison: Comparison,
  { json, junit, html }: Arguments['options'],
): Promise<void> => {
  const document = { $schema: schemaUrl('report'), ...report }
  await write(textOption(json), `${JSON.stringify(document, null, 2)}\n`)
  await write(textOption(junit), junitText(report, comparison))
  await write(textOption(html), htmlText(report, comparison))
}

// A file of the package, so that editors need nothing from a network.
const schemaUrl = (name: 'report' | 'accepted'): string =>
  `./node_modules/backlot/schemas/sweep-${name}.schema.json`

const write = async (file: string | undefined, text: string): Promise<void> => {
  if (file === undefined) return
  await writeFile(file, text).catch((error) => {
    throw usageError(`${file} cannot be written: ${error.message}.`, 'Name a file in a folder that is there.')
  })
}
