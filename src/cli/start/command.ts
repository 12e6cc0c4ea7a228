import type { CliCommand } from '../command.js'
import { settingOptions } from '../settings/flags.js'
import { recordOption } from './record.js'

export const start: CliCommand = {
  usage: 'start',
  says: 'start the emulator and keep it running; plain `backlot` does the same',
  options: [...settingOptions(), recordOption],
  examples: [
    ['backlot start', 'http://127.0.0.1:4010, until Ctrl-C'],
    ['backlot start --port 0 --json', 'a free port, named in the first line of JSON'],
    ['backlot start --clock paused --seed 7', 'time moves when the control API is told to'],
    ['backlot start --set fetchMedia=all', 'any setting by its key'],
  ],
  run: async (given) => (await import('./start.js')).runStart(given),
}
