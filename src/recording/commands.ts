import type { CommandTable } from '../command/command.js'

/** Commands about recordings of an emulator. */
export const commands: CommandTable = {
  replay: () => import('./replay-command.js'),
  'scenario-from': () => import('./scenario-from.js'),
}
