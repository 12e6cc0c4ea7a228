/** Starts an emulator and prints its port: to be run in a process with a small heap. */
import { readSettings } from '../../src/core/settings.js'
import { createEmulator } from '../../src/emulator.js'
import { listen } from '../../src/listen.js'

const { port } = await listen(createEmulator(readSettings({ port: 0, clock: 'paused' })))
process.stdout.write(`${port}\n`)
