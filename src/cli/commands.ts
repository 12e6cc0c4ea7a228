import type { CliCommand } from './command.js'
import { doctor } from './doctor/command.js'
import { exec } from './exec/command.js'
import { ready } from './ready/command.js'
import { start } from './start/command.js'

/** Everything that `backlot` can be told to do. */
export const commands: readonly CliCommand[] = [start, exec, ready, doctor]
