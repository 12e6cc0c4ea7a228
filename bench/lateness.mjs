import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into an emulator's process (`node --import`): says by how many milliseconds its event loop was late at most since
// it was last asked.

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', () => {
  process.send(Math.max(0, delay.max / 1e6 - RESOLUTION_MS))
  delay.reset()
})
// It ends like any other, whoever still listens.
process.channel.unref()
