import type { CliCommand } from '../command.js'

export const check: CliCommand = {
  usage: 'check <file...>',
  says: 'check scenario files: what is wrong in them, where, and what was meant',
  options: [],
  examples: [
    ['backlot check broken-upstream.yaml', 'exit code 0 when nothing is wrong, 1 when something is'],
    ['backlot check test/scenarios/*.yaml', 'several files'],
  ],
  run: async (given) => (await import('./check.js')).runCheck(given),
}
