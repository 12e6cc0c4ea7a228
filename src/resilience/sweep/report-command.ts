import { readFile } from 'node:fs/promises'
import {
  type CliCommand,
  type CliOption,
  checkReports,
  jsonText,
  listOption,
  type Options,
  paintFor,
  sentences,
  usageError,
  warn,
  writeReport,
  writeReports,
} from '../../command/command.js'
import { readText } from '../../command/settings/sources.js'
import { nearest, suggestion } from '../../emulator/surface/records.js'
import { createLibrary } from '../../emulator/surface/scenarios.js'
import { appendSummary, htmlOf, markdownOf } from '../reports/formats.js'
import {
  ACCEPTED_FILE,
  compareWith,
  DEFAULT_FAIL_ON,
  failWords,
  parseAccepted,
  updateAccepted,
} from './accepted.js'
import { annotationLines, documentOf, junitText, terminalText } from './render.js'
import { isComplete, mergeReports, parseReport, type Report } from './report.js'

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
    description: `what makes it fail where nothing is accepted: ledger entries and verdicts with commas, or none (repeatable; default ${DEFAULT_FAIL_ON.join(',')})`,
    repeats: true,
  },
  { flags: '--update', description: `write the verdicts into ${ACCEPTED_FILE}, as accepted` },
]

export const command: CliCommand = {
  usage: 'sweep report <part...>',
  description: 'merge the JSON reports of the shards of a sweep, and print the whole',
  options: publishOptions,
  examples: [
    ['backlot sweep report part-*.json', 'exit code 3 where a part is missing'],
    ['backlot sweep report part-*.json --html sweep.html --junit sweep.xml', 'also as files'],
  ],
  run: async ({ operands: files, options }) => {
    const criteria = await readCriteria(options)
    const parts = await Promise.all(files.map(async (file) => parseReport(await readText(file), file)))
    return publish(mergeReports(parts), criteria, options)
  },
}

/** Criteria of a report: the threshold, and the accepted verdicts. Checks its files. @throws EmulatorError `wrong-usage` */
export const readCriteria = async (options: Options) => {
  await checkReports(['json', 'junit', 'html'], options)
  const text = await readFile(ACCEPTED_FILE, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw usageError(`${ACCEPTED_FILE} cannot be read: ${error.message}.`)
  })
  const failOn = listOption(options.failOn)
  return {
    failOn: failOn.length === 0 ? DEFAULT_FAIL_ON : failWordsIn(failOn.join(',')),
    accepted: text === undefined ? [] : parseAccepted(text),
  }
}

/** Exit codes of a sweep; 2 is wrong usage. */
export const exitCodes = { fine: 0, worse: 1, incomplete: 3, failedBaseline: 4 } as const

/** Prints a report, writes it as the options say, and resolves with the exit code. */
export const publish = async (
  report: Report,
  { failOn, accepted: before }: Awaited<ReturnType<typeof readCriteria>>,
  options: Options,
): Promise<number> => {
  const known = [...(await createLibrary().names()), ...report.scenarios]
  for (const { scenario } of before.filter((entry) => !known.includes(entry.scenario))) {
    const meant = nearest(scenario, known)
    const end = meant === undefined ? '.' : `: did you mean ${meant}?`
    warn(`${ACCEPTED_FILE} accepts something of ${scenario}. There is no such scenario here${end}`)
  }
  const isUpdate = options.update === true
  const today = new Date().toISOString().slice(0, 10)
  const accepted = isUpdate ? updateAccepted(before, report.cells, today) : before
  if (isUpdate) await writeReport(ACCEPTED_FILE, jsonText({ $schema: schemaOf('accepted'), accepted }))
  const comparison = compareWith(report.cells, accepted, failOn, today)
  const document = documentOf(report, comparison)
  const json = jsonText({ $schema: schemaOf('report'), ...report })
  await writeReports({ json, junit: junitText(report, comparison), html: htmlOf(document) }, options)
  const matrix = () => terminalText(report, comparison, paintFor())
  process.stdout.write(options.summary === true ? markdownOf(document) : matrix())
  await appendSummary(markdownOf(document))
  if (process.env.GITHUB_ACTIONS !== undefined)
    for (const line of annotationLines(comparison)) process.stdout.write(`${line}\n`)
  if (comparison.worse.length > 0) return exitCodes.worse
  return isComplete(report) ? exitCodes.fine : exitCodes.incomplete
}

// A file of the package, so that editors need nothing from a network.
const schemaOf = (name: 'report' | 'accepted'): string =>
  `./node_modules/backlot/schemas/sweep-${name}.schema.json`

/** Words of --fail-on, with commas between them; `none` is no word. @throws EmulatorError `wrong-usage` */
const failWordsIn = (text: string) =>
  (text === 'none' ? [] : text.split(',')).map((part) => {
    const word = failWords.find((name) => name === part.trim())
    if (word !== undefined) return word
    const problem = `--fail-on has no ${JSON.stringify(part.trim())}${suggestion(part.trim(), failWords)}`
    throw usageError(sentences([problem]), 'Commas separate several; `none` stands for no word.')
  })
