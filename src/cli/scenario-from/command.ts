import type { CliCommand } from '../command.js'

export const scenarioFrom: CliCommand = {
  usage: 'scenario-from <file>',
  says: 'turn what went wrong in a recording, or in a HAR file of the real service, into a scenario',
  options: [
    { flags: '-o, --output <file>', says: 'where to write it; left out, on standard output' },
    { flags: '--test', says: 'write a vitest test beside it that plays it' },
    {
      flags: '--account <tag>',
      says: 'whose part of a recording; left out, of the account in which most went wrong',
    },
  ],
  examples: [
    ['backlot scenario-from session.jsonl', 'prints the scenario'],
    ['backlot scenario-from session.jsonl -o test/bad-day.yaml --test', 'also writes test/bad-day.test.ts'],
    ['backlot scenario-from production.har -o bad-day.yaml', 'from what a browser or a proxy has seen'],
  ],
  run: async (given) => (await import('./scenario-from.js')).runScenarioFrom(given),
}
