import type { CliCommand } from '../command.js'

export const replay: CliCommand = {
  usage: 'replay <file>',
  says: 'run a recording again and show each answer that is not what it was',
  options: [
    {
      flags: '--url <url>',
      says: 'run it against an emulator that runs there; left out, against one of its own',
    },
    { flags: '--control-token <token>', says: 'what that emulator wants; left out, $BACKLOT_CONTROL_TOKEN' },
    { flags: '--all', says: 'show every difference; left out, those of the first 20 answers' },
  ],
  examples: [
    ['backlot start --record session.jsonl', 'records everything that happens until Ctrl-C'],
    ['backlot replay session.jsonl', 'exit code 0 when all answers are the same, 1 when some are not'],
    ['backlot replay session.jsonl --url http://127.0.0.1:4010', 'against an emulator that runs already'],
  ],
  run: async (given) => (await import('./replay.js')).runReplay(given),
}
