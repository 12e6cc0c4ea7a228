import type { CommandTable } from '../command/command.js'

/** Commands that run tests and report what passing tests can hide. */
export const commands: CommandTable = {
  coverage: () => import('./coverage/command.js'),
  sweep: () => import('./sweep/command.js'),
  'sweep report': () => import('./sweep/report-command.js'),
}
