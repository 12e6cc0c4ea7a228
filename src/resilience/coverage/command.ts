import { rm } from 'node:fs/promises'
import { envOption } from '../../command/child-process.js'
import {
  type Arguments,
  type CliCommand,
  type CliOption,
  checkReports,
  givenFlag,
  type Host,
  jsonText,
  listOption,
  temporaryFolder,
  usageError,
  warn,
  writeReports,
} from '../../command/command.js'
import { settingOptions } from '../../command/settings/read.js'
import { appendSummary, htmlOf, markdownOf } from '../reports/formats.js'
import { readCoverage } from './join.js'
import { documentOf, terminalText } from './render.js'
import { mergeReports, readThresholds, shortfalls } from './report.js'

const ownOptions: readonly CliOption[] = [
  {
    flags: '--min <list>',
    description:
      'least percentages by kind, with commas: rules=80,operations=100; exit code 1 below one (repeatable)',
    repeats: true,
  },
  {
    flags: '--merge <path>',
    description: 'add a report, or a folder of BACKLOT_COVERAGE (repeatable); without a command only these',
    repeats: true,
  },
  { flags: '--json <file>', description: 'write the report as JSON' },
  { flags: '--html <file>', description: 'write it as one HTML page' },
  { flags: '--markdown <file>', description: 'write it as Markdown; in GitHub jobs the summary has it too' },
  { flags: '--all', description: 'print every point that is not covered, instead of five of each kind' },
]

// The report has another use for one of the settings, and the others are about what is printed.
const runOptions = [envOption, ...settingOptions(['--json', '--quiet', '--log-file', '--log-level'])]

export const command: CliCommand = {
  usage: 'coverage [command...]',
  description: 'run tests beside an emulator, and say what of the service they have never exercised',
  options: [...ownOptions, ...runOptions],
  examples: [
    ['backlot coverage -- npm test', 'what the tests never call, break, see or fetch'],
    ['backlot coverage --min rules=80,operations=100 -- npm test', 'exit code 1 where there is less'],
    ['backlot coverage --merge a.json --merge b.json --html coverage.html', 'the sum of two runs as a page'],
  ],
  passesOptionsOn: true,
  // Exit code: that of the command where it fails, 1 below a threshold, 2 where the command does not exist.
  run: async ({ options, operands }, host) => {
    const thresholds = readThresholds(listOption(options.min))
    const files = listOption(options.merge)
    if (operands[0] === '' || (operands.length === 0 && files.length === 0))
      throw usageError(
        '`backlot coverage` wants a command to run, or reports to merge.',
        'For example: backlot coverage -- npm test',
      )
    const unused = operands.length === 0 ? givenFlag(runOptions, options) : undefined
    if (unused !== undefined)
      throw usageError(
        `${unused} is for a command, and there is none.`,
        'Without a command, reports are merged alone.',
      )
    const merged = files.map(readCoverage)
    await checkReports(['json', 'html', 'markdown'], options)
    const { reports, code, isMissing } = await ownReports({ options, operands }, host)
    if (isMissing) return 2
    const whole = mergeReports([...merged, ...reports])
    const document = documentOf(whole)
    const markdown = markdownOf(document)
    await writeReports({ json: jsonText(whole), html: htmlOf(document), markdown }, options)
    await appendSummary(markdown)
    process.stdout.write(terminalText(whole, options.all === true))
    const short = shortfalls(whole, thresholds)
    short.forEach(warn)
    if (code !== 0) return code
    return short.length > 0 ? 1 : 0
  },
}

/** Runs the command, if there is one, and reads what its emulators have written into a folder of their own. */
const ownReports = async ({ options, operands }: Arguments, { execute }: Host) => {
  if (operands.length === 0) return { reports: [], code: 0, isMissing: false }
  const folder = await temporaryFolder('backlot-coverage-')
  try {
    // The emulator of this process and those of the tests find it there.
    process.env.BACKLOT_COVERAGE = folder
    // A setting as well, which is about what an emulator prints.
    const { json: _, ...others } = options
    const end = await execute({ options: others, operands })
    return { reports: [readCoverage(folder)], ...end }
  } finally {
    delete process.env.BACKLOT_COVERAGE
    await rm(folder, { recursive: true, force: true })
  }
}
