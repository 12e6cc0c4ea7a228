import type { CliCommand } from '../command.js'

export const scenarios: CliCommand = {
  usage: 'scenarios [name]',
  says: 'list the ready-made scenarios, or print one of them as a file to begin with',
  options: [],
  examples: [
    ['backlot scenarios', 'each name, and what it does to a client'],
    ['backlot scenarios callback-lost > mine.yaml', 'a copy to change'],
    ['backlot start --scenario callback-lost', 'plays it'],
  ],
  run: async (given) => (await import('./scenarios.js')).runScenarios(given),
}
