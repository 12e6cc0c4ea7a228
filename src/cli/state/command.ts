import type { CliCommand } from '../command.js'

export const state: CliCommand = {
  usage: 'state <verb> <document>',
  says: 'export accounts into a document, or import them from one',
  options: [
    { flags: '--url <url>', says: 'of a running emulator; left out, $BACKLOT_URL or http://127.0.0.1:4010' },
    { flags: '--state <file>', says: 'of a state file that no emulator holds, instead' },
    { flags: '--key <key>', says: 'this account alone; left out, all of them' },
    { flags: '--control-token <token>', says: 'what the emulator wants; left out, $BACKLOT_CONTROL_TOKEN' },
  ],
  examples: [
    ['backlot state export state.json', 'everything that a running emulator holds'],
    ['backlot state import state.json', 'the emulator is as the document says'],
    ['backlot state export state.json --state backlot.jsonl', 'what a state file holds'],
  ],
  run: async (given) => (await import('./state.js')).runState(given),
}
