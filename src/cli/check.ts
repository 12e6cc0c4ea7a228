import { type CliCommand, clean, counted, type Paint, paintFor, warn } from '../command/command.js'
import { serviceOptions } from '../command/settings/read.js'
import { type ReadService, readService } from '../command/settings/service.js'
import { checkProfileFile, isProfile } from '../emulator/surface/profile.js'
import { EmulatorError } from '../emulator/surface/records.js'
import { checkScenarioFile, diagnosticText } from '../emulator/surface/scenarios.js'

export const command: CliCommand = {
  usage: 'check <file...>',
  description: 'check scenario files and profiles: what is wrong in them, where, and what was meant',
  options: serviceOptions(),
  examples: [
    ['backlot check broken-upstream.yaml', 'exit code 0 when nothing is wrong, 1 when something is'],
    ['backlot check my-service.yaml', 'a profile, which has other keys than a scenario'],
    ['backlot check --families ./acme.family.ts acme-is-busy.yaml', 'it may name what the family brings'],
  ],
  // Resolves with 0 when nothing is wrong, 1 when something is, 2 when a file cannot be read.
  run: async ({ options, operands }) => {
    const paint = paintFor()
    const service = await readService(options)
    let code = 0
    for (const file of operands) {
      try {
        const parsed = await checkFile(file, service)
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

/** A profile has other keys than a scenario; a module can only be one. */
const checkFile = async (file: string, { families, throughProfile }: ReadService) =>
  (await isProfile(file))
    ? checkProfileFile(file, families.families)
    : checkScenarioFile(file, await throughProfile())

const linesFor = (file: string, parsed: Awaited<ReturnType<typeof checkFile>>, paint: Paint): string[] => {
  if ('diagnostics' in parsed)
    return parsed.diagnostics.map((diagnostic) => clean(diagnosticText(file, diagnostic)))
  if ('profile' in parsed)
    return [`${paint('green', 'ok')}  ${file}: a profile of ${Object.keys(parsed.profile).join(', ')}`]
  const { name, steps } = parsed.scenario
  return [`${paint('green', 'ok')}  ${file}: ${name}, ${counted(steps.length, 'step')}`]
}
