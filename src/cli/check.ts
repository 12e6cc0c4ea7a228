import { EmulatorError } from '../emulator/surface/records.js'
import { checkScenarioFile, diagnosticText, type Parsed } from '../emulator/surface/scenarios.js'
import { type CliCommand, clean, counted, type Paint, paintFor, warn } from './command.js'

export const command: CliCommand = {
  usage: 'check <file...>',
  description: 'check scenario files: what is wrong in them, where, and what was meant',
  options: [],
  examples: [
    ['backlot check broken-upstream.yaml', 'exit code 0 when nothing is wrong, 1 when something is'],
    ['backlot check test/emulator/scenarios/*.yaml', 'several files'],
  ],
  // Resolves with 0 when nothing is wrong, 1 when something is, 2 when a file cannot be read.
  run: async ({ operands }) => {
    const paint = paintFor()
    let code = 0
    for (const file of operands) {
      try {
        const parsed = await checkScenarioFile(file)
        if ('diagnostics' in parsed) code = Math.max(code, 1)
        for (const line of linesFor(file, parsed, paint)) process.stdout.write(`${line}\n`)
      } catch (error) {
        if (!(error instanceof EmulatorError)) throw error
        warn(error.sentence)
        code = 2
      }
    }
    return code
  },
}

const linesFor = (file: string, parsed: Parsed, paint: Paint): string[] => {
  if ('diagnostics' in parsed)
    return parsed.diagnostics.map((diagnostic) => clean(diagnosticText(file, diagnostic)))
  const { name, steps } = parsed.scenario
  return [`${paint('green', 'ok')}  ${file}: ${name}, ${counted(steps.length, 'step')}`]
}
