import type { CommandTable } from '../command/command.js'

/** Commands about recordings, and about the real service that they are made of. */
export const commands: CommandTable = {
  record: () => import('./record-command.js'),
  replay: () => import('./replay-command.js'),
  learn: () => import('./learn/command.js'),
  verify: () => import('./verify/command.js'),
  'scenario-from': () => import('./scenario-from.js'),
}
