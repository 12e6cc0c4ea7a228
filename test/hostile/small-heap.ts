/** Starts an emulator and prints its port: to be run in a process with a small heap. */

import { createEmulator } from '../../src/emulator/emulator.js'
import { listen } from '../../src/emulator/listen.js'
import { readSettings } from '../../src/emulator/settings.js'

const { port } = await listen(createEmulator(readSettings({ port: 0, clock: 'paused' })))
process.stdout.write(`${port}\n`)
