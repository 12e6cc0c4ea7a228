import { catalogue } from '../families/index.js'
import { checkScenarioFile, diagnosticText, type Parsed } from '../scenarios/read.js'
import type { Arguments, CliCommand } from './command.js'
import { paintFor } from './screen.js'

export const command: CliCommand = {
  usage: 'check <file...>',
  description: 'check scenario files: what is wrong in them, where, and what was meant',
  options: [],
  examples: [
    ['backlot check broken-upstream.yaml', 'exit code 0 when nothing is wrong, 1 when something is'],
    ['backlot check test/scenarios/*.yaml', 'several files'],
  ],
  run: async (args) => runCheck(args),
}

/** Checks scenario files. Answers 0 when nothing is wrong, 1 when something is; a file that is not there is thrown. */
const runCheck = async ({ operands }: Arguments): Promise<number> => {
  // All are read before anything is said, so that a missing file is the only message.
  const checked = await Promise.all(
    operands.map(async (file) => ({ file, parsed: await checkScenarioFile(file, catalogue) })),
  )
  const paint = paintFor(process.stdout, process.env)
  for (const { file, parsed } of checked)
    for (const line of linesFor(file, parsed))
      process.stdout.write(`${'scenario' in parsed ? `${paint('green', 'ok')}  ${line}` : line}\n`)
  return checked.every(({ parsed }) => 'scenario' in parsed) ? 0 : 1
}

const linesFor = (file: string, parsed: Parsed): string[] => {
  if (!('scenario' in parsed)) return parsed.diagnostics.map((flaw) => diagnosticText(file, flaw))
  const { name, steps } = parsed.scenario
  return [`${file}: ${name}, ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`]
}
