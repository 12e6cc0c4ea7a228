import type { CommandTable } from '../command/command.js'

/** Commands about the real service: its traffic, and how it differs from the emulator. */
export const commands: CommandTable = {
  record: () => import('./record-command.js'),
  verify: () => import('./verify/command.js'),
  learn: () => import('./learn/command.js'),
}
