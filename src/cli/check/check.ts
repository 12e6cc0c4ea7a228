import { catalogue } from '../../families/catalogue.js'
import { diagnosticText } from '../../server/scenario/bad-scenario.js'
import type { Parsed } from '../../server/scenario/parse.js'
import { checkScenarioFile } from '../../server/scenario/read.js'
import type { Given } from '../command.js'
import { paintFor } from '../output/screen/paint.js'

/** Checks scenario files. Answers 0 when nothing is wrong, 1 when something is; a file that is not there is thrown. */
export const runCheck = async ({ operands }: Given): Promise<number> => {
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
