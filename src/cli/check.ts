import { EmulatorError } from '../core/errors.js'
import { catalogue } from '../families/index.js'
import { diagnosticText } from '../scenarios/located.js'
import { checkScenarioFile, type Parsed } from '../scenarios/read.js'
import { type Arguments, type CliCommand, warn } from './command.js'
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

/** Checks scenario files. Answers 0 when nothing is wrong, 1 when something is, 2 when a file cannot be read. */
const runCheck = async ({ operands }: Arguments): Promise<number> => {
  const paint = paintFor(process.stdout, process.env)
  let code = 0
  for (const file of operands) {
    try {
      const parsed = await checkScenarioFile(file, catalogue)
      if (!('scenario' in parsed)) code = Math.max(code, 1)
      for (const line of linesFor(file, parsed))
        process.stdout.write(`${'scenario' in parsed ? `${paint('green', 'ok')}  ${line}` : line}\n`)
    } catch (error) {
      if (!(error instanceof EmulatorError)) throw error
      warn(error.sentence)
      code = 2
    }
  }
  return code
}

const linesFor = (file: string, parsed: Parsed): string[] => {
  if (!('scenario' in parsed)) return parsed.diagnostics.map((diagnostic) => diagnosticText(file, diagnostic))
  const { name, steps } = parsed.scenario
  return [`${file}: ${name}, ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`]
}
