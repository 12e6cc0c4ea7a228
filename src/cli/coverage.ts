import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCoverage } from '../coverage/join.js'
import { htmlText, markdownText, terminalText } from '../coverage/render.js'
import { type CoverageReport, mergedReport, readThresholds, shortfalls } from '../coverage/report.js'
import { coverageSpec } from '../coverage/spec.js'
import { appendSummary } from '../report/markdown.js'
import { type Arguments, type CliCommand, textOption, usageError, warn } from './command.js'
import { execCommand, NOT_FOUND } from './exec.js'
import { settingOptions } from './settings/read.js'

/** Settings that the report has another use for. */
const OTHERS = ['--json', '--quiet', '--log-file', '--log-level']

export const command: CliCommand = {
  usage: 'coverage [command...]',
  description: 'run tests beside an emulator, and say what of the service they have never exercised',
  options: [
    {
      flags: '--min <list>',
      description: 'least percentages by kind, with commas: rules=80,operations=100; exit code 1 below one',
    },
    {
      flags: '--merge <path>',
      description: 'add a report, or a folder of BACKLOT_COVERAGE (repeatable); without a command only these',
      repeats: true,
    },
    { flags: '--json <file>', description: 'write the report as JSON' },
    { flags: '--html <file>', description: 'write it as one HTML page' },
    {
      flags: '--markdown <file>',
      description: 'write it as Markdown; in GitHub jobs the summary has it too',
    },
    { flags: '--all', description: 'print every point that is not covered, instead of five of each kind' },
    {
      flags: '--env <name=template>',
      description: 'a variable for the command; {url} and {port} are filled in (repeatable)',
      repeats: true,
    },
    ...settingOptions().filter(({ flags }) => !OTHERS.includes(flags.split(' ')[0] ?? '')),
  ],
  examples: [
    ['backlot coverage -- npm test', 'what the tests never call, break, see or fetch'],
    ['backlot coverage --min rules=80,operations=100 -- npm test', 'exit code 1 where there is less'],
    ['backlot coverage --merge a.json --merge b.json --html coverage.html', 'the sum of two runs as a page'],
  ],
  passesOptionsOn: true,
  run: async (args) => runCoverage(args),
}

/** Exit code: that of the command where it fails, 1 below a threshold, 2 where the command does not exist. */
const runCoverage = async ({ options, operands }: Arguments): Promise<number> => {
  const thresholds = readThresholds(textOption(options.min))
  const merged = (Array.isArray(options.merge) ? options.merge : []).map(readCoverage)
  if (operands.length === 0 && merged.length === 0)
    throw usageError(
      '`backlot coverage` wants a command to run, or reports to merge.',
      'For example: backlot coverage -- npm test',
    )
  const { report, code } = await ownReport(options, operands)
  if (code === NOT_FOUND) return 2
  const whole = mergedReport(coverageSpec(), [...merged, ...report])
  await publish(whole, options)
  const short = shortfalls(whole, thresholds)
  short.forEach(warn)
  return code !== 0 ? code : short.length > 0 ? 1 : 0
}

/** Runs the command, and reads what its emulators have written into a folder of their own. */
const ownReport = async (
  options: Arguments['options'],
  operands: readonly string[],
): Promise<{ report: CoverageReport[]; code: number }> => {
  if (operands.length === 0) return { report: [], code: 0 }
  const folder = await mkdtemp(join(tmpdir(), 'backlot-coverage-'))
  try {
    // The emulator of this process and those of the tests find it there.
    process.env.BACKLOT_COVERAGE = folder
    const {
      min: _,
      merge: _merge,
      json: _json,
      html: _html,
      markdown: _markdown,
      all: _all,
      ...others
    } = options
    const code = await execCommand({ options: others, operands })
    return { report: [readCoverage(folder)], code }
  } finally {
    delete process.env.BACKLOT_COVERAGE
    await rm(folder, { recursive: true, force: true })
  }
}

const publish = async (report: CoverageReport, options: Arguments['options']): Promise<void> => {
  const texts = {
    json: `${JSON.stringify(report, null, 2)}\n`,
    html: htmlText(report),
    markdown: markdownText(report),
  }
  for (const [name, text] of Object.entries(texts)) {
    const file = textOption(options[name])
    if (file !== undefined) await written(file, text)
  }
  await appendSummary(texts.markdown, process.env)
  process.stdout.write(terminalText(report, options.all === true))
}

const written = (file: string, text: string): Promise<void> =>
  writeFile(file, text).catch((error: Error) => {
    throw usageError(`${file} cannot be written: ${error.message}.`)
  })
