import type { CliCommand } from '../command.js'
import { fewSettingOptions } from '../settings/flags.js'

export const doctor: CliCommand = {
  usage: 'doctor',
  says: 'say whether pictures and videos can be made here, by making one of each',
  options: fewSettingOptions,
  examples: [
    ['backlot doctor', 'exit code 0 when everything is there'],
    ['backlot doctor --set ffmpeg=/opt/ffmpeg/bin/ffmpeg', 'with another ffmpeg'],
  ],
  run: async (given) => (await import('./doctor.js')).runDoctor(given),
}
