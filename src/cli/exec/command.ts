import type { CliCommand } from '../command.js'
import { settingOptions } from '../settings/flags.js'
import { recordOption } from '../start/record.js'

export const exec: CliCommand = {
  usage: 'exec [command...]',
  says: 'start the emulator on a free port, run a command with its URL, stop, and exit as the command did',
  options: [
    {
      flags: '--env <name=template>',
      says: 'a variable for the command; {url} and {port} are filled in (repeatable)',
      repeats: true,
    },
    { flags: '--log', says: 'print what the emulator does on standard error' },
    recordOption,
    ...settingOptions(),
  ],
  examples: [
    ['backlot exec -- npm test', 'the tests find the emulator at $BACKLOT_URL'],
    ["backlot exec --env VIDEO_API_BASE='{url}/provB/api/v3' -- pytest", 'a variable that your code reads'],
    ['backlot exec --log --timing instant -- ./smoke-test.sh', 'shows each call on standard error'],
  ],
  passesOptionsOn: true,
  run: async (given) => (await import('./exec.js')).runExec(given),
}
