import type { CliCommand } from '../command.js'

export const ready: CliCommand = {
  usage: 'ready',
  says: 'say whether an emulator answers, or wait until one does',
  options: [
    { flags: '--wait [duration]', says: 'how long to wait, 10s when nothing is named; left out: look once' },
    { flags: '--url <url>', says: 'where it should answer; left out, $BACKLOT_URL or http://127.0.0.1:4010' },
  ],
  examples: [
    ['backlot ready --wait 30s', 'exit code 0 as soon as it answers, 1 when it does not'],
    ['backlot ready --url http://emulator:4010', 'looks once'],
  ],
  run: async (given) => (await import('./ready.js')).runReady(given),
}
