import type { CliCommand } from '../command.js'
import { fewSettingOptions } from '../settings/flags.js'

export const doctor: CliCommand = {
  usage: 'doctor',
  says: 'say whether pictures and videos can be made, here or where an emulator runs, and how that one is',
  options: [
    { flags: '--url <url>', says: 'an emulator that runs; left out, only this machine is looked at' },
    { flags: '--control-token <token>', says: 'what that emulator wants; left out, $BACKLOT_CONTROL_TOKEN' },
    ...fewSettingOptions,
  ],
  examples: [
    ['backlot doctor', 'exit code 0 when everything is there'],
    ['backlot doctor --url http://127.0.0.1:4010', 'how an emulator is: its bounds, callbacks and media'],
    ['backlot doctor --set ffmpeg=/opt/ffmpeg/bin/ffmpeg', 'with another ffmpeg'],
  ],
  run: async (given) => (await import('./doctor.js')).runDoctor(given),
}
