import type { CliCommand } from '../command.js'

export const doctor: CliCommand = {
  usage: 'doctor',
  says: 'say whether pictures and videos can be made here, by making one of each',
  options: [
    {
      flags: '--config <file>',
      says: 'the configuration file; left out, backlot.config.* of the working directory',
    },
    { flags: '--set <key=value>', says: 'a setting by its key, such as ffmpeg', repeats: true },
  ],
  examples: [
    ['backlot doctor', 'exit code 0 when everything is there'],
    ['backlot doctor --set ffmpeg=/opt/ffmpeg/bin/ffmpeg', 'with another ffmpeg'],
  ],
  run: async (given) => (await import('./doctor.js')).runDoctor(given),
}
