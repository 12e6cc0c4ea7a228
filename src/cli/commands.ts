import { check } from './check/command.js'
import type { CliCommand } from './command.js'
import { doctor } from './doctor/command.js'
import { exec } from './exec/command.js'
import { openapi } from './openapi/command.js'
import { ready } from './ready/command.js'
import { replay } from './replay/command.js'
import { scenarioFrom } from './scenario-from/command.js'
import { scenarios } from './scenarios/command.js'
import { start } from './start/command.js'
import { state } from './state/command.js'

/** Everything that `backlot` can be told to do. */
export const commands: readonly CliCommand[] = [
  start,
  exec,
  ready,
  scenarios,
  check,
  replay,
  scenarioFrom,
  state,
  doctor,
  openapi,
]
